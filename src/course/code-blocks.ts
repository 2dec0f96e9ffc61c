// What follows the language on a code fence: `run`, `output`, `file=web.yaml`, `{2,4-5}` for marked lines.

import type { ShikiTransformer } from "shiki";

export interface BlockMeta {
  readonly run: boolean;
  readonly output: boolean;
  readonly file: string | undefined;
  /** Numbers of marked lines, from 1. */
  readonly marked: ReadonlySet<number>;
}

/** @throws Error for a word that is none of the known marks. */
export function parseBlockMeta(meta: string): BlockMeta {
  let run = false;
  let output = false;
  let file: string | undefined;
  const marked = new Set<number>();
  for (const word of meta.split(/\s+/).filter((part) => part !== "")) {
    if (word === "run") run = true;
    else if (word === "output") output = true;
    else if (word.startsWith("file=")) file = word.slice("file=".length).replace(/^"|"$/g, "");
    else if (/^\{\d+(-\d+)?(,\d+(-\d+)?)*\}$/.test(word)) for (const line of lineNumbers(word)) marked.add(line);
    else throw new Error(`"${word}" after the language of a code block is not known; known: run, output, file=<name>, {<lines>}`);
  }
  if (run && output) throw new Error("a code block is either run or output");
  return { run, output, file, marked };
}

function lineNumbers(word: string): readonly number[] {
  return word
    .slice(1, -1)
    .split(",")
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Whether a line of a program's answer is read as a sentence, such as an error: it may break between words. Tables and what is set in keep their columns. */
export function saysMessage(meta: BlockMeta, language: string, line: string): boolean {
  const answer = meta.output || (language === "text" && meta.file === undefined);
  return answer && /^\S/.test(line) && !/\t|\S {3}/.test(line);
}

/** Writes the marks of the fence onto `<pre>` as data attributes, where the CodeBlock component finds them. */
export function codeBlockMarks(): ShikiTransformer {
  return {
    name: "pilothouse-code-blocks",
    pre(node) {
      const meta = parseBlockMeta(this.options.meta?.__raw ?? "");
      if (meta.run) node.properties["data-run"] = "true";
      if (meta.output) node.properties["data-output"] = "true";
      if (meta.file !== undefined) node.properties["data-file"] = meta.file;
    },
    line(node, line) {
      const meta = parseBlockMeta(this.options.meta?.__raw ?? "");
      if (meta.marked.has(line)) this.addClassToHast(node, "marked");
      else if (saysMessage(meta, this.options.lang, this.source.split("\n")[line - 1] ?? "")) this.addClassToHast(node, "message");
    },
  };
}
