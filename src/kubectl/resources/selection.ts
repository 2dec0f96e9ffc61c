// Which objects a command line means: types and names, files, selectors. The rules and messages of cli-runtime's resource builder.

import { ApiError } from "#cluster/api/errors.ts";
import { compileLabelSelector, type Labels, SelectorError } from "#cluster/api/labels.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { groupVersion, pathOf, type ResourceInfo } from "../client/discovery.ts";
import { fieldValidationOf } from "../commands/write-options.ts";
import type { Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, withValue } from "../documents.ts";
import { ConnectionError, isNotFound, KubectlError, throwAll } from "../errors.ts";
import { builtManifests, type Manifest, readManifests } from "./manifests.ts";
import { type ResourceName, readResourceArgs } from "./resource-args.ts";
import type { SelectionOptions } from "./selection-options.ts";

/** One object, or (with `keepLists`, or as a Table) one answer to a list. */
export interface Info {
  readonly mapping: ResourceInfo;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject | undefined;
  /** File, or "" for what came from the server. */
  readonly source: string;
}

export interface Selection {
  readonly infos: readonly Info[];
  /** With `continueOnError`: what could not be had. */
  readonly errors: readonly Error[];
  /** The command line asked for exactly one object. */
  readonly singleItem: boolean;
  /** Objects were named, not selected. */
  readonly targetsNamed: boolean;
}

const nothingNamed = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

