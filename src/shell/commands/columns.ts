// cut, tr, tee, paste, nl, tac, rev, seq, yes, fold, column.

import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { textWidth } from "#sim/terminal/character-width.ts";
import { expandEscapes } from "../text/escapes.ts";
import { formatOne, readOptions } from "../text/printf.ts";
import { type CommandDefinition, eachLine, LineReader, linesOf, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

type Range = readonly [from: number, to: number];

function readRanges(tool: Tool, text: string, what: string): Range[] {
  return text.split(",").map((part) => {
    const match = /^(\d*)(-?)(\d*)$/u.exec(part);
    if (match === null || part === "" || part === "-")
      throw new UsageFailure(tool.gnu ? `invalid ${what} value '${part}'` : `invalid range ${part}`);
    const from = match[1] === "" ? 1 : Number(match[1]);
    if (from === 0) throw new UsageFailure(tool.gnu ? "fields are numbered from 1" : `invalid range ${part}`);
    return [from, match[2] === "" ? from : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3])] as const;
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

const trClasses: { readonly [name: string]: string } = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  space: "\t\n\v\f\r ",
  blank: "\t ",
  punct: "!-/:-@[-`{-~",
  xdigit: "0-9A-Fa-f",
  print: " -~",
  graph: "!-~",
  cntrl: "\x01-\x1f\x7f",
};

function expandSet(tool: Tool, spec: string): string[] {
  const text = expandEscapes(spec, false).text.replace(/\[:(\w+):\]/gu, (all, name: string) => {
    const found = trClasses[name];
    if (found === undefined) throw new ToolFailure(tool.gnu ? `invalid character class '${name}'` : all);
    return found;
  });
  const chars = [...text];
  const result: string[] = [];
  for (let i = 0; i < chars.length; i += 1) {
    const end = chars[i + 2];
    if (chars[i + 1] === "-" && end !== undefined) {
      const [from, to] = [(chars[i] as string).codePointAt(0) as number, end.codePointAt(0) as number];
      if (from > to) throw new ToolFailure(`range-endpoints of '${chars[i]}-${end}' are in reverse collating sequence order`);
      for (let code = from; code <= to; code += 1) result.push(String.fromCodePoint(code));
      i += 2;
    } else result.push(chars[i] as string);
  }
  return result;
}

export const tr: CommandDefinition = {
  name: "tr",
  options: "c,C,complement d,delete s,squeeze-repeats t,truncate-set1",
  usage: "tr [-cds] STRING1 [STRING2]",
  inOrder: true,
  *run(tool) {
    const [first, second] = tool.operands;
    if (first === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const deleting = tool.has("d");
    const squeezing = tool.has("s");
    if (second === undefined && !deleting && !squeezing)
      throw new UsageFailure(tool.gnu ? `missing operand after ‘${first}’\nTwo strings must be given when translating.` : "");
    const from = expandSet(tool, first);
    const to = second === undefined ? [] : expandSet(tool, second);
    const inFirst = new Set(from);
    const member = (char: string) => inFirst.has(char) !== tool.has("c");
    const map = new Map(
      from.map((char, index) => [char, to[Math.min(index, to.length - 1)] ?? char]).reverse() as [string, string][],
    );
    const squeezed = new Set(second === undefined ? [] : to);
    const isSqueezed = (char: string) => (second === undefined ? member(char) : squeezed.has(char));
    const decoder = new TextDecoder();
    let last = "";
    for (;;) {
      const bytes = yield* tool.self.read(0);
      let result = "";
      tool.self.spend(bytes.length >> 4);
      for (const char of decoder.decode(bytes, { stream: bytes.length > 0 })) {
        if (deleting && member(char)) continue;
        const mapped =
          deleting || to.length === 0 || !member(char) ? char : tool.has("c") ? (to.at(-1) as string) : (map.get(char) ?? char);
        if (squeezing && mapped === last && isSqueezed(mapped)) continue;
        last = mapped;
        result += mapped;
      }
      yield* tool.print(result);
      yield* tool.flush();
      if (bytes.length === 0) return 0;
    }
  },
};

export const tee: CommandDefinition = {
  name: "tee",
  options: "a,append i,ignore-interrupts p",
  usage: "tee [-ai] [FILE]...",
  *run(tool) {
    const fds: number[] = [];
    yield* tool.eachOperand(tool.operands, function* (path) {
      fds.push(
        tool.self.open(path, { write: true, create: true, ...(tool.has("a") ? { append: true } : { truncate: true }) }, 0o666),
      );
    });
    for (;;) {
      const bytes = yield* tool.self.read(0);
      if (bytes.length === 0) return 0;
      yield* tool.print(bytes);
      yield* tool.flush();
      for (const fd of fds) yield* tool.self.write(fd, bytes);
    }
  },
};

export const paste: CommandDefinition = {
  name: "paste",
  options: "d,delimiters= s,serial z",
  usage: "paste [-d LIST] [-s] [FILE]...",
  *run(tool) {
    const delimiters = [...expandEscapes(tool.value("d") ?? "\t", false).text];
    const join = (parts: readonly string[]) =>
      parts.reduce(
        (text, part, index) => (index === 0 ? part : text + (delimiters[(index - 1) % delimiters.length] ?? "") + part),
        "",
      );
    const paths = tool.operands.length === 0 ? ["-"] : tool.operands;
    const readers = paths.map((path) => new LineReader(tool.self, tool.openInput(path)));
    const shared = new Map<string, LineReader>();
    const readerOf = (index: number): LineReader => {
      const path = paths[index] as string;
      if (path !== "-") return readers[index] as LineReader;
      const reader = shared.get(path) ?? (readers[index] as LineReader);
      shared.set(path, reader);
      return reader;
    };
    if (tool.has("s")) {
      for (let index = 0; index < paths.length; index += 1) {
        const lines: string[] = [];
        for (let line = yield* readerOf(index).next(); line !== undefined; line = yield* readerOf(index).next()) lines.push(line);
        yield* tool.print(`${join(lines)}\n`);
      }
      return 0;
    }
    for (;;) {
      const row: (string | undefined)[] = [];
      for (let index = 0; index < paths.length; index += 1) row.push(yield* readerOf(index).next());
      if (row.every((cell) => cell === undefined)) return 0;
      yield* tool.print(`${join(row.map((cell) => cell ?? ""))}\n`);
    }
  },
};

export const nl: CommandDefinition = {
  name: "nl",
  options: "b,body-numbering= w,number-width= s,number-separator= v,starting-line-number=",
  *run(tool) {
    let number = Number(tool.value("v") ?? 1);
    const width = Number(tool.value("w") ?? 6);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        const numbered = tool.value("b") === "a" || line !== "";
        yield* tool.print(
          numbered ? `${String(number++).padStart(width)}${tool.value("s") ?? "\t"}${line}\n` : `${" ".repeat(width + 1)}${line}\n`,
        );
        return undefined;
      });
    });
    return 0;
  },
};

