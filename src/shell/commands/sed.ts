import { decodeUtf8 } from "#sim/bytes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";
import { Editor } from "./sed/editor.ts";
import { Lines } from "./sed/lines.ts";
import { Parser } from "./sed/script.ts";

export const sed: CommandDefinition = {
  name: "sed",
  unsupported: "s z",
  options: "n,quiet,silent e,expression= f,file= i,in-place=? E,r,regexp-extended s,separate u,unbuffered z posix",
  usage: "sed [-i[SFX]] [-nrE] [-f FILE]... [-e CMD]... [FILE]...\nor: sed [-i[SFX]] [-nrE] CMD [FILE]...",
  *run(tool) {
    let files = tool.operands;
    const pieces: string[] = [];
    for (const [name, value] of tool.given) {
      if (name === "e") pieces.push(value);
      if (name === "f") pieces.push(decodeUtf8(yield* tool.readAll(value)).replace(/\n$/u, ""));
    }
    if (pieces.length === 0) {
      const first = files[0];
      if (first === undefined) throw new UsageFailure("");
      pieces.push(first);
      files = files.slice(1);
    }
    const compile = () => new Parser(pieces.join("\n"), tool.has("E")).parse();
    const program = compile();
    if (!tool.has("i")) {
      const paths = files.length === 0 ? ["-"] : files;
      return yield* new Editor(tool, program, new Lines(tool, paths), (text) => tool.print(text)).run();
    }
    for (const path of files) {
      let output = "";
      const before = tool.status;
      tool.status = 0;
      const source = new Lines(tool, [path]);
      yield* new Editor(tool, compile(), source, function* (text) {
        output += text;
      }).run();
      if (tool.status !== 0) continue;
      tool.status = before;
      const original = tool.self.readText(path);
      const suffix = tool.value("i") ?? "";
      if (suffix !== "") tool.self.writeFile(path + suffix, original);
      if (!original.endsWith("\n") && output.endsWith("\n") && original !== "") output = output.slice(0, -1);
      tool.self.writeFile(path, output);
    }
    return 0;
  },
};
