// Where a cursor stands in a manifest, read from indentation alone: the text is half written whenever this is asked.

import type { FieldPath, KindName } from "#lab/manifest-help.ts";

export interface ManifestPlace {
  /** Of the document the cursor is in; undefined until both lines are written. */
  readonly of: KindName | undefined;
  /** Of the map that the cursor's line belongs to. */
  readonly path: FieldPath;
  /** What is typed of the line's key or value so far, and where that begins in the text. */
  readonly typed: string;
  readonly from: number;
  /** The key whose value is being typed; undefined while the key itself is. */
  readonly keyOfValue: string | undefined;
}

/** One line as `indent`, the list dashes before its key counted in. */
interface Line {
  readonly indent: number;
  readonly dashes: readonly number[];
  readonly key: string | undefined;
}

export function manifestPlace(text: string, offset: number): ManifestPlace {
  const { lines, first } = documentAt(text, offset);
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const written = /^(\s*(?:- +)*)(?:([^\s:#]+):\s+)?(\S*)$/.exec(before);
  const [, lead = "", key, typed = ""] = written ?? [];
  const above = lines.slice(0, lineOf(text, offset) - first);
  return {
    of: kindOf(lines),
    path: pathOf(above, readLine(`${lead}x:`)),
    typed,
    from: offset - typed.length,
    keyOfValue: key,
  };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/** The lines of the document around an offset, and the number of the first. */
function documentAt(text: string, offset: number): { readonly lines: readonly string[]; readonly first: number } {
  const lines = text.split("\n");
  const at = lineOf(text, offset);
  const isBorder = (line: string): boolean => /^---(\s|$)/.test(line);
  const first = lines.findLastIndex((line, index) => index < at && isBorder(line)) + 1;
  const end = lines.findIndex((line, index) => index > at && isBorder(line));
  return { lines: lines.slice(first, end < 0 ? undefined : end), first };
}

function kindOf(lines: readonly string[]): KindName | undefined {
  const valueIn = (key: string): string | undefined =>
    lines.flatMap((line) => new RegExp(`^${key}:\\s*["']?([\\w./-]+)`).exec(line)?.[1] ?? [])[0];
  const [apiVersion, kind] = [valueIn("apiVersion"), valueIn("kind")];
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind };
}

function readLine(text: string): Line {
  const [, lead = "", key] = /^([\s-]*?)(?:"?([^\s:#"'-][^:#"']*)"?:(?:\s.*)?)?$/.exec(text) ?? [
    /^[\s-]*/.exec(text)?.[0] ?? "",
    "",
  ];
  const dashes = [...lead].flatMap((char, index) => (char === "-" ? [index] : []));
  return { indent: lead.length, dashes, key };
}

/** Upwards from a line: each line that stands further left and holds a key is the next outer field. */
function pathOf(above: readonly string[], line: Line): FieldPath {
  const path: (string | number)[] = [];
  let { indent } = line;
  let dashes = [...line.dashes];
  const closeLists = (downTo: number): void => {
    // Which item of its list it is makes no difference to what fields it has.
    while (dashes.length > 0 && (dashes.at(-1) as number) >= downTo) {
      path.unshift(0);
      indent = dashes.pop() as number;
    }
  };
  for (const text of [...above].reverse()) {
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue;
    const outer = readLine(text);
    if (dashes.length === 0 && outer.indent === indent && outer.dashes.length > 0) dashes = [...outer.dashes];
    closeLists(outer.indent);
    // A list may stand as far left as the key that holds it.
    const holdsList = path[0] === 0 && outer.dashes.length === 0 && outer.indent === indent;
    if (outer.key === undefined || !(outer.indent < indent || holdsList)) continue;
    path.unshift(outer.key);
    indent = outer.indent;
    dashes = [...outer.dashes];
    if (indent === 0) break;
  }
  return path;
}

/** How far a new line behind a text is indented: under its last key's value, or where that line's own fields begin. */
export function manifestIndent(before: string): number {
  const line = before.replace(/\n$/, "").split("\n").at(-1) ?? "";
  const lead = /^\s*(?:- +)*/.exec(line)?.[0].length ?? 0;
  return /:\s*(?:#.*)?$/.test(line) ? lead + 2 : lead;
}
