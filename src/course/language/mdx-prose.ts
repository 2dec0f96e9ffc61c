// The prose of a lesson: its head's texts, its paragraphs without fences and tags, and the texts in components' attributes.

import { addInline, boundaryMark, inlinePassage, type Passage, PassageBuilder } from "./passage.ts";
import { yamlProse } from "./yaml-prose.ts";

/** Attributes that readers see; others hold names. */
const proseAttributes = new Set(["question", "means", "why", "alt", "caption", "labels"]);

/** Those that become words of a drawing. */
const drawnAttributes = new Set(["alt", "labels"]);

interface Line {
  readonly text: string;
  readonly number: number;
}

export function mdxProse(source: string): readonly Passage[] {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(source);
  const headLines = head === null ? 0 : head[0].split("\n").length - 1;
  const titles = head === null ? [] : yamlProse(head[1] ?? "", { wanted: isTitle, showsCode: () => false, linesBefore: 1 });
  const { body, attributes } = withoutTags(source.slice(head?.[0].length ?? 0), headLines + 1);
  return [...titles, ...attributes, ...paragraphs(withoutFences(body))];
}

function isTitle(path: string): boolean {
  return path === "title" || path === "summary";
}

/** Lines outside fences; a fence leaves an empty line. */
function withoutFences(lines: readonly Line[]): readonly Line[] {
  let inside = false;
  return lines.map((line) => {
    const isFence = line.text.startsWith("```");
    const hidden = inside || isFence;
    if (isFence) inside = !inside;
    return hidden ? { ...line, text: "" } : line;
  });
}

/** Paragraphs, list items, headings and rows of tables, each as one passage. */
function paragraphs(lines: readonly Line[]): readonly Passage[] {
  const passages: Passage[] = [];
  const builder = new PassageBuilder();
  let pending: Line[] = [];
  const close = (): void => {
    const first = pending[0];
    if (first !== undefined) addInline(builder, pending.map(({ text }) => text).join("\n"), first.number);
    pending = [];
    const passage = builder.take();
    if (passage !== undefined) passages.push(passage);
  };
  for (const line of lines) {
    const isOwn = line.text.trim() === "" || /^\s*([-*+] |\d+\. |#{1,6} |\||>)/.test(line.text);
    if (isOwn) close();
    const text = line.text.replace(/^\s*([-*+] |\d+\. |#{1,6} |> ?)/, "").replace(/\s*\|\s*/g, boundaryMark);
    if (text.trim() !== "") pending.push({ ...line, text: text.trim() });
    if (text.endsWith(boundaryMark)) close();
  }
  close();
  return passages;
}

/** The source without component tags, line by line, and the texts of their attributes. Fences and code spans are left alone. */
function withoutTags(
  source: string,
  firstLine: number,
): { readonly body: readonly Line[]; readonly attributes: readonly Passage[] } {
  const attributes: Passage[] = [];
  let body = "";
  let from = 0;
  const skipped = /```[\s\S]*?\n```|(`+)[^`][\s\S]*?\1|<\/?[A-Z]\w*/g;
  for (let match = skipped.exec(source); match !== null; match = skipped.exec(source)) {
    if (!match[0].startsWith("<")) continue;
    const end = endOfTag(source, match.index);
    const tag = source.slice(match.index, end);
    attributes.push(...attributeTexts(tag, firstLine + lineBreaks(source.slice(0, match.index))));
    body += source.slice(from, match.index) + "\n".repeat(lineBreaks(tag));
    if (isBlockEnd(match[0])) body += boundaryMark;
    from = end;
    skipped.lastIndex = end;
  }
  body += source.slice(from);
  return { body: body.split("\n").map((text, index) => ({ text, number: firstLine + index })), attributes };
}

/** Two answers in one paragraph are two texts; a word of the glossary is part of its sentence. */
function isBlockEnd(tag: string): boolean {
  return tag.startsWith("</") && tag !== "</Term";
}

function endOfTag(source: string, start: number): number {
  let quote = "";
  let depth = 0;
  for (let index = start; index < source.length; index += 1) {
    const unit = source.charAt(index);
    if (quote !== "") quote = unit === quote ? "" : quote;
    else if (unit === '"') quote = unit;
    else if (unit === "{") depth += 1;
    else if (unit === "}") depth -= 1;
    else if (unit === ">" && depth === 0) return index + 1;
  }
  return source.length;
}

function attributeTexts(tag: string, firstLine: number): readonly Passage[] {
  const found: Passage[] = [];
  for (const match of tag.matchAll(/\b(\w+)=("[^"]*"|\{\{[\s\S]*?\}\})/g)) {
    const name = match[1] ?? "";
    if (!proseAttributes.has(name)) continue;
    const value = match[2] ?? "";
    const texts = value.startsWith("{") ? [...value.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? "") : [value.slice(1, -1)];
    const line = firstLine + lineBreaks(tag.slice(0, match.index));
    for (const text of texts) {
      const passage = inlinePassage(text, line, !drawnAttributes.has(name));
      if (passage !== undefined) found.push(passage);
    }
  }
  return found;
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}
