import { describe, expect, it } from "vitest";
import { isEngineError, SysError, wordsOf } from "./errors.ts";

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const deep = (): number => deep() + 1;

describe("words of what is thrown", () => {
  it.each([
    ["JSON", () => JSON.parse("{")],
    ["an expression", () => new RegExp("(".slice())],
    ["a number", () => BigInt("x")],
    ["an address", () => decodeURIComponent("%")],
    ["base64", () => atob("*")],
    ["a list", () => new Array(-1)],
    ["a stack", deep],
    ["a mistake", () => (undefined as unknown as { readonly a: { readonly b: string } }).a.b],
  ])("are never the engine's: %s", (_, run) => {
    const thrown = thrownBy(run);
    expect(isEngineError(thrown)).toBe(true);
    expect(wordsOf(thrown)).toBe("internal error of the simulator");
  });

  it("are ours where we threw it", () => {
    class Refusal extends Error {}
    for (const thrown of [new SysError("ENOENT"), new Refusal("No such file or directory"), new Error("No such file or directory")])
      expect([isEngineError(thrown), wordsOf(thrown)]).toEqual([false, "No such file or directory"]);
    expect(wordsOf("a text")).toBe("a text");
  });
});
