// dgst and its short names: sums of files.

import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readArguments } from "./arguments.ts";
import { OpensslFailure } from "./failure.ts";

const sums = { md5, sha1, sha256, sha384, sha512 } as const;
type Sum = keyof typeof sums;

const labels: { readonly [name in Sum]: string } = {
  md5: "MD5",
  sha1: "SHA1",
  sha256: "SHA2-256",
  sha384: "SHA2-384",
  sha512: "SHA2-512",
};
export const sumNames = Object.keys(sums) as readonly Sum[];

/** `name`: the sum that the command itself names, where it is not dgst. */
export function digestCommand(name: Sum | undefined) {
  return function* (self: Process, words: readonly string[]): Sys<number> {
    const args = readArguments(name ?? "dgst", words, `${sumNames.join(" ")} r hex c binary`, "out");
    const sum = name ?? args.given.findLast((option): option is Sum => sumNames.includes(option as Sum)) ?? "sha256";
    let status = 0;
    for (const path of args.operands.length === 0 ? [undefined] : args.operands) {
      try {
        const bytes = path === undefined ? yield* readAll(self) : self.readFile(path);
        yield* tell(self, sums[sum](bytes), { label: labels[sum], path, args });
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        yield* self.write(2, `${path}: ${error.message}\n`);
        status = 1;
      }
    }
    return status;
  };
}

function* tell(
  self: Process,
  digest: Bytes,
  {
    label,
    path,
    args,
  }: { readonly label: string; readonly path: string | undefined; readonly args: ReturnType<typeof readArguments> },
): Sys<void> {
  if (args.value("out") !== undefined) throw new OpensslFailure("dgst: -out is not supported here: redirect the output");
  if (args.has("binary")) yield* self.write(1, digest);
  else if (args.has("r")) yield* self.write(1, `${bytesToHex(digest)} *${path ?? "stdin"}\n`);
  else {
    const text = args.has("c") ? bytesToHex(digest).replace(/(..)(?=.)/gu, "$1:") : bytesToHex(digest);
    yield* self.write(1, `${label}(${path ?? "stdin"})= ${text}\n`);
  }
}

function* readAll(self: Process): Sys<Bytes> {
  const parts: number[] = [];
  for (;;) {
    const bytes = yield* self.read(0);
    if (bytes.length === 0) return Uint8Array.from(parts);
    for (const byte of bytes) parts.push(byte);
  }
}
