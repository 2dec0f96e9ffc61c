import { expect, test } from "vitest";
import { framesOf, type Platform, readPlatforms } from "./platforms.ts";

const moodle: Platform = {
  name: "Moodle",
  issuer: "https://moodle.example.org",
  clientId: "a1",
  deployments: ["1"],
  login: "https://moodle.example.org/mod/lti/auth.php",
  token: "https://moodle.example.org/mod/lti/token.php",
  keys: "https://moodle.example.org/mod/lti/certs.php",
};
const read = (value: unknown) => readPlatforms(JSON.stringify(value), "lti.json");

test("platforms are read as the school has written them", () => {
  expect(read([moodle])).toEqual([moodle]);
  expect(framesOf(moodle)).toEqual(["https://moodle.example.org"]);
  expect(framesOf({ ...moodle, frames: ["https://a.example/x", "https://a.example"] })).toEqual(["https://a.example"]);
});

test.each([
  ["a text that is no JSON", "{", /^lti\.json is no JSON: /],
  ["no platform", "[]", /^lti\.json: .*fewer than 1/],
  ["a field that is missing", JSON.stringify([{ ...moodle, keys: undefined }]), /^lti\.json: \/0 .*keys/],
  ["a field that there is not", JSON.stringify([{ ...moodle, secret: "x" }]), /^lti\.json: \/0\/secret is no field of a platform$/],
  [
    "an address without encryption",
    JSON.stringify([{ ...moodle, token: "http://m.example/token" }]),
    /m\.example\/token is no address with https/,
  ],
  ["one platform twice", JSON.stringify([moodle, moodle]), /stands there twice$/],
])("%s is said to be wrong", (_title, text, sentence) => {
  expect(() => readPlatforms(text, "lti.json")).toThrow(sentence);
});
