// Objects in files, directories and standard input.

import { sortedKeys } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { fieldValidationOf } from "../commands/write-options.ts";
import type { Context } from "../context.ts";
import { arrayAt, DocumentError, isObject, type JsonObject, readDocuments, textAt, writeJson } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { buildKustomization } from "../kustomize/build.ts";

export interface Manifest {
  readonly object: JsonObject;
  /** File name, or STDIN. */
  readonly source: string;
}

export interface Manifests {
  /** In order; an Error stands where a document could not be used. */
  readonly documents: readonly (Manifest | KubectlError)[];
  /** One file was named: output need not be a list. */
  readonly singleFile: boolean;
}

const extensions = [".json", ".yaml", ".yml"];

/** As Go joins and cleans paths: `.` and `a` make `a`. */
function join(directory: string, name: string): string {
  const clean = directory.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  if (directory === "/") return `/${name}`;
  return clean === "" || clean === "." ? name : `${clean}/${name}`;
}

/** Files below a directory in the order of a walk; subdirectories only when asked. */
function filesIn(context: Context, directory: string, recursive: boolean): readonly string[] {
  const files: string[] = [];
  for (const name of context.self.readdir(directory)) {
    const path = join(directory, name);
    if (context.self.stat(path).type === "directory") {
      if (recursive) files.push(...filesIn(context, path, recursive));
    } else if (extensions.some((extension) => name.endsWith(extension))) files.push(path);
  }
  return files;
}

/** Files that a pattern such as `conf/*.yaml` means; undefined for a plain path. */
function matching(context: Context, pattern: string): readonly string[] | undefined {
  if (!/[*?[]/.test(pattern)) return undefined;
  let found: readonly string[] = [pattern.startsWith("/") ? "/" : "."];
  for (const part of pattern.split("/").filter((text) => text !== "")) {
    const escaped = part.replace(/[.+^${}()|\\]/g, "\\$&");
    const wanted = new RegExp(`^${escaped.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}$`);
    found = found.flatMap((folder) => {
      if (context.self.stat(folder).type !== "directory") return [];
      return context.self
        .readdir(folder)
        .filter((name) => wanted.test(name))
        .map((name) => join(folder, name));
    });
  }
  return found;
}

function expand(context: Context, path: string, recursive: boolean): readonly string[] {
  const matches = matching(context, path) ?? [];
  if (matches.length > 0) return matches;
  try {
    if (context.self.stat(path).type !== "directory") return [path];
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code === "ENOENT") throw new KubectlError(`the path ${JSON.stringify(path)} does not exist`);
    throw new KubectlError(`the path ${JSON.stringify(path)} cannot be accessed: stat ${path}: ${asciiLowerCase(error.message)}`);
  }
  return filesIn(context, path, recursive);
}

/** What kubectl finds wrong before it asks the server, in commands with --validate. */
function schemaProblem(document: JsonValue): string | undefined {
  if (!isObject(document)) return "invalid object to validate";
  const missing = ["apiVersion", "kind"].filter((field) => textAt(document, field) === "").map((field) => `${field} not set`);
  if (missing.length === 0) return undefined;
  return missing.length === 1 ? missing[0] : `[${missing.join(", ")}]`;
}

/** JSON that ends too early is worded by the reader of JSON, other mistakes by that of YAML. */
function isCutJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  const depth = text.replace(/"(?:[^"\\]|\\.)*"/g, "").replace(/[^{}[\]]/g, "");
  return (depth.match(/[{[]/g) ?? []).length > (depth.match(/[}\]]/g) ?? []).length;
}

