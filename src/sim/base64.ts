// Base64 (RFC 4648, section 4) of bytes of any number: the platform's btoa and atob take texts that stand for bytes.

import { type Bytes, encodeUtf8 } from "./bytes.ts";

/** As many arguments as a call takes anywhere. */
const atOnce = 8192;

/** A text is encoded as its UTF-8. */
export function encodeBase64(content: string | Bytes): string {
  const bytes = typeof content === "string" ? encodeUtf8(content) : content;
  let binary = "";
  for (let start = 0; start < bytes.length; start += atOnce) {
    binary += String.fromCharCode(...bytes.subarray(start, start + atOnce));
  }
  return btoa(binary);
}

/** The bytes before the first wrong character, and whether all of it was right, with its padding. */
export function decodeBase64(text: string): { readonly bytes: Bytes; readonly valid: boolean } {
  const body = (/^[A-Za-z0-9+/]*/.exec(text) as RegExpExecArray)[0];
  // A last character alone stands for less than a byte.
  const binary = atob(body.length % 4 === 1 ? body.slice(0, -1) : body);
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return { bytes, valid: text.length % 4 === 0 && /^=*$/.test(text.slice(body.length)) };
}
