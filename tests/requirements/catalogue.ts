// The catalogue of required behaviours beside this file, and where the repository names their codes.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

/** An area of the catalogue: one Markdown file, whose codes share a prefix. */
export interface Area {
  /** What its codes begin with, such as `POD`. */
  readonly prefix: string;
  /** Path from the repository's root. */
  readonly file: string;
  readonly behaviours: readonly Behaviour[];
}

export interface Behaviour {
  /** Such as `POD-123`. */
  readonly code: string;
  /** The heading that it stands under. */
  readonly subject: string;
  /** What a cluster or a tool does, as one line of Markdown. */
  readonly text: string;
  /** In its area's file, from 1. */
  readonly line: number;
}

/** A code that a file outside the catalogue names. */
export interface Mention {
  readonly code: string;
  /** `src/….test.ts:12`, from the repository's root. */
  readonly place: string;
}

const root = join(import.meta.dirname, "..", "..");
const behaviourLine = /^- \*\*((?<prefix>[A-Z]{3})-\d{3})\*\* (?<text>\S.*)$/;
const skipped = new Set(["node_modules", "dist", "generated", "scratch"]);

/** The areas, by prefix. Throws for a line that is neither a heading, nor empty, nor a behaviour of the file's area. */
export function readCatalogue(): readonly Area[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".md") && name !== "README.md");
  const areas = names.map((name) => parseArea(`tests/requirements/${name}`, readFileSync(join(import.meta.dirname, name), "utf8")));
  return areas.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
}

/** One file of the catalogue; `file` only names it in complaints. */
export function parseArea(file: string, source: string): Area {
  const behaviours: Behaviour[] = [];
  let prefix: string | undefined;
  let subject = "";
  for (const [index, text] of source.split("\n").entries()) {
    if (text.startsWith("## ")) subject = text.slice(3);
    if (text === "" || /^##? \S/.test(text)) continue;
    const match = behaviourLine.exec(text);
    if (match?.groups === undefined) throw new Error(`${file}:${index + 1}: not "- **POD-123** text" in one line: ${text}`);
    prefix ??= match.groups["prefix"]!;
    if (match.groups["prefix"] !== prefix) throw new Error(`${file}:${index + 1}: ${match[1]} is not of the area ${prefix}`);
    behaviours.push({ code: match[1]!, subject, text: match.groups["text"]!, line: index + 1 });
  }
  if (prefix === undefined) throw new Error(`${file}: no behaviour`);
  return { prefix, file, behaviours };
}

/** Codes that stand twice in an area, and numbers left out or out of order, as complaints. */
export function misnumbered({ prefix, file, behaviours }: Area): readonly string[] {
  return behaviours.flatMap(({ code, line }, index) => {
    const expected = `${prefix}-${String(index + 1).padStart(3, "0")}`;
    return code === expected ? [] : [`${file}:${line}: ${code} where ${expected} is due`];
  });
}

/** The codes in brackets in files of tests: `it("[POD-123] …")`, or a case's name in a table. */
export function mentionsInTests(): readonly Mention[] {
  return mentions(["src", "tests", "labs", "content"], isTest, /\[([A-Z]{3}-\d+)\]/g);
}

/** The codes of these areas, with brackets or without, in READMEs, comments and whatever else is text. */
export function mentionsAnywhere(prefixes: readonly string[]): readonly Mention[] {
  const code = new RegExp(`\\b((?:${prefixes.join("|")})-\\d+)\\b`, "g");
  const isText = (path: string) => /\.(md|ts|tsx|mjs|txt|yaml)$/.test(path) && !path.startsWith("tests/requirements/");
  return mentions(["src", "tests", "labs", "content"], isText, code);
}

/** Brackets in tests that were meant to hold a code, and do not as they should: `[POD 123]`, `[pod-123]`, `[POD-123, POD-124]`. */
export function misspelled(prefixes: readonly string[]): readonly Mention[] {
  const meant = new RegExp(`\\[((?:${prefixes.join("|")})[- ]\\d[^\\]\n]*)\\]`, "gi");
  const right = new RegExp(`^(${prefixes.join("|")})-\\d{3}$`);
  return mentions(["src", "tests", "labs", "content"], isTest, meant).filter(({ code }) => !right.test(code));
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\.spec\.ts$/.test(path) && !path.startsWith("tests/requirements/");
}

function mentions(folders: readonly string[], takes: (path: string) => boolean, pattern: RegExp): readonly Mention[] {
  const inFolders = folders.flatMap((folder) => filesBelow(join(root, folder)));
  const atRoot = readdirSync(root)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, name));
  return [...atRoot, ...inFolders]
    .filter((path) => takes(relative(root, path)))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(pattern)].map((match) => ({ code: match[1]!, place: `${relative(root, path)}:${index + 1}` })),
        ),
    );
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split("/")
          .some((part) => skipped.has(part)),
    )
    .filter((path) => !basename(path).startsWith("."));
}
