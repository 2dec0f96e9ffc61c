// md5sum and its sisters: one command with several hashes.

import { bytesToHex } from "@noble/hashes/utils.js";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { linesOf } from "./lines.ts";
import type { CommandDefinition } from "./tool.ts";

/** A command that prints, or with `-c` checks, one kind of sum. */
export function sumCommand(name: string, hash: (bytes: Bytes) => Bytes): CommandDefinition {
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
