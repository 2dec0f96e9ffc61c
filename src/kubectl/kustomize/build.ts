// Builds a folder with a kustomization.yaml into objects, as `kubectl kustomize` and -k do.

import { GoRegExpError } from "#cluster/api/go-regexp/go-regexp.ts";
import { SelectorError } from "#cluster/api/labels.ts";
import type { Process, Sys } from "#sim/program.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { faultOfKeys } from "./bare-keys.ts";
import { generated, hashOf } from "./generators.ts";
import { componentKind, readKustomization, textsOf } from "./kustomization.ts";
import { Loader } from "./loader.ts";
import { inOrder } from "./order.ts";
import { json6902Transform, patchTransform, strategicMergeTransform } from "./patches.ts";
import { MalformedYaml, requireNames, resourcesOf } from "./read.ts";
import { withReferences } from "./references.ts";
import { replacementTransform } from "./replacements.ts";
import { annotated, nameOf, type Resource, renamed, scalarText, withPrevious } from "./resource.ts";
import { absorbed, appended } from "./resources.ts";
import {
  inNamespace,
  labelTransforms,
  type Transform,
  withAnnotations,
  withImage,
  withPrefix,
  withReplicas,
  withSuffix,
} from "./transformers.ts";

type Resources = readonly Resource[];

/** Runs what can fail; the failure is told with words before it. */
function within<T>(words: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    const message = `${words}: ${error.message}`;
    throw error instanceof MalformedYaml ? new MalformedYaml(message) : new KubectlError(message);
  }
}

/** Go prints where a generator lies in memory, which says nothing. */
const generatorAddress = "0xc000422000";

/** One kustomization with what lies below it. */
class Target {
  readonly #loader: Loader;
  readonly #warn: (line: string) => void;
  readonly kustomization: JsonObject;

  /** Reads the file. Throws KubectlError. */
  constructor(loader: Loader, warn: (line: string) => void) {
    this.#loader = loader;
    this.#warn = warn;
    this.kustomization = readKustomization(loader, warn);
  }

