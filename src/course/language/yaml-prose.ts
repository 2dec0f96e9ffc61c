// The prose of a YAML or JSON file: its string values.

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { inlinePassage, type Passage } from "./passage.ts";

interface YamlTexts {
  /** Decides by the dotted path of a value; all values unless given. */
  readonly wanted?: (path: string) => boolean;
  /** Whether code font can be shown in the value of a path; in all unless given. */
  readonly showsCode?: (path: string) => boolean;
  /** Lines of the file before this source. */
  readonly linesBefore?: number;
}

export function yamlProse(
  source: string,
  { wanted = () => true, showsCode = () => true, linesBefore = 0 }: YamlTexts = {},
): readonly Passage[] {
  const counter = new LineCounter();
  const document = parseDocument(source, { lineCounter: counter });
  const passages: Passage[] = [];
  const walk = (node: Node | null, path: string): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : "";
        if (isMap(value) || isSeq(value) || isScalar(value)) walk(value, path === "" ? name : `${path}.${name}`);
      }
    } else if (isSeq(node)) {
      for (const item of node.items) if (isMap(item) || isSeq(item) || isScalar(item)) walk(item, path);
    } else if (isScalar(node) && typeof node.value === "string" && wanted(path)) {
      const [start = 0, end = start] = node.range ?? [];
      const passage = inlinePassage(node.value.trim(), 1, showsCode(path));
      if (passage === undefined) return;
      const first = counter.linePos(start).line + linesBefore;
      passages.push({ ...passage, lineAt: lineFinder(passage.text, source.slice(start, end), first) });
    }
  };
  walk(document.contents, "");
  return passages;
}

/** Folded texts lose their line breaks when they are read: the line is found again by the words around the place. */
function lineFinder(text: string, raw: string, firstLine: number): (index: number) => number {
  return (index) => {
    for (let length = 12; length >= 2; length -= 2) {
      const at = raw.indexOf(text.slice(Math.max(0, index - 1), index - 1 + length));
      if (at >= 0) return firstLine + raw.slice(0, at + 1).split("\n").length - 1;
    }
    return firstLine;
  };
}
