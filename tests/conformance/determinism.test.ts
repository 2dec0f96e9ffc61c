// Nothing inside the world may wait for real time or for promises, and nothing may hang on the JavaScript engine that runs it: the same
// seed and inputs give the same bytes in every browser.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { engineOffences } from "./engine-offences.ts";

const rooms = ["differences", "sim", "x509", "shell", "cluster", "kubectl", "world", "history", "upstream"];
/** They look at the world from outside: pages, wall clocks, files, real clients. */
const outside = [
  ...[
    "reading",
    "lab",
    "server",
    "terminal",
    "workbench",
    "i18n",
    "course",
    "offline",
    "authoring",
    "classroom",
    "components",
    "layouts",
    "pages",
    "styles",
  ],
  "tools",
];
/** Data that the generator wrote, tests, and what only they use. */
const unread = /\.test\.ts$|\.test-kit\.ts$|-fixture\.ts$|\/generated\/|\/testing\//;

/** What is allowed where, with the reason. */
const exceptions: readonly { readonly path: RegExp; readonly what: RegExp; readonly because: string }[] = [
  { path: /^src\/sim\/errors\.ts$/, what: /^instanceof|^words of/, because: "tells the engine's errors from ours" },
  {
    path: /^src\/sim\/faults\.ts$/,
    what: /^instanceof|^words of/,
    because: "the host's console gets the engine's error, the world does not",
  },
  { path: /^src\/sim\/ascii\.ts$/, what: /Case$/, because: "of ASCII alone, which every engine knows alike" },
  { path: /^src\/sim\/unicode\.ts$/, what: /Case$/, because: "of what its own table of characters knows" },
];

function offencesOf(room: string): string[] {
  const folder = join("src", room);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ts") && !unread.test(path));
  expect(paths.length).toBeGreaterThan(0);
  return paths.flatMap((path) => {
    const allowed = exceptions.filter((exception) => exception.path.test(path));
    return engineOffences(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true))
      .filter(({ what }) => !allowed.some((exception) => exception.what.test(what)))
      .map(({ line, what }) => `${path}:${line} ${what}`);
  });
}

describe("the world is deterministic by construction", () => {
  it("and every room is inside or outside of it", () => {
    const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...rooms, ...outside].sort());
  });

  it.each(rooms)(
    "%s uses no real time, no promise, no foreign randomness, and nothing that engines do each in its own way",
    (room) => {
      expect(offencesOf(room)).toEqual([]);
    },
  );

  it.each([
    ["error.message of what may be the engine's", "if (e instanceof Error) show(e.message);", "instanceof Error"],
    ["a cast to an Error", "show((e as SyntaxError).message);", "as SyntaxError"],
    ["a caught error as text", "try { f(); } catch (e) { show(`${e}`); }", "words of a caught error"],
    ["a caught error as text by String", "try { f(); } catch (e) { show(String(e)); }", "words of a caught error"],
    ["a caught error joined to a text", "try { f(); } catch (e) { show('no: ' + e); }", "words of a caught error"],
    ["where an error was thrown", "show(error.stack);", "stack of an error"],
    ["the order of words by language", "names.sort((a, b) => a.localeCompare(b));", "localeCompare"],
    ["figures by language", "show(count.toLocaleString());", "toLocaleString"],
    ["formats by language", "new Intl.NumberFormat();", "Intl"],
    ["dates", "Date.parse(text);", "Date"],
    ["the engine's Unicode", "/\\p{L}/u.test(text);", "Unicode property of an expression"],
    ["the engine's Unicode in a built expression", "new RegExp('\\\\p{Lu}+', 'u');", "Unicode property of an expression"],
    ["the engine's case folding", "/[é-ü]/i.test(text);", "case folding beyond ASCII"],
    ["the engine's letters", "text.toLowerCase();", "toLowerCase"],
    ["the engine's letters behind a chain", "lists[0]?.text.toUpperCase();", "toUpperCase"],
    ["the engine's normal forms", "text.normalize('NFC');", "normalize"],
    ["last bits of mathematics", "Math.exp(x);", "Math.exp"],
    ["last bits of powers", "10 ** digits;", "a power that may be rounded"],
    ["an order that is none", "names.sort((a, b) => (a < b ? -1 : 1));", "an order without equals"],
    ["what the garbage collector did", "new WeakRef(x);", "WeakRef"],
    ["promises", "Promise.resolve();", "Promise"],
    ["what only Node has", "Buffer.from(text);", "Buffer"],
    ["foreign chance", "Math.random();", "Math.random"],
    ["waiting", "const f = async () => 1;", "async"],
  ])("%s is found", (_about, text, what) => {
    const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
    expect(engineOffences(source)).toEqual([{ line: 1, what }]);
  });

  it.each([
    "class Refusal extends Error {}",
    "try { f(); } catch (e) { if (e instanceof Refusal) show(e.message); else throw e; }",
    "if (isOwnError(e)) show(`${e.message}`);",
    "const pod = { network: sandbox.stack };",
    "Math.max(1, Math.floor(x)) + 2 ** bits + 1000 ** 3 + Number(10n ** digits);",
    "scorer.normalize(scores, nodes);",
    "/^[a-z]+$/i.test(text);",
    "names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));",
    "const f = (fetch: () => void) => shape.fetch;",
  ])("%s is none", (text) => {
    expect(engineOffences(ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true))).toEqual([]);
  });
});
