import { describe, expect, it } from "vitest";
import { Reading } from "./reading.ts";

function terminal() {
  const facts = { alternate: false, canonical: false };
  const reading = new Reading({ isAlternate: () => facts.alternate, isCanonical: () => facts.canonical });
  return { facts, reading };
}

describe("who reads the keys of a terminal", () => {
  it("is the shell's line at a prompt, also at one inside of `kubectl exec`, where the outer terminal is raw", () => {
    const { reading } = terminal();
    reading.bracketed(true);
    expect([reading.isByLines, reading.atPrompt]).toEqual([true, true]);
  });

  it("is nobody known from Enter on, until the prompt has gone", () => {
    const { reading, facts } = terminal();
    facts.canonical = true;
    reading.bracketed(true);
    reading.sent("vi web.yaml");
    expect(reading.isByLines).toBe(true);
    reading.sent("\r");
    expect([reading.isByLines, reading.atPrompt]).toEqual([false, false]);
    reading.bracketed(false);
    expect([reading.isByLines, reading.atPrompt]).toEqual([true, false]);
  });

  it("is the program that has made the terminal raw, with or without the alternate screen", () => {
    const { reading, facts } = terminal();
    reading.bracketed(true);
    reading.bracketed(false);
    expect(reading.isByLines).toBe(false);
    // An editor asks for bracketed pastes too.
    facts.alternate = true;
    reading.bracketed(true);
    expect([reading.isByLines, reading.atPrompt]).toEqual([false, false]);
  });

  it("is the kernel's line while a program reads by lines: Esc means nothing to it", () => {
    const { reading, facts } = terminal();
    facts.canonical = true;
    expect([reading.isByLines, reading.atPrompt]).toEqual([true, false]);
  });

  it("tells when the prompt comes and goes", () => {
    const { reading } = terminal();
    const told: boolean[] = [];
    reading.onPrompt = (atPrompt) => told.push(atPrompt);
    reading.bracketed(true);
    reading.sent("ls\r");
    reading.bracketed(false);
    reading.bracketed(true);
    expect(told).toEqual([true, false, false, true]);
  });
});
