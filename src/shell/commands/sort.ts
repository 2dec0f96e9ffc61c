import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { linesOf } from "../toolkit/lines.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

interface Key {
  readonly startField: number;
  readonly startCharacter: number;
  readonly endField: number | undefined;
  readonly endCharacter: number | undefined;
  readonly flags: string;
}

function readKey(tool: Tool, text: string): Key {
  const match = /^(\d+)(?:\.(\d+))?([bdfghinMrRV]*)(?:,(\d+)(?:\.(\d+))?([bdfghinMrRV]*))?$/u.exec(text);
  if (match === null || match[1] === "0")
    throw new ToolFailure(tool.gnu ? `field number is zero: invalid field specification ‘${text}’` : `bad field specification`, 2);
  return {
    startField: Number(match[1]),
    startCharacter: Number(match[2] ?? 1),
    endField: match[4] === undefined ? undefined : Number(match[4]),
    endCharacter: match[5] === undefined ? undefined : Number(match[5]),
    flags: (match[3] ?? "") + (match[6] ?? ""),
  };
}

function extract(line: string, key: Key, separator: string | undefined): string {
  const spans: [number, number][] = [];
  if (separator !== undefined) {
    let start = 0;
    for (const part of line.split(separator)) {
      spans.push([start, start + part.length]);
      start += part.length + separator.length;
    }
  } else for (const match of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/gu)) spans.push([match.index, match.index + match[0].length]);
  const first = spans[key.startField - 1];
  if (first === undefined) return "";
  let from = first[0];
  if (key.flags.includes("b")) while (line[from] === " " || line[from] === "\t") from += 1;
  from += key.startCharacter - 1;
  if (key.endField === undefined) return line.slice(from);
  const last = spans[key.endField - 1];
  if (last === undefined) return line.slice(from);
  return line.slice(from, key.endCharacter === undefined || key.endCharacter === 0 ? last[1] : last[0] + key.endCharacter);
}

const units = "KMGTPE";

function numberOf(text: string, human: boolean): number {
  const match = /^\s*(-?\d*\.?\d*)([KMGTPE])?/iu.exec(text);
  const value = Number(match?.[1] || 0);
  if (!human || match?.[2] === undefined) return Number.isNaN(value) ? 0 : value;
  return value * 1024 ** (units.indexOf(asciiUpperCase(match[2])) + 1);
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

const monthOf = (text: string) => months.indexOf(asciiUpperCase(text.trim().slice(0, 3)));

/** Orders that are not of texts, by their flags; of several the first counts. */
const orders: readonly (readonly [flag: string, compare: (a: string, b: string) => number])[] = [
  ["g", (a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0)],
  ["h", (a, b) => numberOf(a, true) - numberOf(b, true)],
  ["n", (a, b) => numberOf(a, false) - numberOf(b, false)],
  ["M", (a, b) => monthOf(a) - monthOf(b)],
  ["V", compareVersions],
];

function compare(a: string, b: string, flags: string): number {
  const order = orders.find(([flag]) => flags.includes(flag));
  if (order !== undefined) return order[1](a, b);
  const prepare = (text: string) => {
    let result = flags.includes("b") ? text.trimStart() : text;
    if (flags.includes("f")) result = asciiUpperCase(result);
    if (flags.includes("d")) result = result.replace(/[^\w\s]/gu, "");
    return result;
  };
  return compareTexts(prepare(a), prepare(b));
}

function compareVersions(a: string, b: string): number {
  const left: readonly string[] = a.match(/\d+|\D+/gu) ?? [];
  const right: readonly string[] = b.match(/\d+|\D+/gu) ?? [];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const [x, y] = [left[i] ?? "", right[i] ?? ""];
    let result = 0;
    if (/^\d/u.test(x) && /^\d/u.test(y)) result = Number(x) - Number(y);
    else if (x < y) result = -1;
    else if (x > y) result = 1;
    if (result !== 0) return result;
  }
  return 0;
}

export const sort: CommandDefinition = {
  name: "sort",
  unsupported: "R m z i",
  options:
    "n,numeric-sort r,reverse u,unique k,key= t,field-separator= f,ignore-case b,ignore-leading-blanks o,output= c,check s,stable h,human-numeric-sort V,version-sort g,general-numeric-sort M,month-sort d,dictionary-order R z m i S= T=",
  usage: "sort [-nrughMcszbdfiokt] [-o FILE] [-k START[.OFS][OPTS][,END[.OFS][OPTS]] [-t CHAR] [FILE]...\n\nSort lines of text",
  usageStatus: 2,
  *run(tool) {
    const keys = tool.values("k").map((text) => readKey(tool, text));
    const separator = tool.value("t");
    const flags = ["n", "h", "V", "g", "M", "f", "b", "d"].filter((letter) => tool.has(letter)).join("");
    const lines: string[] = [];
    yield* tool.eachOperand(
      tool.operands.length === 0 ? ["-"] : tool.operands,
      function* (path) {
        lines.push(...linesOf(decodeUtf8(yield* tool.readAll(path))));
      },
      (path, error) => {
        if (!tool.gnu) return `${path}: ${error.message}`;
        return error.code === "EISDIR" ? `read failed: ${path}: ${error.message}` : `cannot read: ${path}: ${error.message}`;
      },
    );
    if (tool.status !== 0) return 2;
    const byKeys = (a: string, b: string): number => {
      if (keys.length === 0) return compare(a, b, flags) * (tool.has("r") ? -1 : 1);
      for (const key of keys) {
        const own = /[dfghnMV]/u.test(key.flags) || key.flags.includes("r");
        const used = own ? key.flags : flags;
        const result = compare(extract(a, key, separator), extract(b, key, separator), used);
        if (result !== 0) return result * ((own ? key.flags.includes("r") : tool.has("r")) ? -1 : 1);
      }
      return 0;
    };
    const whole = (a: string, b: string) => (tool.has("s") || tool.has("u") ? 0 : compare(a, b, "") * (tool.has("r") ? -1 : 1));
    if (tool.has("c")) {
      const at = lines.findIndex((line, index) => index > 0 && byKeys(lines[index - 1] as string, line) > 0);
      if (at < 0) return 0;
      yield* tool.warn(`${tool.operands[0] ?? "-"}:${at + 1}: disorder: ${lines[at]}`);
      return 1;
    }
    let sorted = lines.sort((a, b) => byKeys(a, b) || whole(a, b));
    if (tool.has("u")) sorted = sorted.filter((line, index) => index === 0 || byKeys(sorted[index - 1] as string, line) !== 0);
    const text = sorted.map((line) => `${line}\n`).join("");
    const output = tool.value("o");
    if (output === undefined) yield* tool.print(text);
    else tool.self.writeFile(output, text);
    return 0;
  },
};
