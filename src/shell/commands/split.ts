import { type Bytes, noBytes } from "#sim/bytes.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const newline = 10;

function count(tool: Tool, option: string, what: string): number | undefined {
  const text = tool.value(option);
  if (text === undefined) return undefined;
  const match = /^(\d+)([kKMG]?)$/u.exec(text);
  if (match === null || Number(match[1]) === 0)
    throw new ToolFailure(tool.gnu ? `invalid number of ${what}: ‘${text}’` : `invalid number '${text}'`);
  const factors: { readonly [unit: string]: number } = { "": 1, k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  return Number(match[1]) * (factors[match[2] as string] as number);
}

export const split: CommandDefinition = {
  name: "split",
  options:
    "l,lines= b,bytes= a,suffix-length= d,numeric-suffixes C,line-bytes= n,number= e,elide-empty-files t,separator= u,unbuffered x,hex-suffixes additional-suffix= filter= verbose",
  unsupported: "C n e t x filter verbose",
  usage: "split [OPTIONS] [INPUT [PREFIX]]",
  *run(tool) {
    const [file = "-", prefix = "x"] = tool.operands;
    const bytes = count(tool, "b", "bytes");
    const lines = count(tool, "l", "lines");
    if (bytes !== undefined && lines !== undefined) throw new UsageFailure("cannot split in more than one way");
    const width = Number(tool.value("a") ?? "2");
    let content: Bytes = noBytes;
    yield* tool.eachOperand(
      [file],
      function* () {
        content = yield* tool.readAll(file);
      },
      (path, error) =>
        tool.gnu ? `cannot open '${path}' for reading: ${error.message}` : `can't open '${path}': ${error.message}`,
    );
    if (tool.status !== 0) return tool.status;
    let number = 0;
    for (let from = 0; from < content.length; number += 1) {
      const end = bytes === undefined ? afterLines(content, from, lines ?? 1000) : Math.min(content.length, from + bytes);
      const suffix = suffixOf(number, width, tool.has("d"));
      if (suffix === undefined) throw new ToolFailure(tool.gnu ? "output file suffixes exhausted" : "suffixes exhausted");
      tool.self.writeFile(`${prefix}${suffix}${tool.value("additional-suffix") ?? ""}`, content.subarray(from, end));
      from = end;
    }
    return 0;
  },
};

function afterLines(content: Bytes, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; left -= 1) {
    const end = content.indexOf(newline, at);
    if (end < 0) return content.length;
    at = end + 1;
  }
  return at;
}

function suffixOf(number: number, width: number, isNumeric: boolean): string | undefined {
  const base = isNumeric ? 10 : 26;
  let text = "";
  let rest = number;
  for (let left = width; left > 0; left -= 1, rest = Math.floor(rest / base))
    text = (isNumeric ? String(rest % base) : String.fromCharCode(97 + (rest % base))) + text;
  return rest > 0 ? undefined : text;
}
