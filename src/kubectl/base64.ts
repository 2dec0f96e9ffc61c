// Base64, by hand: the world has no platform functions for it.

import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes standard or URL base64; other characters are passed over. */
export function decodeBase64(text: string): Bytes {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text.replaceAll("-", "+").replaceAll("_", "/")) {
    const value = alphabet.indexOf(char);
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return new Uint8Array(bytes);
}

export function encodeBase64(content: string | Bytes): string {
  const bytes = typeof content === "string" ? encodeUtf8(content) : content;
  let result = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3);
    const group = (a << 16) | (b << 8) | c;
    const chars = [18, 12, 6, 0].map((shift) => alphabet[(group >> shift) & 63] as string).join("");
    const left = bytes.length - index;
    result += left >= 3 ? chars : `${chars.slice(0, left + 1)}${"=".repeat(3 - left)}`;
  }
  return result;
}
