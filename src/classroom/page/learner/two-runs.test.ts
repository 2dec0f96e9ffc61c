import { expect, it } from "vitest";
import { hasMore, inCommon } from "./two-runs.ts";

const typed = (text: string) => ({ timeMs: 1, input: { kind: "terminal-input", terminal: "1", text } });
const opened = { timeMs: 1, input: { kind: "terminal-open", terminal: "2" } };
const run = (...entries: readonly { readonly input: { readonly kind: string } }[]) => ({ seed: 7, startMs: 1, entries });

it("counts the entries that two runs have begun with alike", () => {
  expect(inCommon([typed("a"), typed("b")], [typed("a"), typed("c"), typed("b")])).toBe(1);
});

it.each([
  ["goes on", run(typed("a"), typed("b")), run(typed("a")), true],
  ["is how the other began", run(typed("a")), run(typed("a"), typed("b")), false],
  ["went another way", run(typed("a"), typed("x")), run(typed("a"), typed("b"), typed("c")), true],
  ["only opened a terminal", run(typed("a"), opened), run(typed("a"), typed("b")), false],
  ["saved a file", run({ input: { kind: "file-write" } }), run(), true],
  ["is another one", { ...run(typed("a")), seed: 8 }, run(typed("a")), true],
  ["is another one, and untouched", { ...run(opened), startMs: 2 }, run(typed("a")), false],
])("a run that %s", (_title, one, other, has) => {
  expect(hasMore(one, other)).toBe(has);
});
