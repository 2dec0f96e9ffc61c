// Text and bytes: everything that flows through pipes, files, terminals and sockets is a Uint8Array of UTF-8.

export type Bytes = Uint8Array;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const noBytes: Bytes = new Uint8Array(0);

/** Lines are short and mostly ASCII; the encoder is called for what is not, which costs several times as much. */
const longestByHand = 128;

export function encodeUtf8(text: string): Bytes {
  const { length } = text;
  if (length > longestByHand) return encoder.encode(text);
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return encoder.encode(text);
    bytes[index] = unit;
  }
  return bytes;
}

/** Of a text, as UTF-8. Nearly all are ASCII, and need not be written out to be measured. */
export function byteLength(content: string | Bytes): number {
  return typeof content !== "string" || /^[\0-\x7f]*$/.test(content) ? content.length : encoder.encode(content).length;
}

/** Decodes whole text; malformed sequences become U+FFFD. For streams cut anywhere use `TextDecoder` with `stream`. */
export function decodeUtf8(bytes: Bytes): string {
  return decoder.decode(bytes);
}

export function concatBytes(parts: readonly Bytes[]): Bytes {
  if (parts.length === 1) return parts[0] as Bytes;
  let length = 0;
  for (const part of parts) length += part.length;
  const result = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}
