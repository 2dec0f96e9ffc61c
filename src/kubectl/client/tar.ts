// The archives that `kubectl cp` sends and gets: ustar, as much of it as tar in a container writes for files and folders.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";

export interface TarEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link";
  readonly permissions: number;
  readonly content: Bytes;
}

const blockBytes = 512;

function field(text: string, length: number): Bytes {
  const bytes = new Uint8Array(length);
  bytes.set(encodeUtf8(text).subarray(0, length));
  return bytes;
}

function octal(value: number, length: number): Bytes {
  return field(`${value.toString(8).padStart(length - 1, "0")}\u0000`, length);
}

function header(entry: TarEntry, timeMs: number): Bytes {
  const flag = entry.type === "directory" ? "5" : "0";
  const parts = [
    field(entry.name, 100),
    octal(entry.permissions, 8),
    octal(0, 8),
    octal(0, 8),
    octal(entry.content.length, 12),
    octal(Math.floor(timeMs / 1000), 12),
    field(" ".repeat(8), 8),
    field(flag, 1),
    new Uint8Array(100),
    field("ustar\u000000", 8),
  ];
  const block = new Uint8Array(blockBytes);
  block.set(concatBytes(parts));
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(field(`${sum.toString(8).padStart(6, "0")}\u0000 `, 8), 148);
  return block;
}

export function writeTar(entries: readonly TarEntry[], timeMs: number): Bytes {
  const parts = entries.flatMap((entry) => {
    const padding = (blockBytes - (entry.content.length % blockBytes)) % blockBytes;
    return [header(entry, timeMs), entry.content, new Uint8Array(padding)];
  });
  return concatBytes([...parts, new Uint8Array(2 * blockBytes)]);
}

function textOf(bytes: Bytes): string {
  return decodeUtf8(bytes).replace(/\u0000[\s\S]*$/, "");
}

/** The entries of an archive; a cut one gives those that are whole. */
export function readTar(archive: Bytes): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const head = archive.subarray(at, at + blockBytes);
    if (head.every((byte) => byte === 0)) break;
    const size = Number.parseInt(textOf(head.subarray(124, 136)).trim() || "0", 8);
    const flag = textOf(head.subarray(156, 157));
    const prefix = textOf(head.subarray(345, 500));
    const name = textOf(head.subarray(0, 100));
    at += blockBytes;
    entries.push({
      name: prefix === "" ? name : `${prefix}/${name}`,
      type: flag === "5" ? "directory" : flag === "1" || flag === "2" ? "link" : "file",
      permissions: Number.parseInt(textOf(head.subarray(100, 108)).trim() || "644", 8) & 0o777,
      content: archive.slice(at, at + size),
    });
    at += Math.ceil(size / blockBytes) * blockBytes;
  }
  return entries;
}
