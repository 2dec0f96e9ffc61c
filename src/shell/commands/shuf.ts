import { decodeUtf8 } from "#sim/bytes.ts";
import { linesOf } from "../toolkit/lines.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const shuf: CommandDefinition = {
  name: "shuf",
  options: "e,echo i,input-range= n,head-count= o,output= r,repeat z,zero-terminated random-source=",
  unsupported: "r z random-source",
  usage: "shuf [-n NUM] [-o FILE] [-z] [FILE | -e [ARG...] | -i L-H]\n\nRandomly permute lines",
  *run(tool) {
    const { self } = tool;
    const lines = yield* input(tool);
    // Fisher and Yates's.
    for (let index = lines.length - 1; index > 0; index -= 1) {
      const other = self.random.below(index + 1);
      [lines[index], lines[other]] = [lines[other] as string, lines[index] as string];
    }
    const limit = tool.value("n");
    if (limit !== undefined && !/^\d+$/u.test(limit))
      throw new ToolFailure(tool.gnu ? `invalid line count: ‘${limit}’` : `invalid number '${limit}'`);
    const text = lines
      .slice(0, limit === undefined ? undefined : Number(limit))
      .map((line) => `${line}\n`)
      .join("");
    const output = tool.value("o");
    if (output === undefined) yield* tool.print(text);
    else self.writeFile(output, text);
    return 0;
  },
};

const maximumRange = 1_000_000;

function* input(tool: Tool) {
  const range = tool.value("i");
  if (range !== undefined) {
    const match = /^(\d+)-(\d+)$/u.exec(range);
    const [low, high] = [Number(match?.[1]), Number(match?.[2])];
    if (match === null || high < low) throw new ToolFailure(tool.gnu ? `invalid input range: ‘${range}’` : `bad range '${range}'`);
    if (high - low >= maximumRange) throw new ToolFailure("memory exhausted");
    tool.self.holdMemory(8 * (high - low));
    return Array.from({ length: high - low + 1 }, (_, index) => String(low + index));
  }
  if (tool.has("e")) return [...tool.operands];
  if (tool.operands.length > 1) throw new UsageFailure(tool.gnu ? `extra operand '${tool.operands[1]}'` : "");
  return linesOf(decodeUtf8(yield* tool.readAll(tool.operands[0] ?? "-")));
}
