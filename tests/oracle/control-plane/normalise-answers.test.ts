// What is taken out of answers before they are compared, and what is not.

import { describe, expect, it } from "vitest";
import { normaliseAnswer } from "./normalise-answers.ts";

describe("answers without what chance decides", () => {
  it("takes out what differs from run to run and nothing else", () => {
    const body = {
      uid: "27780b0a-a72c-4e5b-af4c-7895172d2c4e",
      resourceVersion: "7",
      at: "2026-11-28T21:00:41Z",
      name: "web-cd9dd5985-k92bw",
      spec: { replicas: 2 },
    };
    expect(normaliseAnswer({ status: 200, warnings: [], body }).body).toEqual({
      uid: "<UID>",
      resourceVersion: "<VERSION>",
      at: "<TIME>",
      name: "web-<HASH>-<CHANCE>",
      spec: { replicas: 2 },
    });
  });

  it("puts objects within messages in one order", () => {
    const told = (value: string) =>
      normaliseAnswer({ status: 422, warnings: [], body: `spec: Invalid value: ${value}: field is immutable` });
    expect(told('{"b":1,"a":[{"d":1,"c":2}]}')).toEqual(told('{"a":[{"c":2,"d":1}],"b":1}'));
  });

  it("leaves out what the simulator says of itself", () => {
    const warnings = ['299 - "spec.x: accepted, but nothing in this simulated cluster acts on it"', '299 - "spec.y is deprecated"'];
    expect(normaliseAnswer({ status: 201, warnings, body: {} }).warnings).toEqual(['299 - "spec.y is deprecated"']);
  });
});
