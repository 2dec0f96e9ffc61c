// Archives as tar writes them (ustar, POSIX.1-1988), uncompressed: what the shell's tar and `kubectl cp` write and read.

import { type Bytes, decodeUtf8, encodeUtf8 } from "./bytes.ts";

export interface TarEntry {
  /** A directory's ends in a slash. */
  readonly name: string;
  readonly type: "file" | "directory" | "symlink" | "hard link";
  readonly permissions: number;
  readonly uid: number;
  readonly gid: number;
  readonly userName: string;
  readonly groupName: string;
  readonly modifiedMs: number;
  /** Where a link leads. */
  readonly target: string;
  readonly content: Bytes;
}

/** What was read is no archive, or what should be written does not fit one. */
export class TarError extends Error {}

const blockBytes = 512;
const nameBytes = 100;
const prefixBytes = 155;
const flags = { file: "0", "hard link": "1", symlink: "2", directory: "5" } as const;
const types = new Map<string, TarEntry["type"]>([
  [flags["hard link"], "hard link"],
  [flags.symlink, "symlink"],
  [flags.directory, "directory"],
]);

/** What stands behind the last entry. */
export const tarEnd: Bytes = new Uint8Array(2 * blockBytes);

/** Header, content and filling. Throws TarError for a name that does not fit. */
export function writeTarEntry(entry: TarEntry): readonly Bytes[] {
  const { content } = entry;
  return [header(entry), content, new Uint8Array((blockBytes - (content.length % blockBytes)) % blockBytes)];
}

function header(entry: TarEntry): Bytes {
  const block = new Uint8Array(blockBytes);
  const put = (offset: number, text: string): void => block.set(encodeUtf8(text), offset);
  const octal = (value: number, width: number): string => value.toString(8).padStart(width - 1, "0");
  const [prefix, name] = splitName(entry.name);
  put(0, name);
  put(345, prefix);
  put(100, octal(entry.permissions, 8));
  put(108, octal(entry.uid, 8));
  put(116, octal(entry.gid, 8));
  put(124, octal(entry.content.length, 12));
  put(136, octal(Math.floor(entry.modifiedMs / 1000), 12));
  put(156, flags[entry.type]);
  put(157, entry.target);
  put(257, "ustar\u000000");
  put(265, entry.userName);
  put(297, entry.groupName);
  // The sum counts its own field as blanks.
  put(148, " ".repeat(8));
  const sum = block.reduce((total, octet) => total + octet, 0);
  put(148, `${octal(sum, 7)}\u0000 `);
  return block;
}

/** Long names are cut at a slash. */
function splitName(name: string): readonly [prefix: string, name: string] {
  if (encodeUtf8(name).length <= nameBytes) return ["", name];
  for (let slash = name.indexOf("/"); slash >= 0; slash = name.indexOf("/", slash + 1)) {
    const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)];
    if (encodeUtf8(prefix).length > prefixBytes) break;
    if (rest !== "" && prefix !== "" && encodeUtf8(rest).length <= nameBytes) return [prefix, rest];
  }
  throw new TarError(`${name}: file name is too long`);
}

type Attributes = ReadonlyMap<string, string>;

const noAttributes: Attributes = new Map();
/** The attribute that one of GNU's headers holds. */
const gnuAttributes = new Map([
  ["L", "path"],
  ["K", "linkpath"],
]);

/** Records of `LENGTH NAME=VALUE\n` (POSIX.1-2001, pax). */
function paxAttributes(content: Bytes): Attributes {
  const attributes = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(decodeUtf8(content.subarray(at, at + 20)), 10);
    if (!(length > 0)) break;
    const [, name = "", value = ""] = /^\d+ ([^=]*)=([\s\S]*)\n$/.exec(decodeUtf8(content.subarray(at, at + length))) ?? [];
    attributes.set(name, value);
    at += length;
  }
  return attributes;
}

/**
 * One entry after the other, to the end or to where an archive was cut. What pax and GNU put before an entry, for names that do not fit
 * and the like, is applied to it. Throws TarError where no header stands.
 */
export function* readTar(archive: Bytes): Generator<TarEntry, void> {
  let ofAll = noAttributes;
  let ofNext = noAttributes;
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const block = archive.subarray(at, at + blockBytes);
    if (block.every((octet) => octet === 0)) return;
    const text = (from: number, length: number): string =>
      decodeUtf8(block.subarray(from, from + length)).replace(/\u0000[\s\S]*$/, "");
    const number = (from: number, length: number): number => Number.parseInt(text(from, length), 8) || 0;
    if (text(257, 5) !== "ustar") throw new TarError("This does not look like a tar archive");
    const flag = text(156, 1);
    const isBefore = flag === "x" || flag === "g" || gnuAttributes.has(flag);
    const attribute = (name: string): string | undefined => (isBefore ? undefined : (ofNext.get(name) ?? ofAll.get(name)));
    const size = Number(attribute("size") ?? number(124, 12));
    at += blockBytes;
    const content = archive.slice(at, at + size);
    at += Math.ceil(size / blockBytes) * blockBytes;
    if (flag === "g") ofAll = new Map([...ofAll, ...paxAttributes(content)]);
    else if (flag === "x") ofNext = paxAttributes(content);
    else if (isBefore) ofNext = new Map([...ofNext, [gnuAttributes.get(flag) ?? "", decodeUtf8(content).replace(/\u0000$/, "")]]);
    if (isBefore) continue;
    // GNU's own format has other things there.
    const prefix = text(257, 6) === "ustar" ? text(345, prefixBytes) : "";
    yield {
      name: attribute("path") ?? (prefix === "" ? "" : `${prefix}/`) + text(0, nameBytes),
      type: types.get(flag) ?? "file",
      permissions: number(100, 8),
      uid: Number(attribute("uid") ?? number(108, 8)),
      gid: Number(attribute("gid") ?? number(116, 8)),
      userName: attribute("uname") ?? text(265, 32),
      groupName: attribute("gname") ?? text(297, 32),
      modifiedMs: Math.floor(Number(attribute("mtime") ?? number(136, 12)) * 1000),
      target: attribute("linkpath") ?? text(157, 100),
      content,
    };
    ofNext = noAttributes;
  }
}
