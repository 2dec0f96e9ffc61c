// Collects the lines of one description. Levels indent by two spaces; tabs separate a field's name from its value and are
// aligned when the description is finished.

import type { Taint, Toleration } from "#cluster/api/generated/types.ts";
import { formatLabelSet } from "#cluster/api/labels.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { alignTabs } from "./tab-align.ts";

type Texts = { readonly [name: string]: string } | undefined;

const longestAnnotation = 140;
const hiddenAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

export class Description {
  #text = "";

  /** `Name:<tab>value` at a level. */
  field(name: string, value: string | number | boolean, level = 0): void {
    this.line(`${name}:\t${value}`, level);
  }

  line(text: string, level = 0): void {
    this.#text += `${"  ".repeat(level)}${text}\n`;
  }

  /** A name and one value a line, the later ones under the first. At a level kubectl indents each value anew. */
  list(title: string, values: readonly string[], level = 0): void {
    if (values.length === 0) this.line(`${title}:\t<none>`, level);
    const indent = "  ".repeat(level);
    for (const [index, value] of values.entries()) this.line(`${index === 0 ? `${title}:` : ""}\t${indent}${value}`, level);
  }

  labels(title: string, labels: Texts, level = 0): void {
    this.list(
      title,
      sortedEntries(labels).map(([key, value]) => `${key}=${value}`),
      level,
    );
  }

  /** Long values and those of several lines go below their key; what kubectl itself keeps there is not shown. */
  annotations(title: string, annotations: Texts, level = 0): void {
    const shown = sortedEntries(annotations).filter(([key]) => key !== hiddenAnnotation);
    const lines = shown.flatMap(([key, raw]) => {
      const value = raw.replace(/\n$/, "");
      if (value.length + key.length + 2 <= longestAnnotation && !value.includes("\n")) return [`${key}: ${value}`];
      return [`${key}:`, ...value.split("\n").map((part) => `  ${shortened(part, longestAnnotation - 2)}`)];
    });
    this.list(title, lines, level);
  }

  selectorMap(title: string, selector: Texts): void {
    this.field(title, orNone(formatLabelSet(selector)));
  }

  taints(title: string, taints: readonly Taint[] | undefined): void {
    const ordered = [...(taints ?? [])].sort((a, b) => compareTexts(`${a.effect},${a.key}`, `${b.effect},${b.key}`));
    this.list(title, ordered.map(taintText));
  }

  tolerations(title: string, tolerations: readonly Toleration[] | undefined): void {
    const ordered = [...(tolerations ?? [])].sort((a, b) => compareTexts(a.key ?? "", b.key ?? ""));
    this.list(title, ordered.map(tolerationText));
  }

  /** The text with its tabs as they are. */
  unaligned(): string {
    return this.#text;
  }

  finish(): string {
    return alignTabs(this.#text, 2);
  }
}

/** `True`, `False`, or what stands for a field that is not set. */
export function trueOrFalse(value: boolean | undefined, unset: string): string {
  if (value === undefined) return unset;
  return value ? "True" : "False";
}

export function orNone(text: string | undefined): string {
  return text === undefined || text === "" ? "<none>" : text;
}

function sortedEntries(texts: Texts): readonly (readonly [string, string])[] {
  return Object.entries(texts ?? {}).sort(([a], [b]) => compareTexts(a, b));
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}

function taintText(taint: Taint): string {
  const value = taint.value === undefined || taint.value === "" ? "" : `=${taint.value}`;
  return `${taint.key}${value}${taint.effect === "" ? "" : `:${taint.effect}`}`;
}

function tolerationText({ key = "", value = "", effect = "", operator, tolerationSeconds }: Toleration): string {
  let text = key;
  if (value !== "") text += `=${value}`;
  if (effect !== "") text += `:${effect}`;
  if (operator === "Exists" && value === "") text += key === "" && effect === "" ? "op=Exists" : " op=Exists";
  return tolerationSeconds === undefined ? text : `${text} for ${tolerationSeconds}s`;
}