const localNeedsFiles = `error: you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** The options that get, delete, label and others share, read from their flags. */
export function selectionFromFlags(context: Context, args: readonly string[] = context.args): SelectionOptions {
  const { flags } = context;
  const { name, explicit } = context.namespace();
  const allNamespaces = flags.has("all-namespaces") && flags.bool("all-namespaces");
  return {
    args,
    files: flags.has("filename") ? flags.list("filename") : [],
    kustomize: flags.has("kustomize") ? flags.text("kustomize") : "",
    recursive: flags.has("recursive") && flags.bool("recursive"),
    namespace: allNamespaces ? "" : name,
    enforceNamespace: explicit && !allNamespaces,
    allNamespaces,
    labelSelector: flags.has("selector") ? flags.text("selector") : "",
    fieldSelector: flags.has("field-selector") ? flags.text("field-selector") : "",
    all: flags.has("all") && flags.bool("all"),
    chunkSize: flags.has("chunk-size") ? flags.number("chunk-size") : 0,
  };
}

/** Collects or throws, as the options say. */
class Failures {
  readonly errors: Error[] = [];
  readonly #options: SelectionOptions;

  constructor(options: SelectionOptions) {
    this.#options = options;
  }

  add(error: unknown): void {
    if (!isOwnError(error)) throw error;
    if (this.#options.ignoreNotFound === true && isNotFound(error)) return;
    if (this.#options.continueOnError !== true) throw error;
    this.errors.push(error);
  }
}

/** Finds the objects; throws the first failure, or collects failures with `continueOnError`. */
export function* select(context: Context, options: SelectionOptions): Sys<Selection> {
  const files = options.files ?? [];
  const kustomize = options.kustomize ?? "";
  const problems: Error[] = [];
  if (files.length > 0 && kustomize !== "") problems.push(new KubectlError("only one of -f or -k can be specified"));
  const labelSelector = (options.labelSelector ?? "").trim();
  const fieldSelector = (options.fieldSelector ?? "").trim();
  if (options.all === true && (labelSelector !== "" || fieldSelector !== "")) {
    problems.push(new KubectlError("setting 'all' parameter but found a non empty selector. "));
  }
  if (options.local === true && options.args.length > 0) throw new KubectlError(localNeedsFiles);
  const args = yield* readResourceArgs(context, options);
  throwAll(problems);
  if (files.length > 0 || kustomize !== "")
    return yield* selectFiles(context, options, args.types.length + args.names.length > 0, args.named.length > 0);
  const byType = options.all === true || labelSelector !== "" || fieldSelector !== "" || args.everything;
  if (byType) return yield* selectByType(context, options, args);
  if (args.named.length > 0) return yield* selectNamed(context, options, args.named, args.named.length === 1);
  if (args.names.length > 0) {
    const [type] = args.types;
    if (type === undefined) throw new KubectlError("you must provide a resource and a resource name together");
    if (args.types.length > 1) throw new KubectlError("you must specify only one resource");
    const named = args.names.map((name) => ({ type, name }));
    return yield* selectNamed(
      context,
      { ...options, continueOnError: options.continueOnError ?? false },
      named,
      args.names.length === 1,
    );
  }
  if (args.types.length > 0) {
    for (const type of args.types) yield* context.discovery().require(type);
    throw new KubectlError("resource(s) were provided, but no name was specified");
  }
  throw new KubectlError(nothingNamed);
}

function* selectNamed(
  context: Context,
  options: SelectionOptions,
  named: readonly ResourceName[],
  singleItem: boolean,
): Sys<Selection> {
  const failures = new Failures(options);
  const infos: Info[] = [];
  const mappings = new Map<string, ResourceInfo>();
  for (const { type } of named) {
    if (!mappings.has(type)) mappings.set(type, yield* context.discovery().require(type));
  }
  const distinct = new Set([...mappings.values()].map((mapping) => `${groupVersion(mapping)}/${mapping.plural}`));
  if (options.singleType === true && distinct.size > 1) throw new KubectlError("you may only specify a single resource type");
  for (const { type, name } of named) {
    const mapping = mappings.get(type) as ResourceInfo;
    if (mapping.namespaced && options.namespace === "") {
      throw new KubectlError(
        options.allNamespaces === true
          ? "a resource cannot be retrieved by name across all namespaces"
          : "namespace may not be empty when retrieving a resource by name",
      );
    }
    const namespace = mapping.namespaced ? options.namespace : "";
    const info: Info = { mapping, namespace, name, object: undefined, source: "" };
    if (options.fetch === false) {
      infos.push(info);
      continue;
    }
    try {
      infos.push({ ...info, object: yield* fetchObject(context, info, options) });
    } catch (error) {
      failures.add(error);
    }
  }
  return { infos, errors: failures.errors, singleItem, targetsNamed: true };
}

/** Reads one object again. */
export function* fetchObject(context: Context, info: Info, options: Partial<SelectionOptions> = {}): Sys<JsonObject> {
  const answer = yield* context.client().json({
    method: "GET",
    path: pathOf(info.mapping, info.namespace, info.name, options.subresource ?? ""),
    query: { includeObject: options.withObjects === true ? "Object" : undefined },
    ...(options.accept === undefined ? {} : { accept: options.accept }),
  });
  return isObject(answer) ? answer : {};
}

function* selectByType(
  context: Context,
  options: SelectionOptions,
  args: { readonly types: readonly string[]; readonly names: readonly string[]; readonly named: readonly ResourceName[] },
): Sys<Selection> {
  if (args.names.length > 0) throw new KubectlError("name cannot be provided when a selector is specified");
  if (args.named.length > 0) {
    throw new KubectlError("selectors and the all flag cannot be used when passing resource/name arguments");
  }
  if (args.types.length === 0) throw new KubectlError("at least one resource must be specified to use a selector");
  if ((options.subresource ?? "") !== "") throw new KubectlError("subresource cannot be used when bulk resources are specified");
  if (options.singleType === true && args.types.length > 1) throw new KubectlError("you may only specify a single resource type");
  const mappings = new Map<string, ResourceInfo>();
  for (const type of args.types) {
    const mapping = yield* context.discovery().require(type);
    mappings.set(`${groupVersion(mapping)}/${mapping.kind}`, mapping);
  }
  const failures = new Failures(options);
  const infos: Info[] = [];
  for (const mapping of mappings.values()) {
    try {
      for (const page of yield* listPages(context, mapping, options)) infos.push(...infosOfPage(page, mapping, options));
    } catch (error) {
      failures.add(listFailure(error, mapping, options));
    }
  }
  return { infos, errors: failures.errors, singleItem: false, targetsNamed: false };
}

/** Says what could not be listed. */
function listFailure(error: unknown, mapping: ResourceInfo, options: SelectionOptions): unknown {
  if (!(error instanceof ApiError) || (error.reason !== "BadRequest" && error.reason !== "NotFound")) return error;
  const labels = options.labelSelector?.trim() ?? "";
  const fields = options.fieldSelector?.trim() ?? "";
  const quote = JSON.stringify;
  const resource = quote(`${mapping.group}/${mapping.version}, Resource=${mapping.plural}`);
  const what =
    labels === "" && fields === ""
      ? `Unable to list ${resource}`
      : `Unable to find ${resource} that match label selector ${quote(labels)}, field selector ${quote(fields)}`;
  return new ApiError({ ...error.status, message: `${what}: ${error.message}` });
}

/** Pages of a list: one unless the server cut it. With `keepLists` they are joined. */
function* listPages(context: Context, mapping: ResourceInfo, options: SelectionOptions): Sys<readonly JsonObject[]> {
  const pages: JsonObject[] = [];
  let next = "";
  do {
    const page: JsonValue = yield* context.client().json({
      method: "GET",
      path: pathOf(mapping, mapping.namespaced ? options.namespace : ""),
      query: {
        labelSelector: options.labelSelector?.trim(),
        fieldSelector: options.fieldSelector?.trim(),
        limit: options.chunkSize === 0 ? undefined : options.chunkSize,
        continue: next,
        includeObject: options.withObjects === true ? "Object" : undefined,
      },
      ...(options.accept === undefined ? {} : { accept: options.accept }),
    });
    if (!isObject(page)) break;
    pages.push(page);
    next = textAt(page, "metadata", "continue");
  } while (next !== "");
  const [first] = pages;
  if (options.keepLists !== true || first === undefined || pages.length === 1) return pages;
  const field = first["kind"] === "Table" ? "rows" : "items";
  return [{ ...first, [field]: pages.flatMap((page) => arrayAt(page, field)) }];
}

function infosOfPage(page: JsonObject, mapping: ResourceInfo, options: SelectionOptions): readonly Info[] {
  const whole = (object: JsonObject): Info => ({ mapping, namespace: options.namespace, name: "", object, source: "" });
  if (options.keepLists === true || page["kind"] === "Table") return [whole(page)];
  return arrayAt(page, "items")
    .filter(isObject)
    .map((item) => {
      const object: JsonObject = { apiVersion: groupVersion(mapping), kind: mapping.kind, ...item };
      return infoOf(mapping, object, "");
    });
}

function infoOf(mapping: ResourceInfo, object: JsonObject, source: string): Info {
  return { mapping, namespace: textAt(object, "metadata", "namespace"), name: textAt(object, "metadata", "name"), object, source };
}

function* selectFiles(context: Context, options: SelectionOptions, typed: boolean, named: boolean): Sys<Selection> {
  if (typed) {
    throw new KubectlError("when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well");
  }
  if (named) throw new KubectlError("resource/name arguments cannot be provided when a path is specified");
  const failures = new Failures(options);
  const infos: Info[] = [];
  const manifests =
    (options.kustomize ?? "") === ""
      ? yield* readManifests(context, options.files ?? [], options.recursive === true)
      : yield* builtManifests(context, options.kustomize as string);
  yield* checkReach(context, manifests.documents);
  const matches = selectorFilter(options.labelSelector ?? "");
  for (const manifest of manifests.documents) {
    try {
      if (manifest instanceof KubectlError) throw manifest;
      let info = yield* infoOfManifest(context, manifest.object, manifest.source, options);
      if (options.latest === true) info = { ...info, object: yield* fetchObject(context, info, options) };
      const labels = objectAt(info.object, "metadata", "labels") as Labels;
      if (matches(labels)) infos.push(info);
    } catch (error) {
      failures.add(error);
    }
  }
  return { infos, errors: failures.errors, singleItem: manifests.singleFile, targetsNamed: true };
}

/** Commands that validate ask for the schema first: without a server, that is what they fail at. */
function* checkReach(context: Context, documents: readonly (Manifest | KubectlError)[]): Sys<void> {
  const first = documents.find((one): one is Manifest => !(one instanceof KubectlError));
  if (first === undefined || !context.flags.has("validate") || fieldValidationOf(context) === "Ignore") return;
  try {
    yield* context.discovery().reach();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const url = context.client().url("/openapi/v2", { timeout: "32s" });
    throw new KubectlError(
      `error validating ${JSON.stringify(first.source)}: error validating data: failed to download openapi: Get ${JSON.stringify(url)}: ${error.message}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  }
}

