import { expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";

it("encodes and decodes bytes of every number and value", () => {
  for (const length of [0, 1, 2, 3, 4, 255, 300_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 255);
    const text = Buffer.from(bytes).toString("base64");
    expect(encodeBase64(bytes)).toBe(text);
    expect(decodeBase64(text)).toEqual({ bytes, valid: true });
  }
  expect(encodeBase64("héé")).toBe("aMOpw6k=");
});

it.each([
  ["aGk", "hi", false],
  ["aGk=", "hi", true],
  ["aGkh*xyz", "hi!", false],
  ["aGkhY", "hi!", false],
  ["aGkhY===", "hi!", true],
  ["aG k=", "h", false],
])("decodes %j as far as it is right", (text, decoded, valid) => {
  expect(decodeBase64(text)).toEqual({ bytes: Uint8Array.from(Buffer.from(decoded)), valid });
});
