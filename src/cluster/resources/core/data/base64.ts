// Base64 of a text's UTF-8 bytes.

import { encodeUtf8 } from "#sim/bytes.ts";

export function base64OfText(text: string): string {
  let binary = "";
  for (const byte of encodeUtf8(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