/** Objects of a text; items of lists one by one. */
function objectsOf(text: string, source: string, validate: boolean): readonly (Manifest | KubectlError)[] {
  let documents: readonly JsonValue[];
  try {
    documents = readDocuments(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const problem = isCutJson(text) ? "unexpected EOF" : `error converting YAML to JSON: ${error.message}`;
    return [new KubectlError(`error parsing ${source}: ${problem}`)];
  }
  return documents.flatMap((document): readonly (Manifest | KubectlError)[] => {
    const problem = validate ? schemaProblem(document) : undefined;
    if (problem !== undefined) {
      return [
        new KubectlError(
          `error validating ${JSON.stringify(source)}: error validating data: ${problem}; if you choose to ignore these errors, turn validation off with --validate=false`,
        ),
      ];
    }
    if (!isObject(document)) {
      return [
        new KubectlError(
          `unable to decode ${JSON.stringify(source)}: json: cannot unmarshal ${goKind(document)} into Go value of type struct`,
        ),
      ];
    }
    const missing = ["kind", "apiVersion"].find((field) => textAt(document, field) === "");
    if (missing !== undefined) {
      const what = missing === "kind" ? "Object 'Kind' is missing" : "Object 'apiVersion' is missing";
      return [new KubectlError(`unable to decode ${JSON.stringify(source)}: ${what} in '${writeJson(document)}'`)];
    }
    const misfit = metadataMisfit(document, /^\s*\{/.test(text) ? Object.keys : sortedKeys);
    if (misfit !== undefined) return [new KubectlError(`unable to decode ${JSON.stringify(source)}: ${misfit}`)];
    if (textAt(document, "kind").endsWith("List") && Array.isArray(document["items"])) {
      return arrayAt(document, "items")
        .filter(isObject)
        .map((object) => ({ object, source }));
    }
    return [{ object: document, source }];
  });
}

const metadataTexts = ["generateName", "name", "namespace", "resourceVersion", "uid"];
const metadataMaps = ["annotations", "labels"];

/** Metadata is read by itself before anything is sent: its first value of another type (YAML is sorted before), as Go's reader of JSON words it. */
function metadataMisfit(document: JsonObject, keysOf: (object: JsonObject) => readonly string[]): string | undefined {
  const metadata = document["metadata"];
  if (!isObject(metadata)) return undefined;
  const word = (value: JsonValue, field: string, type: string): string =>
    `json: cannot unmarshal ${goKind(value)} into Go struct field ObjectMeta.metadata.${field} of type ${type}`;
  for (const field of keysOf(metadata)) {
    const value = metadata[field] ?? null;
    if (metadataTexts.includes(field) && value !== null && typeof value !== "string") return word(value, field, "string");
    if (!metadataMaps.includes(field) || value === null) continue;
    if (!isObject(value)) return word(value, field, "map[string]string");
    const wrong = keysOf(value)
      .map((key) => value[key] ?? null)
      .find((text) => text !== null && typeof text !== "string");
    if (wrong !== undefined && wrong !== null) return word(wrong, field, "string");
  }
  return undefined;
}

function goKind(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "number" || typeof value === "bigint") return "number";
  if (isObject(value)) return "object";
  return Array.isArray(value) ? "array" : "bool";
}

/** Reads all of `-f`. Throws what is wrong with the paths; what is wrong with a document stands in the list. */
export function* readManifests(context: Context, paths: readonly string[], recursive: boolean): Sys<Manifests> {
  const problems: Error[] = [];
  // edit validates what was edited, not what it reads.
  const validates = context.flags.has("validate") && context.command.path !== "edit";
  const validate = validates && fieldValidationOf(context) !== "Ignore";
  const sources: string[] = [];
  for (const path of paths) {
    if (path === "-") sources.push("-");
    else if (/^https?:\/\//.test(path)) {
      problems.push(
        new KubectlError(
          `unable to read URL ${JSON.stringify(path)}, reading manifests from URLs is not part of this release of the embedded kubectl`,
        ),
      );
    } else {
      try {
        sources.push(...expand(context, path, recursive));
      } catch (error) {
        if (!(error instanceof KubectlError)) throw error;
        problems.push(error);
      }
    }
  }
  throwAll(problems);
  if (sources.length === 0) {
    throw new KubectlError(`error reading [${paths.join(" ")}]: recognized file extensions are [${extensions.join(" ")}]`);
  }
  const documents: (Manifest | KubectlError)[] = [];
  for (const source of sources) {
    if (source === "-") {
      documents.push(...objectsOf(yield* context.readStdin(), "STDIN", validate));
      continue;
    }
    try {
      documents.push(...objectsOf(context.self.readText(source), source, validate));
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      documents.push(new KubectlError(`open ${source}: ${asciiLowerCase(error.message)}`));
    }
  }
  return { documents, singleFile: sources.length === 1 && sources[0] !== "-" };
}

/** The objects of a kustomization. Throws KubectlError when it cannot be built. */
export function* builtManifests(context: Context, folder: string): Sys<Manifests> {
  const resources = yield* buildKustomization(context.self, folder, { warn: (text) => context.err(text) });
  return { documents: resources.map(({ object }) => ({ object, source: folder })), singleFile: false };
}
