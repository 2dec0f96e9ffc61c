import { expect, it } from "vitest";
import { asciiLowerCase, asciiUpperCase } from "./ascii.ts";

it.each([
  ["Content-TYPE", "content-type", "CONTENT-TYPE"],
  ["Über ΣΑΣ ıİ", "Über ΣΑΣ ıİ", "ÜBER ΣΑΣ ıİ"],
  ["", "", ""],
])("letters of ASCII change their case in %s, and no others", (text, lower, upper) => {
  expect([asciiLowerCase(text), asciiUpperCase(text)]).toEqual([lower, upper]);
});
