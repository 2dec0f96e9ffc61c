// Builds a folder with a kustomization.yaml into objects, as `kubectl kustomize` and -k do.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { contentHash } from "../commands/create/hash-suffix.ts";
import { arrayAt, isObject, type JsonObject, objectAt, readDocuments, textAt, valueAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { inLegacyOrder } from "./order.ts";
import { patched } from "./patches.ts";
import { renamesOf, withReferences } from "./references.ts";
import { idOf, kindOf, nameOf, type Resource, renamed } from "./resource.ts";
import { inNamespace, labelRules, withAffixes, withAnnotations, withImages, withLabels, withReplicas } from "./transformers.ts";

const fileNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const deprecated: readonly (readonly [field: string, instead: string])[] = [
  ["commonLabels", "labels"],
  ["bases", "resources"],
  ["patchesStrategicMerge", "patches"],
  ["patchesJson6902", "patches"],
];

export interface Build {
  readonly objects: readonly JsonObject[];
  /** What is said on stderr. */
  readonly warnings: string;
}

class Builder {
  readonly #self: Process;
  warnings = "";

  constructor(self: Process) {
    this.#self = self;
  }

  /** The folder's objects, all but for the hashes of generated ones. */
  build(folder: string): readonly Resource[] {
    const kustomization = this.#read(folder);
    for (const [field, instead] of deprecated) {
      if (field in kustomization)
        this.warnings += `# Warning: '${field}' is deprecated. Please use '${instead}' instead. Run 'kustomize edit fix' to update your Kustomization automatically.\n`;
    }
    let resources: readonly Resource[] = [];
    for (const entry of [...arrayAt(kustomization, "resources"), ...arrayAt(kustomization, "bases")])
      resources = joined(resources, this.#resource(folder, String(entry)));
    resources = this.#generate(folder, kustomization, resources);
    for (const patch of this.#patches(folder, kustomization)) resources = patched(resources, patch);
    const before = resources;
    const rules = labelRules(kustomization);
    resources = resources.map((resource) => {
      let next = inNamespace(resource, textAt(kustomization, "namespace"));
      next = withAffixes(next, textAt(kustomization, "namePrefix"), textAt(kustomization, "nameSuffix"));
      for (const rule of rules) next = withLabels(next, rule);
      next = withAnnotations(next, objectAt(kustomization, "commonAnnotations"));
      next = withReplicas(next, arrayAt(kustomization, "replicas"));
      return withImages(next, arrayAt(kustomization, "images"));
    });
    const renames = renamesOf(before, resources);
    return resources.map((resource) => withReferences(resource, renames));
  }

  #read(folder: string): JsonObject {
    const present = fileNames.filter((name) => this.#self.exists(`${folder}/${name}`));
    const [name] = present;
    if (name === undefined) {
      throw new KubectlError(
        `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${folder}'`,
      );
    }
    if (present.length > 1) throw new KubectlError(`Found multiple kustomization files: ${present.join(",")}\n`);
    const [document] = readDocuments(this.#self.readText(`${folder}/${name}`));
    if (document === undefined) throw new KubectlError("kustomization.yaml is empty");
    return isObject(document) ? document : {};
  }

  #resource(folder: string, entry: string): readonly Resource[] {
    const path = resolved(folder, entry);
    if (!this.#self.exists(path)) {
      const missing = `${path}: no such file or directory`;
      throw new KubectlError(
        `accumulating resources: accumulation err='accumulating resources from '${entry}': open ${missing}': must build at directory: not a valid directory: evalsymlink failure on '${path}' : lstat ${missing}`,
      );
    }
    if (this.#self.stat(path).type === "directory") return this.build(path);
    return readDocuments(this.#self.readText(path))
      .filter(isObject)
      .map((object) => ({ object, originalName: textAt(object, "metadata", "name"), needsHash: false }));
  }

  #patches(
    folder: string,
    kustomization: JsonObject,
  ): readonly { readonly text: string; readonly target: JsonObject | undefined }[] {
    const textOf = (entry: JsonValue): string =>
      textAt(entry, "path") === "" ? textAt(entry, "patch") : this.#self.readText(resolved(folder, textAt(entry, "path")));
    const targetOf = (entry: JsonValue): JsonObject | undefined =>
      valueAt(entry, "target") === undefined ? undefined : objectAt(entry, "target");
    const merges = arrayAt(kustomization, "patchesStrategicMerge").map((entry) => {
      const text = String(entry);
      return { text: text.includes("\n") ? text : this.#self.readText(resolved(folder, text)), target: undefined };
    });
    const others = [...arrayAt(kustomization, "patches"), ...arrayAt(kustomization, "patchesJson6902")];
    return [...merges, ...others.map((entry) => ({ text: textOf(entry), target: targetOf(entry) }))];
  }

  #generate(folder: string, kustomization: JsonObject, resources: readonly Resource[]): readonly Resource[] {
    let current = resources;
    for (const kind of ["ConfigMap", "Secret"] as const) {
      const field = kind === "ConfigMap" ? "configMapGenerator" : "secretGenerator";
      for (const entry of arrayAt(kustomization, field)) {
        const made = this.#generated(folder, kind, entry, objectAt(kustomization, "generatorOptions"));
        const behaviour = textAt(entry, "behavior");
        if (behaviour === "merge" || behaviour === "replace") current = overlaid(current, made, behaviour === "merge");
        else current = joined(current, [made]);
      }
    }
    return current;
  }

  #generated(folder: string, kind: "ConfigMap" | "Secret", entry: JsonValue, general: JsonObject): Resource {
    const data: { [key: string]: string } = {};
    const binaryData: { [key: string]: string } = {};
    const add = (key: string, bytes: Bytes): void => {
      const text = decodeUtf8(bytes);
      if (kind === "Secret") data[key] = encodeBase64(bytes);
      else if (encodeUtf8(text).length === bytes.length && !text.includes("\ufffd")) data[key] = text;
      else binaryData[key] = encodeBase64(bytes);
    };
    for (const source of arrayAt(entry, "files").map(String)) {
      const [first = "", second] = source.split(/=(.*)/s);
      const path = second ?? first;
      add(second === undefined ? (path.split("/").at(-1) ?? path) : first, this.#self.readFile(resolved(folder, path)));
    }
    const lines = [...arrayAt(entry, "envs"), ...(textAt(entry, "env") === "" ? [] : [textAt(entry, "env")])]
      .flatMap((file) => this.#self.readText(resolved(folder, String(file))).split("\n"))
      .map((line) => line.trimStart())
      .filter((line) => line !== "" && !line.startsWith("#"));
    const addPair = (pair: string, shown: (written: string) => string): void => {
      const [key = "", value = ""] = pair.split(/=(.*)/s);
      add(key, encodeUtf8(shown(value)));
    };
    for (const line of lines) addPair(line, (written) => written);
    // Of literals alone, quotes around a value are not part of it.
    for (const literal of arrayAt(entry, "literals").map(String))
      addPair(literal, (written) => written.replace(/^(["'])(.*)\1$/s, "$2"));
    const own = objectAt(entry, "options");
    const option = (name: string) => valueAt(own, name) ?? valueAt(general, name);
    const maps = ["labels", "annotations"].flatMap((name): readonly (readonly [string, JsonObject])[] => {
      const entries = { ...objectAt(general, name), ...objectAt(own, name) };
      return Object.keys(entries).length === 0 ? [] : [[name, entries]];
    });
    const name = textAt(entry, "name");
    const namespace = textAt(entry, "namespace");
    const object: JsonObject = {
      apiVersion: "v1",
      kind,
      metadata: { name, ...(namespace === "" ? {} : { namespace }), ...Object.fromEntries(maps) },
      ...(Object.keys(data).length === 0 ? {} : { data }),
      ...(Object.keys(binaryData).length === 0 ? {} : { binaryData }),
      ...(kind === "Secret" ? { type: textAt(entry, "type") || "Opaque" } : {}),
      ...(option("immutable") === true ? { immutable: true } : {}),
    };
    return { object, originalName: name, needsHash: option("disableNameSuffixHash") !== true };
  }
}

/** `behavior: merge` and `replace`: a generator changes what a base has generated. */
function overlaid(resources: readonly Resource[], made: Resource, merge: boolean): readonly Resource[] {
  const index = resources.findIndex((one) => kindOf(one) === kindOf(made) && one.originalName === made.originalName);
  const old = resources[index];
  if (old === undefined) throw new KubectlError(`merging from generator: id ${idOf(made)} does not exist; cannot merge or replace`);
  const data = merge ? { ...objectAt(old.object, "data"), ...objectAt(made.object, "data") } : objectAt(made.object, "data");
  return resources.with(index, { ...old, object: withValue(old.object, ["data"], data) });
}

function joined(resources: readonly Resource[], more: readonly Resource[]): readonly Resource[] {
  const known = new Set(resources.map(idOf));
  const twice = more.find((resource) => known.has(idOf(resource)));
  if (twice !== undefined) throw new KubectlError(`may not add resource with an already registered id: ${idOf(twice)}`);
  return [...resources, ...more];
}

/** Unlike --append-hash, kustomize leaves the name out of account. */
function hashOf({ object }: Resource): string {
  return contentHash(withValue(object, ["metadata", "name"], ""));
}

/** An absolute path without `.` and `..`. */
export function resolved(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Builds the folder at `path`. Throws KubectlError. */
export function buildKustomization(self: Process, path: string): Build {
  const folder = resolved(self.cwd, path);
  const builder = new Builder(self);
  try {
    if (self.stat(folder).type !== "directory")
      throw new KubectlError(`must build at directory: not a valid directory: '${path}' is not a directory`);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(
      `must build at directory: not a valid directory: evalsymlink failure on '${path}' : lstat ${folder}: ${asciiLowerCase(error.message)}`,
    );
  }
  try {
    const built = builder.build(folder);
    const hashed = built.map((one) => (one.needsHash ? renamed(one, `${nameOf(one)}-${hashOf(one)}`) : one));
    const renames = renamesOf(built, hashed);
    const final = hashed.map((resource) => withReferences(resource, renames));
    return { objects: inLegacyOrder(final).map(({ object }) => object), warnings: builder.warnings };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(asciiLowerCase(error.message));
  }
}
