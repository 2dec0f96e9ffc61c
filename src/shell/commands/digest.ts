// base64, md5sum, sha1sum, sha256sum, sha512sum, od, hexdump, xxd, cksum-less, cmp.

import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { type CommandDefinition, linesOf, ToolFailure, UsageFailure } from "./tool.ts";

export const base64: CommandDefinition = {
  name: "base64",
  options: "d,D,decode w,wrap= i,ignore-garbage",
  usage: "base64 [-d] [-w COL] [FILE]",
  *run(tool) {
    const wrap = tool.value("w");
    if (wrap !== undefined && !/^\d+$/u.test(wrap)) throw new ToolFailure(`invalid wrap size: '${wrap}'`);
    const path = tool.operands[0] ?? "-";
    yield* tool.eachOperand([path], function* () {
      const bytes = yield* tool.readAll(path);
      if (tool.has("d")) {
        const text = decodeUtf8(bytes).replace(/\n/gu, "");
        const { bytes: decoded, valid } = decodeBase64(tool.has("i") ? text.replace(/[^\w+/=]/gu, "") : text);
        yield* tool.print(decoded);
        if (!valid) throw new ToolFailure(tool.gnu ? "invalid input" : "truncated input");
        return;
      }
      const text = encodeBase64(bytes);
      const width = Number(wrap ?? 76);
      if (width === 0) yield* tool.print(text);
      else for (let i = 0; i < text.length; i += width) yield* tool.print(`${text.slice(i, i + width)}\n`);
    });
    return 0;
  },
};

function sumCommand(name: string, hash: (bytes: Bytes) => Bytes): CommandDefinition {
  const digest = (bytes: Bytes): string => bytesToHex(hash(bytes));
  return {
    name,
    options: "c,check b,binary t,text s,status quiet w,warn",
    usage: `${name} [-c[sw]] [FILE]...`,
    *run(tool) {
      let failed = 0;
      yield* tool.eachOperand(tool.operands.length === 0 ? ["-"] : tool.operands, function* (path) {
        const bytes = yield* tool.readAll(path);
        if (!tool.has("c")) {
          yield* tool.print(`${digest(bytes)}  ${path}\n`);
          return;
        }
        for (const line of linesOf(decodeUtf8(bytes))) {
          const match = /^([0-9a-f]+) [ *](.+)$/u.exec(line);
          if (match === null) continue;
          let good = false;
          try {
            good = digest(tool.self.readFile(match[2] as string)) === match[1];
          } catch (error) {
            if (!(error instanceof SysError)) throw error;
            yield* tool.warn(`${match[2]}: ${error.message}`);
          }
          if (!good) failed += 1;
          if (!tool.has("s")) yield* tool.print(`${match[2]}: ${good ? "OK" : "FAILED"}\n`);
        }
      });
      if (failed > 0)
        yield* tool.warn(
          `WARNING: ${failed} ${tool.gnu ? `computed checksum${failed === 1 ? "" : "s"} did NOT match` : `of ${failed} computed checksums did NOT match`}`,
        );
      return 0;
    },
  };
}

export const md5sum = sumCommand("md5sum", md5);
export const sha1sum = sumCommand("sha1sum", sha1);
export const sha256sum = sumCommand("sha256sum", sha256);
export const sha512sum = sumCommand("sha512sum", sha512);

const hex2 = (value: number) => value.toString(16).padStart(2, "0");
const visible = (bytes: Bytes) =>
  [...bytes].map((value) => (value >= 32 && value < 127 ? String.fromCharCode(value) : ".")).join("");

