// From a client's text to an object of the kind: JSON or YAML, the kind's schema, and what to do about fields nobody knows.

import { type ApiError, badRequest } from "#cluster/api/errors.ts";
import { JsonSyntaxError, keyPathsOf, parseJson } from "#cluster/api/json-text.ts";
import { compareBytes, jsonText } from "#cluster/api/json-write.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { decodeTyped, type FieldValidation, jsonType } from "./decoding.ts";

/** A document as parsed, with the strict errors found so far. */
export interface ParsedDocument {
  readonly value: JsonValue;
  /** Of JSON: what it was read from. */
  readonly text?: string;
  /** `duplicate field "spec.replicas"` */
  readonly strictErrors: readonly string[];
}

/** With `wide` numbers of more than 64 bits are exact, for a type to refuse. Throws 400 for a text that is no document of the media type. */
export function parseDocument(text: string, kind: string, mediaType: string, wide = false): ParsedDocument {
  if (mediaType === "application/yaml") return parseYamlDocument(text, kind);
  try {
    const { value, duplicates } = parseJson(text, wide);
    return { value, text, strictErrors: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${error.message} (${summary(text)})`,
    );
  }
}

function parseYamlDocument(text: string, kind: string): ParsedDocument {
  try {
    const { value, duplicates } = parseYaml(text);
    const faults = duplicates.map((fault) => `\n  ${fault}`).join("");
    return { value, strictErrors: faults === "" ? [] : [`yaml: unmarshal errors:${faults}`] };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${error.message} (${summary(text)})`);
  }
}

/** Decodes the body of a create or update of `definition`'s kind. Throws 400 as upstream words it. */
export function decodeBody(
  definition: ResourceDefinition,
  document: ParsedDocument,
  validation: FieldValidation,
  warnings: string[],
): KubeObject {
  const { value } = document;
  if (!isObject(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${definition.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (${summary(jsonText(value))})`,
    );
  }
  const expected = groupVersionOf(definition);
  const apiVersion = textOf(value["apiVersion"]) || expected;
  const kind = textOf(value["kind"]) || definition.kind;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const cannot = (cause: string): ApiError =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${definition.kind}: ${cause}`);
  if (kind !== definition.kind) {
    throw cannot(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  if (apiVersion !== expected) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`);
  }
  const decoded = decodeTyped(definition, value, cannot);
  const strictErrors =
    definition.schemaType === undefined
      ? [...document.strictErrors, ...decoded.strictErrors]
      : inTextOrder(document, decoded.strictErrors);
  if (strictErrors.length > 0) {
    if (validation === "Strict") throw cannot(`strict decoding error: ${strictErrors.join(", ")}`);
    if (validation === "Warn") warnings.push(...strictErrors);
  }
  return { ...decoded.object, apiVersion: expected, kind: definition.kind };
}

/**
 * What a typed decoder says, in the order of the text; what repeats a field nobody knows, or stands in one, it does not notice. YAML
 * becomes JSON with sorted keys first.
 */
function inTextOrder({ text, strictErrors }: ParsedDocument, unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return strictErrors;
  if (text === undefined) return [...strictErrors, ...[...unknown].sort(compareBytes)];
  if (strictErrors.length === 0) return unknown;
  const open = new Set([...strictErrors, ...unknown]);
  const found: string[] = [];
  const paths = unknown.map((fault) => JSON.parse(fault.slice("unknown field ".length)) as string);
  const met = new Set<string>();
  for (const path of keyPathsOf(text)) {
    const fault = `${met.has(path) ? "duplicate" : "unknown"} field ${JSON.stringify(path)}`;
    met.add(path);
    const isWithin = (outer: string): boolean => path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
    if (!open.delete(fault) || (fault.startsWith("duplicate") && paths.some(isWithin))) continue;
    found.push(fault);
  }
  return found;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The first bytes of a body that was no use, in hexadecimal unless it looks like JSON. */
export function summary(text: string): string {
  if (text === "") return "<empty>";
  const shown = text.startsWith("{")
    ? text.slice(0, 30)
    : [...text.slice(0, 30)].map((character) => (character.codePointAt(0) as number).toString(16).padStart(2, "0")).join("");
  return text.length > 30 ? `${shown} ...` : shown;
}
