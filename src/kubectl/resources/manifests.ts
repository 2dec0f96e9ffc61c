// Objects in files, directories and standard input.

import type { JsonValue } from "#cluster/api/wire.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../context.ts";
import { arrayAt, DocumentError, isObject, type JsonObject, readDocuments, textAt, writeJson } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";

export interface Manifest {
  readonly object: JsonObject;
  /** File name, or STDIN. */
  readonly source: string;
}

export interface Manifests {
  /** In order; an Error stands where a document could not be used. */
  readonly documents: readonly (Manifest | Error)[];
  /** One file was named: output need not be a list. */
  readonly singleFile: boolean;
}

const extensions = [".json", ".yaml", ".yml"];

function join(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
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

function expand(context: Context, path: string, recursive: boolean): readonly string[] {
  try {
    if (context.self.stat(path).type !== "directory") return [path];
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code === "ENOENT") throw new KubectlError(`the path ${JSON.stringify(path)} does not exist`);
    throw new KubectlError(`the path ${JSON.stringify(path)} cannot be accessed: stat ${path}: ${error.message.toLowerCase()}`);
  }
  return filesIn(context, path, recursive);
}

/** Objects of a text; items of lists one by one. */
function objectsOf(text: string, source: string): readonly (Manifest | Error)[] {
  let documents: readonly JsonValue[];
  try {
    documents = readDocuments(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return [new KubectlError(`error parsing ${source}: error converting YAML to JSON: ${error.message}`)];
  }
  return documents.flatMap((document): readonly (Manifest | Error)[] => {
    if (!isObject(document)) {
      return [
        new KubectlError(
          `unable to decode ${JSON.stringify(source)}: json: cannot unmarshal ${goKind(document)} into Go value of type struct`,
        ),
      ];
    }
    const missing = textAt(document, "kind") === "" ? "kind" : textAt(document, "apiVersion") === "" ? "apiVersion" : "";
    if (missing !== "") {
      const what = missing === "kind" ? "Object 'Kind' is missing" : "Object 'apiVersion' is missing";
      return [new KubectlError(`unable to decode ${JSON.stringify(source)}: ${what} in '${writeJson(document)}'`)];
    }
    if (textAt(document, "kind").endsWith("List") && Array.isArray(document["items"])) {
      return arrayAt(document, "items")
        .filter(isObject)
        .map((object) => ({ object, source }));
    }
    return [{ object: document, source }];
  });
}

function goKind(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return Array.isArray(value) ? "array" : "bool";
}

/** Reads all of `-f`. Throws what is wrong with the paths; what is wrong with a document stands in the list. */
export function* readManifests(context: Context, paths: readonly string[], recursive: boolean): Sys<Manifests> {
  const problems: Error[] = [];
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
  const documents: (Manifest | Error)[] = [];
  for (const source of sources) {
    if (source === "-") {
      documents.push(...objectsOf(yield* context.readStdin(), "STDIN"));
      continue;
    }
    try {
      documents.push(...objectsOf(context.self.readText(source), source));
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      documents.push(new KubectlError(`open ${source}: ${error.message.toLowerCase()}`));
    }
  }
  return { documents, singleFile: sources.length === 1 && sources[0] !== "-" };
}