export const hexdump: CommandDefinition = {
  name: "hexdump",
  options: "C n= v s=",
  usage: "hexdump [-bcdoxCv] [FILE]...",
  *run(tool) {
    yield* tool.eachOperand([tool.operands[0] ?? "-"], function* (path) {
      const all = yield* tool.readAll(path);
      const bytes = tool.has("n") ? all.subarray(0, Number(tool.value("n"))) : all;
      for (let i = 0; i < bytes.length; i += 16) {
        const row = bytes.subarray(i, i + 16);
        const offset = i.toString(16).padStart(tool.has("C") ? 8 : 7, "0");
        if (tool.has("C")) {
          const cells = Array.from({ length: 16 }, (_, at) => (at < row.length ? hex2(row[at] as number) : "  "));
          yield* tool.print(`${offset}  ${cells.slice(0, 8).join(" ")}  ${cells.slice(8).join(" ")}  |${visible(row)}|\n`);
        } else {
          let text = offset;
          for (let at = 0; at < row.length; at += 2) text += ` ${hex2(row[at + 1] ?? 0)}${hex2(row[at] as number)}`;
          yield* tool.print(`${text}\n`);
        }
      }
      if (bytes.length > 0) yield* tool.print(`${bytes.length.toString(16).padStart(tool.has("C") ? 8 : 7, "0")}\n`);
    });
    return 0;
  },
};

export const xxd: CommandDefinition = {
  name: "xxd",
  options: "p l= c= r",
  usage: "xxd [-pr] [-l N] [FILE]",
  *run(tool) {
    if (tool.has("r")) throw new ToolFailure("-r: not supported by this xxd");
    yield* tool.eachOperand([tool.operands[0] ?? "-"], function* (path) {
      const all = yield* tool.readAll(path);
      const bytes = tool.has("l") ? all.subarray(0, Number(tool.value("l"))) : all;
      const width = tool.has("p") ? 30 : 16;
      for (let i = 0; i < bytes.length; i += width) {
        const row = bytes.subarray(i, i + width);
        if (tool.has("p")) yield* tool.print(`${[...row].map(hex2).join("")}\n`);
        else {
          let text = "";
          for (let at = 0; at < row.length; at += 2)
            text += ` ${hex2(row[at] as number)}${at + 1 < row.length ? hex2(row[at + 1] as number) : ""}`;
          yield* tool.print(`${i.toString(16).padStart(8, "0")}:${text.padEnd(40)}  ${visible(row)}\n`);
        }
      }
    });
    return 0;
  },
};

export const od: CommandDefinition = {
  name: "od",
  options: "A= t= c x b d o v N= j= w=?",
  usage: "od [-aBbcDdeFfHhIiLlOovXx] [FILE]",
  *run(tool) {
    const bytes = yield* tool.readAll(tool.operands[0] ?? "-");
    const limited = tool.has("N") ? bytes.subarray(0, Number(tool.value("N"))) : bytes;
    const type = tool.value("t") ?? (tool.has("c") ? "c" : tool.has("x") ? "x2" : "o2");
    const base = tool.value("A") ?? "o";
    const offset = (value: number) =>
      base === "n" ? "" : value.toString(base === "x" ? 16 : base === "d" ? 10 : 8).padStart(base === "x" ? 6 : 7, "0");
    const names: { readonly [code: number]: string } = {
      0: "\\0",
      7: "\\a",
      8: "\\b",
      9: "\\t",
      10: "\\n",
      11: "\\v",
      12: "\\f",
      13: "\\r",
    };
    for (let i = 0; i < limited.length; i += 16) {
      const row = limited.subarray(i, i + 16);
      let text = offset(i);
      if (type.startsWith("c"))
        for (const value of row)
          text += (
            names[value] ?? (value >= 32 && value < 127 ? String.fromCharCode(value) : value.toString(8).padStart(3, "0"))
          ).padStart(4);
      else if (/^[xodu]1/u.test(type)) {
        const radix = { x: 16, o: 8, d: 10, u: 10 }[type[0] as "x"] as number;
        const width = { x: 2, o: 3, d: 4, u: 3 }[type[0] as "x"] as number;
        for (const value of row)
          text += ` ${value.toString(radix).padStart(width, type[0] === "x" || type[0] === "o" ? "0" : " ")}`;
      } else if (/^[xo]2?$/u.test(type)) {
        for (let at = 0; at < row.length; at += 2) {
          const value = (row[at] as number) | ((row[at + 1] ?? 0) << 8);
          text += ` ${value.toString(type[0] === "x" ? 16 : 8).padStart(type[0] === "x" ? 4 : 6, "0")}`;
        }
      } else throw new ToolFailure(`invalid type string '${type}'`);
      yield* tool.print(`${text}\n`);
    }
    if (base !== "n") yield* tool.print(`${offset(limited.length)}\n`);
    return 0;
  },
};

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
