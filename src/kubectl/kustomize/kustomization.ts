// A folder's kustomization file: what it may hold, what is deprecated, what is refused because nothing here acts on it.

import { DecodingError, decode, flag, type GoType, int64, list, type Struct, struct, text } from "#cluster/api/go-fields.ts";
import { arrayAt, DocumentError, type JsonObject, readDocuments, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import type { Loader } from "./loader.ts";

const fileNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

const any: GoType = { kind: "any" };
const texts: GoType = { kind: "texts" };
const int: GoType = { kind: "int64", named: "int" };
const identity = { group: text, version: text, kind: text, name: text, namespace: text };
const kindParts = ["ResId", "Gvk"];
const identityParts = { group: kindParts, version: kindParts, kind: kindParts, name: ["ResId"], namespace: ["ResId"] };
const selector = struct("types.Selector", { ...identity, annotationSelector: text, labelSelector: text }, identityParts);
const fieldOptions = struct("types.FieldOptions", { delimiter: text, index: int, encoding: text, create: flag });
const replacementFields = {
  source: struct("types.SourceSelector", { ...identity, fieldPath: text, options: fieldOptions }, identityParts),
  sourceValue: text,
  targets: list(
    struct("types.TargetSelector", { select: selector, reject: list(selector), fieldPaths: list(text), options: fieldOptions }),
  ),
};
/** What a file of `replacements` holds once, or as a list. */
export const replacementType = struct("types.Replacement", replacementFields);
const patch = struct("types.Patch", {
  path: text,
  patch: text,
  target: selector,
  options: struct("types.PatchArgs", { allowNameChange: flag, allowKindChange: flag }),
});
const generatorOptions = struct("types.GeneratorOptions", {
  labels: texts,
  annotations: texts,
  disableNameSuffixHash: flag,
  immutable: flag,
});
const generatorFields = {
  name: text,
  namespace: text,
  behavior: text,
  literals: list(text),
  files: list(text),
  envs: list(text),
  env: text,
  options: generatorOptions,
};
const sourceParts = ["GeneratorArgs", "KvPairSources"];
const generatorParts = {
  ...Object.fromEntries(["name", "namespace", "behavior", "options"].map((field) => [field, ["GeneratorArgs"]])),
  ...Object.fromEntries(["literals", "files", "envs", "env"].map((field) => [field, sourceParts])),
};
const fieldSpec = struct(
  "types.FieldSpec",
  { group: text, version: text, kind: text, path: text, create: flag },
  { group: ["Gvk"], version: ["Gvk"], kind: ["Gvk"] },
);
const image = struct("types.Image", { name: text, newName: text, tagSuffix: text, newTag: text, digest: text });

const kustomizationType: Struct = struct("types.Kustomization", {
  apiVersion: text,
  kind: text,
  metadata: any,
  openapi: any,
  namePrefix: text,
  nameSuffix: text,
  namespace: text,
  commonLabels: texts,
  labels: list(struct("types.Label", { pairs: texts, includeSelectors: flag, includeTemplates: flag, fields: list(fieldSpec) })),
  commonAnnotations: texts,
  patchesStrategicMerge: list({ kind: "string", named: "types.PatchStrategicMerge" }),
  patchesJson6902: list(patch),
  patches: list(patch),
  images: list(image),
  imageTags: list(image),
  replacements: list(
    struct(
      "types.ReplacementField",
      { ...replacementFields, path: text },
      { source: ["Replacement"], sourceValue: ["Replacement"], targets: ["Replacement"] },
    ),
  ),
  replicas: list(struct("types.Replica", { name: text, count: int64 })),
  vars: any,
  sortOptions: struct("types.SortOptions", {
    order: { kind: "string", named: "types.SortOrder" },
    legacySortOptions: struct("types.LegacySortOptions", { orderFirst: list(text), orderLast: list(text) }),
  }),
  resources: list(text),
  components: list(text),
  crds: any,
  bases: list(text),
  configMapGenerator: list(struct("types.ConfigMapArgs", generatorFields, generatorParts)),
  secretGenerator: list(struct("types.SecretArgs", { ...generatorFields, type: text }, generatorParts)),
  helmGlobals: any,
  helmCharts: any,
  helmChartInflationGenerator: any,
  generatorOptions,
  configurations: any,
  generators: any,
  transformers: any,
  validators: any,
  buildMetadata: any,
});

/** What kustomize knows and nothing here acts on. */
const refused = (
  "openapi vars crds helmGlobals helmCharts helmChartInflationGenerator configurations generators transformers validators " +
  "buildMetadata"
).split(" ");

const deprecated: readonly (readonly [field: string, instead: string])[] = [
  ["bases", "resources"],
  ["commonLabels", "labels"],
  ["imageTags", "images"],
  ["patchesJson6902", "patches"],
  ["patchesStrategicMerge", "patches"],
];

export const componentKind = "Component";

/** Reads a folder's file; `warn` is told what is deprecated. Throws KubectlError. */
export function readKustomization(loader: Loader, warn: (line: string) => void): JsonObject {
  const kustomization = decoded(fileText(loader));
  for (const [field, instead] of deprecated) {
    if (field in kustomization) {
      const advice = "Run 'kustomize edit fix' to update your Kustomization automatically.";
      warn(`# Warning: '${field}' is deprecated. Please use '${instead}' instead. ${advice}`);
    }
  }
  if (Object.keys(kustomization).every((field) => field === "apiVersion" || field === "kind"))
    throw new KubectlError("kustomization.yaml is empty");
  const mistakes = mistakesOfType(kustomization);
  if (mistakes.length > 0)
    throw new KubectlError(`Failed to read kustomization file under ${loader.root}:\n${mistakes.join("\n")}`);
  return kustomization;
}

function fileText(loader: Loader): string {
  const found = fileNames.flatMap((name) => {
    try {
      return [loader.text(name)];
    } catch (error) {
      if (error instanceof KubectlError) return [];
      throw error;
    }
  });
  const [content] = found;
  if (content === undefined) {
    throw new KubectlError(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${loader.root}'`,
    );
  }
  if (found.length > 1) throw new KubectlError(`Found multiple kustomization files under: ${loader.root}\n`);
  return content;
}

/** Throws KubectlError for what is no kustomization, a field that there is not, or one that would do nothing here. */
function decoded(content: string): JsonObject {
  try {
    const [document = null] = readDocuments(content);
    const { value, unknown } = decode(kustomizationType, document);
    // Here, an unknown field is told without the way to it.
    if (unknown[0] !== undefined) throw new DecodingError(`json: ${unknown[0].replace(/"(?:.*\.)?(.*)"/, '"$1"')}`);
    const idle = refused.find((field) => value[field] !== undefined);
    if (idle !== undefined) throw new DecodingError(`${idle}: not simulated`);
    return value;
  } catch (error) {
    if (!(error instanceof DecodingError || error instanceof DocumentError)) throw error;
    throw new KubectlError(`invalid Kustomization: ${error.message}`);
  }
}

function mistakesOfType(kustomization: JsonObject): readonly string[] {
  const kind = textAt(kustomization, "kind") || "Kustomization";
  const apiVersion = textAt(kustomization, "apiVersion");
  const wanted = `kustomize.config.k8s.io/${kind === componentKind ? "v1alpha1" : "v1beta1"}`;
  return [
    ...(kind === "Kustomization" || kind === componentKind ? [] : ["kind should be Kustomization or Component"]),
    ...(apiVersion === "" || apiVersion === wanted ? [] : [`apiVersion for ${kind} should be ${wanted}`]),
  ];
}

/** A list of texts, with that of the field that it was called before. */
export function textsOf(kustomization: JsonObject, ...fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => arrayAt(kustomization, field).map(String));
}
