import { expect, it } from "vitest";
import { byteLength, encodeUtf8 } from "./bytes.ts";
import { Random } from "./random.ts";

it("text of any length and kind has the bytes that the platform's encoder makes", () => {
  const random = new Random(1);
  const kinds: readonly (readonly [number, number])[] = [
    [0x80, 0],
    [0x400, 0],
    [0x100, 0xd780],
    [0x80, 0x3040],
  ];
  for (let round = 0; round < 400; round += 1) {
    const length = random.below(300);
    let text = "";
    for (let index = 0; index < length; index += 1) {
      // Mostly ASCII, and halves of surrogate pairs among the rest.
      const [span, first] = kinds[random.below(20)] ?? [0x80, 0];
      text += String.fromCharCode(first + random.below(span));
    }
    const bytes = new TextEncoder().encode(text);
    expect(encodeUtf8(text)).toEqual(bytes);
    expect([byteLength(text), byteLength(bytes)]).toEqual([bytes.length, bytes.length]);
  }
});
