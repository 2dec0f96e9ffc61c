// split, shuf, fold, expand, cksum.

import { type Bytes, concatBytes, decodeUtf8, noBytes } from "#sim/bytes.ts";
import { type CommandDefinition, eachLine, linesOf, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

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

export const fold: CommandDefinition = {
  name: "fold",
  options: "b,bytes s,spaces w,width=",
  numberOption: "w",
  usage: "fold [-bs] [-w WIDTH] [FILE]...\n\nWrap input lines in FILEs (or stdin), writing to stdout",
  *run(tool) {
    const width = Number(tool.value("w") ?? "80");
    if (!Number.isInteger(width) || width < 1)
      throw new ToolFailure(tool.gnu ? `invalid number of columns: ‘${tool.value("w")}’` : `invalid number '${tool.value("w")}'`);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line, terminated) {
        let rest = [...line];
        while (rest.length > width) {
          const blank = tool.has("s") ? rest.lastIndexOf(" ", width - 1) : -1;
          const cut = blank < 0 ? width : blank + 1;
          yield* tool.print(`${rest.slice(0, cut).join("")}\n`);
          rest = rest.slice(cut);
        }
        yield* tool.print(`${rest.join("")}${terminated ? "\n" : ""}`);
        return undefined;
      });
    });
    return 0;
  },
};

export const expand: CommandDefinition = {
  name: "expand",
  options: "i,initial t,tabs=",
  usage: "expand [-i] [-t N] [FILE]...\n\nConvert tabs to spaces, writing to stdout",
  *run(tool) {
    const text = tool.value("t") ?? "8";
    if (!/^[1-9]\d*$/u.test(text))
      throw new ToolFailure(
        /^[\d, ]+$/u.test(text) ? "lists of tab stops are not supported here" : `tab size contains invalid character(s): ‘${text}’`,
      );
    const width = Number(text);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line, terminated) {
        let shown = "";
        let isInitial = true;
        for (const character of line) {
          if (character === "\t" && (isInitial || !tool.has("i"))) shown += " ".repeat(width - (shown.length % width));
          else shown += character;
          if (character !== "\t" && character !== " ") isInitial = false;
        }
        yield* tool.print(`${shown}${terminated ? "\n" : ""}`);
        return undefined;
      });
    });
    return 0;
  },
};

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 0x8000_0000) === 0 ? value << 1 : (value << 1) ^ 0x04c1_1db7;
  return value;
});

/** POSIX's: the bytes, then their number, from its lowest byte. */
function checksum(bytes: Bytes): number {
  let crc = 0;
  const take = (byte: number): void => {
    crc = (crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 255] as number);
  };
  for (const byte of bytes) take(byte);
  for (let rest = bytes.length; rest > 0; rest = Math.floor(rest / 256)) take(rest & 255);
  return ~crc >>> 0;
}

export const cksum: CommandDefinition = {
  name: "cksum",
  options: "a,algorithm= c,check l,length= z,zero raw base64 tag untagged",
  unsupported: "a c l z raw base64 tag untagged",
  usage: "cksum FILE...\n\nCalculate CRC32 checksum of FILEs",
  *run(tool) {
    yield* tool.eachInput(tool.operands, function* (path, fd) {
      const parts: Bytes[] = [];
      for (let bytes = yield* tool.self.read(fd); bytes.length > 0; bytes = yield* tool.self.read(fd)) parts.push(bytes);
      const all = concatBytes(parts);
      yield* tool.print(`${checksum(all)} ${all.length}${path === "-" && tool.operands.length === 0 ? "" : ` ${path}`}\n`);
    });
    return 0;
  },
};
