import { expect, test } from "vitest";
import { arrivalPath } from "./arrival.ts";

test.each([
  ["in=pods/pod-phases", "pods/pod-phases/"],
  ["in=exam/aB3_-x", "exam/#aB3_-x"],
  ["in=", ""],
])("%s leads to a page of the course", (fragment, path) => {
  expect(arrivalPath(fragment)).toBe(path);
});

test.each(["", "KXFM-2P7H", "in=//evil.example", "in=../x", "in=pods", "in=exam/a/b", "in=exam/<b>", "x in=pods/a"])(
  "%s is no arrival",
  (fragment) => {
    expect(arrivalPath(fragment)).toBeUndefined();
  },
);
