// Bytes that are no UTF-8, in texts: each is a lone low surrogate, U+DC80 to U+DCFF, as Python does it (PEP 383).

import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";

/** A byte that an escape names. */
export function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

const runsOfBytes = /[\udc80-\udcff]+/gu;
const anyByte = /[\udc80-\udcff]/u;

/** Bytes that stand side by side and are UTF-8 together become their characters. */
export function joinedBytes(text: string): string {
  return text.replace(runsOfBytes, (run) => {
    const bytes = bytesIn(run);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return run;
    }
  });
}

/** What is to be written of a text: itself, unless there are bytes in it. */
export function withBytes(text: string): string | Bytes {
  if (!anyByte.test(text)) return text;
  const parts: Bytes[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(runsOfBytes)) {
    parts.push(encodeUtf8(text.slice(end, index)), bytesIn(run));
    end = index + run.length;
  }
  parts.push(encodeUtf8(text.slice(end)));
  return concatBytes(parts);
}

function bytesIn(run: string): Bytes {
  return Uint8Array.from(run, (one) => one.charCodeAt(0) - 0xdc00);
}
