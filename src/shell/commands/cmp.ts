import type { Bytes } from "#sim/bytes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const cmp: CommandDefinition = {
  name: "cmp",
  options: "s,quiet,silent l,verbose n=",
  usage: "cmp [-ls] FILE1 [FILE2]",
  usageStatus: 2,
  *run(tool) {
    const [first, second] = tool.operands;
    if (first === undefined) throw new UsageFailure("missing operand after 'cmp'");
    const paths = [first, second ?? "-"] as const;
    const contents: Bytes[] = [];
    yield* tool.eachOperand(paths, function* (path) {
      contents.push(yield* tool.readAll(path));
    });
    const [a, b] = contents;
    if (a === undefined || b === undefined) return 2;
    let line = 1;
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
      if (a[i] !== b[i]) {
        if (!tool.has("s"))
          yield* tool.print(`${paths[0]} ${paths[1]} differ: ${tool.gnu ? "byte" : "char"} ${i + 1}, line ${line}\n`);
        return 1;
      }
      if (a[i] === 10) line += 1;
    }
    if (a.length === b.length) return 0;
    if (!tool.has("s"))
      yield* tool.warn(
        `EOF on ${a.length < b.length ? paths[0] : paths[1]}${tool.gnu ? ` after byte ${Math.min(a.length, b.length)}, in line ${line}` : ""}`,
      );
    return 1;
  },
};
