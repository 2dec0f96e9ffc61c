import { eachLine } from "../toolkit/lines.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "../toolkit/tool.ts";

type Range = readonly [from: number, to: number];

function readRanges(tool: Tool, text: string, what: string): Range[] {
  return text.split(",").map((part) => {
    const match = /^(\d*)(-?)(\d*)$/u.exec(part);
    if (match === null || part === "" || part === "-")
      throw new UsageFailure(tool.gnu ? `invalid ${what} value '${part}'` : `invalid range ${part}`);
    const from = match[1] === "" ? 1 : Number(match[1]);
    if (from === 0) throw new UsageFailure(tool.gnu ? "fields are numbered from 1" : `invalid range ${part}`);
    if (match[2] === "") return [from, from] as const;
    return [from, match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3])] as const;
  });
}

export const cut: CommandDefinition = {
  name: "cut",
  options: "b,bytes= c,characters= f,fields= d,delimiter= s,only-delimited n output-delimiter= complement",
  usage: "cut {-b|c LIST | -f LIST [-d SEP] [-s]} [-O SEP] [FILE]...",
  *run(tool) {
    const kind = tool.lastOf("b", "c", "f");
    if (kind === undefined)
      throw new UsageFailure(
        tool.gnu ? "you must specify a list of bytes, characters, or fields" : "expected a list of bytes, characters, or fields",
      );
    const ranges = readRanges(tool, tool.value(kind) as string, kind === "f" ? "field" : "byte/character position");
    const delimiter = tool.value("d") ?? "\t";
    if ([...delimiter].length !== 1) throw new UsageFailure("the delimiter must be a single character");
    const output = tool.value("output-delimiter") ?? (kind === "f" ? delimiter : "");
    const chosen = (index: number) => ranges.some(([from, to]) => index >= from && index <= to) !== tool.has("complement");
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        if (kind === "f" && !line.includes(delimiter)) {
          if (!tool.has("s")) yield* tool.print(`${line}\n`);
          return undefined;
        }
        const parts = kind === "f" ? line.split(delimiter) : [...line];
        yield* tool.print(`${parts.filter((_part, index) => chosen(index + 1)).join(output)}\n`);
        return undefined;
      });
    });
    return 0;
  },
};
