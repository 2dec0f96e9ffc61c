// Reads YAML as kubectl and the API server do (sigs.k8s.io/yaml over go-yaml v2): to a JSON value, with their refusals.

import { Late } from "#sim/late.ts";
import type { JsonValue } from "./wire.ts";
import { readBlockYaml } from "./yaml-block.ts";

/** A text that is no YAML; the message is go-yaml's: `yaml: line 3: mapping values are not allowed in this context`. */
export class YamlSyntaxError extends Error {}

export interface ParsedYaml {
  readonly value: JsonValue;
  /** As a strict decoder reports them: `line 4: key "replicas" already set in map`. The last one counts. */
  readonly duplicates: readonly string[];
}

/** Reads what `readBlockYaml` leaves. Only what clients' programs send needs it, so it comes with those (`yaml-document.ts`). */
export const lateYaml = new Late<(text: string) => ParsedYaml>("the reader of all of YAML");

/** The documents of a text, split as apimachinery's decoder splits: at lines that begin with `---`. */
export function splitYamlDocuments(text: string): readonly string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("---")) {
      const rest = line.slice(3).trim();
      documents.push(lines.join("\n"));
      lines = rest === "" || rest.startsWith("#") ? [] : [line.slice(3)];
    } else lines.push(line);
  }
  return [...documents, lines.join("\n")].filter((document) => !/^(?:\s*(?:#[^\n]*)?(?:\n|$))*$/.test(document));
}

/** One document. Throws YamlSyntaxError. */
export function parseYaml(text: string): ParsedYaml {
  const value = readBlockYaml(text);
  return value === undefined ? lateYaml.code(text) : { value, duplicates: noDuplicates };
}

const noDuplicates: readonly string[] = [];
