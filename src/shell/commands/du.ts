import type { Sys } from "#sim/program.ts";
import { humanSize } from "../toolkit/human-size.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

/** What a tree holds, in bytes of whole 4 KiB blocks. */
function* usage(
  self: Parameters<CommandDefinition["run"]>[0]["self"],
  path: string,
  depth: number,
  each: (path: string, bytes: number, depth: number, directory: boolean) => Sys<void>,
): Sys<number> {
  const info = self.lstat(path);
  if (info.type !== "directory") {
    const bytes = info.type === "file" ? Math.ceil(info.sizeBytes / 4096) * 4096 : 0;
    yield* each(path, bytes, depth, false);
    return bytes;
  }
  let total = 4096;
  if (depth < 128)
    for (const name of self.readdir(path))
      total += yield* usage(self, path.endsWith("/") ? path + name : `${path}/${name}`, depth + 1, each);
  yield* each(path, total, depth, true);
  return total;
}

export const du: CommandDefinition = {
  name: "du",
  options: "s,summarize h,human-readable a,all c,total k m d,max-depth= b,bytes x apparent-size",
  usage: "du [-aHLdclsxhmk] [FILE]...",
  *run(tool) {
    const shown = (bytes: number) => {
      if (tool.has("h")) {
        return bytes === 0 ? "0" : humanSize(bytes);
      }
      return tool.has("b") ? String(bytes) : String(Math.ceil(bytes / (tool.has("m") ? 1_048_576 : 1024)));
    };
    let limit = Number.POSITIVE_INFINITY;
    if (tool.has("s")) limit = 0;
    else if (tool.has("d")) limit = Number(tool.value("d"));
    let total = 0;
    yield* tool.eachOperand(
      tool.operands.length === 0 ? ["."] : tool.operands,
      function* (path) {
        total += yield* usage(tool.self, path, 0, function* (each, bytes, depth, directory) {
          if (depth <= limit && (directory || depth === 0 || tool.has("a"))) yield* tool.print(`${shown(bytes)}\t${each}\n`);
        });
      },
      (path, error) => (tool.gnu ? `cannot access '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    if (tool.has("c")) yield* tool.print(`${shown(total)}\ttotal\n`);
    return 0;
  },
};
