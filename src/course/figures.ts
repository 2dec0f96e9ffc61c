// Drawings of lessons: one SVG for four languages, its words filled in.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeHtml } from "./inline-code.ts";

/** @returns the SVG as HTML, with words and text alternative.
 * @throws Error that names the missing file, or the words missing or left over. */
export function readFigure(name: string, labels: Readonly<Record<string, string>>, alt: string, id: string): string {
  const path = `content/figures/${name}.svg`;
  if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name) || !existsSync(join(process.cwd(), path))) throw new Error(`${path} is not there`);
  return fillFigure(readFileSync(join(process.cwd(), path), "utf8"), labels, alt, id, path);
}

export function fillFigure(svg: string, labels: Readonly<Record<string, string>>, alt: string, id: string, path: string): string {
  const used = new Set([...svg.matchAll(/\{\{([\w-]+)\}\}/g)].map((match) => match[1] ?? ""));
  const words: Readonly<Record<string, string>> = { ...labels, alt };
  const missing = [...used].filter((word) => words[word] === undefined);
  const unused = Object.keys(labels).filter((word) => !used.has(word));
  if (missing.length > 0) throw new Error(`${path} needs labels: ${missing.join(", ")}`);
  if (unused.length > 0) throw new Error(`${path} has no place for labels: ${unused.join(", ")}`);
  if (!svg.includes("<title>{{alt}}</title>")) throw new Error(`${path} begins with <title>{{alt}}</title>`);
  if (alt === "") throw new Error(`${path} needs alt="…"`);
  return svg
    .replace(/\{\{([\w-]+)\}\}/g, (_, word: string) => escapeHtml(words[word] ?? ""))
    .replace(/ID-/g, `${id}-`)
    .replace(/<svg\b/, `<svg role="img" aria-labelledby="${id}"`)
    .replace("<title>", `<title id="${id}">`);
}