  /** Its objects, behind those of `before`, which are a component's parent's; names are not final yet. */
  accumulated(before: Resources = []): Resources {
    const { kustomization } = this;
    let resources = before;
    within("accumulating resources", () => {
      for (const entry of textsOf(kustomization, "resources", "bases")) resources = this.#withEntry(resources, entry);
    });
    resources = this.#withGenerated(resources);
    within("accumulating components", () => {
      for (const path of textsOf(kustomization, "components")) resources = this.#withComponent(resources, path);
    });
    for (const transform of this.#transforms()) resources = transform(resources);
    return resources;
  }

  /** An entry is a file, or else a folder. */
  #withEntry(resources: Resources, entry: string): Resources {
    let loaded: Resources;
    try {
      loaded = within(`accumulating resources from '${entry}'`, () => this.#fileResources(entry));
    } catch (fault) {
      if (!(fault instanceof KubectlError)) throw fault;
      return this.#withFolder(resources, entry, fault);
    }
    try {
      return within(`merging resources from '${entry}'`, () => appended(resources, loaded));
    } catch (fault) {
      if (!(fault instanceof KubectlError)) throw fault;
      return this.#withFolder(resources, entry, fault);
    }
  }

  #fileResources(entry: string): Resources {
    try {
      return appended([], resourcesOf(this.#loader.text(entry)));
    } catch (error) {
      if (!(error instanceof MalformedYaml)) throw error;
      throw new MalformedYaml(`${error.message} in File: ${entry}`);
    }
  }

  /** `fault` says why the entry is no file. */
  #withFolder(resources: Resources, entry: string, fault: KubectlError): Resources {
    const words = `accumulation err='${fault.message}'`;
    let loader: Loader;
    try {
      loader = this.#loader.below(entry);
    } catch (error) {
      if (!(error instanceof KubectlError) || fault instanceof MalformedYaml) throw fault;
      throw new KubectlError(`${words}: ${error.message}`);
    }
    return within(words, () => {
      const target = this.#targetAt(loader);
      if (target.isComponent) throw new KubectlError(`expected kind != '${componentKind}' for path '${loader.root}'`);
      const below = within(`recursed accumulation of path '${loader.root}'`, () => target.accumulated());
      return within(`recursed merging from path '${loader.root}'`, () => appended(resources, below));
    });
  }

  #withComponent(resources: Resources, path: string): Resources {
    const quoted = <T>(words: string, run: () => T): T => {
      try {
        return run();
      } catch (error) {
        if (!(error instanceof KubectlError)) throw error;
        throw new KubectlError(`${words} ${JSON.stringify(error.message)}`);
      }
    };
    const loader = quoted("loader.New", () => this.#loader.below(path));
    return quoted("accumulateDirectory:", () => {
      const target = this.#targetAt(loader);
      if (!target.isComponent) {
        const kind = textAt(target.kustomization, "kind") || "Kustomization";
        throw new KubectlError(`expected kind '${componentKind}' for path '${loader.root}' but got '${kind}'`);
      }
      return within(`recursed accumulation of path '${loader.root}'`, () => target.accumulated(resources));
    });
  }

  #targetAt(loader: Loader): Target {
    return within(`couldn't make target for path '${loader.root}'`, () => new Target(loader, this.#warn));
  }

  get isComponent(): boolean {
    return textAt(this.kustomization, "kind") === componentKind;
  }

  #withGenerated(resources: Resources): Resources {
    const { kustomization } = this;
    const general = objectAt(kustomization, "generatorOptions");
    let result = resources;
    for (const [field, kind] of [
      ["configMapGenerator", "ConfigMap"],
      ["secretGenerator", "Secret"],
    ] as const) {
      for (const entry of arrayAt(kustomization, field)) {
        const made = generated(this.#loader, kind, entry, general);
        result = within(`merging from generator &{${generatorAddress} <nil>}`, () => absorbed(result, made));
      }
    }
    return result;
  }

  /** In the order in which kustomize runs them, whatever that of the fields. */
  #transforms(): readonly Transform[] {
    const { kustomization } = this;
    const loader = this.#loader;
    const text = (field: string, transform: (value: string) => Transform): readonly Transform[] => {
      const value = textAt(kustomization, field);
      return value === "" ? [] : [transform(value)];
    };
    const each = (field: string): readonly JsonObject[] => arrayAt(kustomization, field).filter(isObject);
    const merges = textsOf(kustomization, "patchesStrategicMerge");
    const replacements = each("replacements");
    return [
      ...(merges.length === 0 ? [] : [strategicMergeTransform(loader, merges)]),
      ...each("patches").map((entry) => patchTransform(loader, entry)),
      ...text("namespace", inNamespace),
      ...text("namePrefix", withPrefix),
      ...text("nameSuffix", withSuffix),
      ...labelTransforms(kustomization),
      withAnnotations(objectAt(kustomization, "commonAnnotations")),
      ...each("patchesJson6902").map((entry) => json6902Transform(loader, entry)),
      ...each("replicas").map(withReplicas),
      ...[...each("images"), ...each("imageTags")].map(withImage),
      ...(replacements.length === 0 ? [] : [replacementTransform(loader, replacements)]),
    ];
  }
}

function built(target: Target): Resources {
  const hashed = target
    .accumulated()
    .map((one) => (one.needsHash ? renamed(withPrevious(one), `${nameOf(one)}-${hashOf(one)}`) : one));
  const named = withReferences(hashed);
  for (const one of named) requireNames(annotated(one));
  const kept = named.filter(({ object }) => isForCluster(object));
  return inOrder(kept, target.kustomization).map(written);
}

/** Throws KubectlError for an object that cannot be written. */
function written(resource: Resource): Resource {
  if (resource.fault !== undefined) throw new KubectlError(`map[string]interface {}(nil): ${resource.fault}`);
  const object = withCleanAnnotations(resource.object);
  const fault = faultOfKeys(object);
  if (fault !== undefined) throw new KubectlError(fault);
  return { ...resource, object };
}

/** What `config.kubernetes.io/local-config` keeps for the folder itself is not built. */
function isForCluster(object: JsonObject): boolean {
  const local = valueAt(object, "metadata", "annotations", "config.kubernetes.io/local-config");
  return local === undefined || scalarText(local) === "false";
}

/** Annotations are texts; none at all is no field. */
function withCleanAnnotations(object: JsonObject): JsonObject {
  if (valueAt(object, "metadata", "annotations") === undefined) return object;
  const texts = Object.entries(objectAt(object, "metadata", "annotations")).map(([key, value]) => [key, scalarText(value)]);
  return withValue(object, ["metadata", "annotations"], texts.length === 0 ? undefined : Object.fromEntries(texts));
}

export interface BuildOptions {
  /** Files outside a kustomization's folder may be read. */
  readonly unrestricted?: boolean;
  /** What is deprecated is told on stderr, also when the build fails. */
  readonly warn: (text: string) => Sys<void>;
}

/** Builds the folder at `path`. Throws KubectlError. */
export function* buildKustomization(self: Process, path: string, options: BuildOptions): Sys<Resources> {
  let warnings = "";
  try {
    const loader = Loader.at(self, path, options.unrestricted !== true);
    return built(
      new Target(loader, (line) => {
        warnings += `${line}\n`;
      }),
    );
  } catch (error) {
    if (!(error instanceof GoRegExpError || error instanceof SelectorError)) throw error;
    throw new KubectlError(error.message);
  } finally {
    yield* options.warn(warnings);
  }
}