function selectorFilter(selector: string): (labels: Labels) => boolean {
  if (selector.trim() === "") return () => true;
  try {
    return compileLabelSelector(selector.trim());
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new KubectlError(`the provided selector ${JSON.stringify(selector)} is not valid: ${error.message}`);
  }
}

/** Types an object from a file and settles its namespace. */
function* infoOfManifest(context: Context, object: JsonObject, source: string, options: SelectionOptions): Sys<Info> {
  const apiVersion = textAt(object, "apiVersion");
  const kind = textAt(object, "kind");
  const name = textAt(object, "metadata", "name");
  const written = textAt(object, "metadata", "namespace");
  const mapping = options.local === true ? localMapping(apiVersion, kind) : yield* context.discovery().forKind(apiVersion, kind);
  if (mapping === undefined) {
    const quote = JSON.stringify;
    throw new KubectlError(
      `resource mapping not found for name: ${quote(name)} namespace: ${quote(written)} from ${quote(source)}: no matches for kind ${quote(kind)} in version ${quote(apiVersion)}\nensure CRDs are installed first`,
    );
  }
  if (!mapping.namespaced)
    return { mapping, namespace: "", name, object: withValue(object, ["metadata", "namespace"], undefined), source };
  const namespace = written === "" ? options.namespace : written;
  if (options.enforceNamespace === true && namespace !== options.namespace) {
    throw new KubectlError(
      `the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(options.namespace)}. You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  const placed = namespace === "" || options.local === true ? object : withValue(object, ["metadata", "namespace"], namespace);
  return { mapping, namespace, name, object: placed, source };
}

/** Stands in for a type where the server may not be asked. */
function localMapping(apiVersion: string, kind: string): ResourceInfo {
  const slash = apiVersion.indexOf("/");
  return {
    group: slash < 0 ? "" : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    plural: `${asciiLowerCase(kind)}s`,
    singular: asciiLowerCase(kind),
    kind,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: [],
  };
}