export const tac: CommandDefinition = {
  name: "tac",
  options: "",
  *run(tool) {
    yield* tool.eachOperand(tool.operands.length === 0 ? ["-"] : tool.operands, function* (path) {
      const lines = linesOf(decodeUtf8(yield* tool.readAll(path)));
      yield* tool.print(
        lines
          .reverse()
          .map((line) => `${line}\n`)
          .join(""),
      );
    });
    return 0;
  },
};

export const rev: CommandDefinition = {
  name: "rev",
  options: "",
  *run(tool) {
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        yield* tool.print(`${[...line].reverse().join("")}\n`);
        return undefined;
      });
    });
    return 0;
  },
};

export const seq: CommandDefinition = {
  name: "seq",
  *run(tool) {
    let separator = "\n";
    let format: string | undefined;
    let equal = false;
    let words = [...tool.operands];
    while (words[0] !== undefined && /^-[^\d.]/u.test(words[0])) {
      const word = words[0];
      if (word === "-w") equal = true;
      else if (word.startsWith("-s"))
        separator = expandEscapes(word.length > 2 ? word.slice(2) : (words.splice(1, 1)[0] ?? ""), false).text;
      else if (word.startsWith("-f")) format = word.length > 2 ? word.slice(2) : (words.splice(1, 1)[0] ?? "");
      else throw new UsageFailure(`invalid option -- '${word.slice(1, 2)}'`);
      words = words.slice(1);
    }
    if (words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    if (words.length > 3) throw new UsageFailure(tool.gnu ? `extra operand ‘${words[3]}’` : "");
    const numbers = words.map((word) => {
      if (word.trim() === "" || Number.isNaN(Number(word)))
        throw new UsageFailure(tool.gnu ? `invalid floating point argument: ‘${word}’` : `invalid number '${word}'`);
      return Number(word);
    });
    const first = numbers.length > 1 ? (numbers[0] as number) : 1;
    const step = numbers.length > 2 ? (numbers[1] as number) : 1;
    const last = numbers.at(-1) as number;
    if (step === 0) throw new UsageFailure(`invalid Zero increment value: '${words[1]}'`);
    const places = Math.max(
      ...words.slice(0, words.length === 3 ? 2 : 1).map((word) => (words.length === 1 ? 0 : (word.split(".")[1]?.length ?? 0))),
    );
    const width = Math.max(first.toFixed(places).length, last.toFixed(places).length);
    const count = Math.floor((last - first) / step + 1e-9);
    for (let i = 0; i <= count; i += 1) {
      const value = first + i * step;
      let text = value.toFixed(places);
      if (format !== undefined) {
        text = format.replace(/%([-+ 0#]*)(\d+)?(?:\.(\d+))?([efgEG])/u, (_all, flags, wide, precision, kind) =>
          formatOne(
            kind,
            String(value),
            readOptions(flags, wide, precision, () => 0),
            [],
          ),
        );
      } else if (equal) text = text.startsWith("-") ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
      yield* tool.print((i > 0 ? separator : "") + text);
      if (i % 512 === 511) tool.self.spend(512);
    }
    if (count >= 0) yield* tool.print("\n");
    return 0;
  },
};

export const yes: CommandDefinition = {
  name: "yes",
  *run(tool) {
    const line = `${tool.operands.length === 0 ? "y" : tool.operands.join(" ")}\n`;
    const block = encodeUtf8(line.repeat(Math.ceil(4096 / line.length)));
    for (;;) yield* tool.self.write(1, block);
  },
};

export const column: CommandDefinition = {
  name: "column",
  options: "t,table s,separator= o,output-separator=",
  *run(tool) {
    const lines: string[] = [];
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        tool.self.holdMemory(line.length + 32);
        lines.push(line);
        return undefined;
      });
    });
    if (!tool.has("t")) {
      yield* tool.print(lines.map((line) => `${line}\n`).join(""));
      return 0;
    }
    const separator = tool.value("s");
    const rows = lines.map((line) =>
      separator === undefined
        ? line.trim().split(/\s+/u)
        : line.split(new RegExp(`[${separator.replace(/[\\\]^-]/gu, "\\$&")}]`, "u")),
    );
    const widths: number[] = [];
    for (const row of rows)
      for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
    for (const row of rows) {
      const cells = row.map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat((widths[index] as number) - textWidth(cell)),
      );
      yield* tool.print(`${cells.join(tool.value("o") ?? "  ")}\n`);
    }
    return 0;
  },
};
