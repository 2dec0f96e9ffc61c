// dgst and the commands named after a digest: sums of files, as OpenSSL 3.0 prints them. No signatures, no keys.

import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Process, Sys } from "#sim/program.ts";
import { readArguments } from "./arguments.ts";
import { queued } from "./failure.ts";
import { readBytes } from "./files.ts";

/** By what the command line calls them; the first word is what is printed. */
export const digestCommands = {
  md5: { title: "MD5", sum: md5 },
  sha1: { title: "SHA1", sum: sha1 },
  sha256: { title: "SHA256", sum: sha256 },
  sha384: { title: "SHA384", sum: sha384 },
  sha512: { title: "SHA512", sum: sha512 },
} as const;

type DigestName = keyof typeof digestCommands;

/** `command`: `dgst`, whose digest is an option, or the digest's own. */
export function digestCommand(command: "dgst" | DigestName) {
  return function* (self: Process, words: readonly string[]): Sys<number> {
    const args = readArguments(command, words, `hex c r binary ${Object.keys(digestCommands).join(" ")}`, "");
    const named = args.given.findLast((option): option is DigestName => Object.hasOwn(digestCommands, option));
    const { title, sum } = digestCommands[named ?? (command === "dgst" ? "sha256" : command)];
    let status = 0;
    for (const path of args.operands.length === 0 ? [undefined] : args.operands) {
      const bytes = yield* readBytes(self, path);
      if (bytes === undefined) {
        yield* self.write(2, missing(path ?? ""));
        status = 1;
        continue;
      }
      const digest = sum(bytes);
      if (args.has("binary")) {
        yield* self.write(1, digest);
        continue;
      }
      const digits = bytesToHex(digest);
      const shown = args.has("c") ? digits.replace(/..(?=.)/g, "$&:") : digits;
      yield* self.write(1, args.has("r") ? `${digits} *${shownName(path)}\n` : `${title}(${shownName(path)})= ${shown}\n`);
    }
    return status;
  };
}

function shownName(path: string | undefined): string {
  return path === undefined || path === "-" ? "stdin" : path;
}

function missing(path: string): string {
  return [
    `${path}: No such file or directory`,
    queued(`80000002:system library:file_ctrl:No such file or directory:../crypto/bio/bss_file.c:297:calling fopen(${path}, r)`),
    queued("10080002:BIO routines:file_ctrl:system lib:../crypto/bio/bss_file.c:300:"),
    "",
  ].join("\n");
}
