// What a kustomization may hold: any other field is refused, in the words of Go's decoder, and what does nothing here in ours.

import { arrayAt, isObject, type JsonObject, objectAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";

const generator = ["name", "namespace", "behavior", "literals", "files", "envs", "env", "options"];
const options = ["labels", "annotations", "disableNameSuffixHash", "immutable"];
const top = (
  "apiVersion kind metadata openapi namePrefix nameSuffix namespace commonLabels labels commonAnnotations patchesStrategicMerge " +
  "patchesJson6902 patches images imageTags replacements replicas vars sortOptions resources components crds bases " +
  "configMapGenerator secretGenerator helmGlobals helmCharts helmChartInflationGenerator generatorOptions configurations " +
  "generators transformers validators buildMetadata"
).split(" ");
const entries: readonly (readonly [field: string, known: readonly string[]])[] = [
  ["configMapGenerator", generator],
  ["secretGenerator", [...generator, "type"]],
  ["labels", ["pairs", "includeSelectors", "includeTemplates", "fields"]],
  ["patches", ["path", "patch", "target", "options"]],
  ["images", ["name", "newName", "newTag", "tagSuffix", "digest"]],
  ["replicas", ["name", "count"]],
];

function refuseOthers(value: unknown, known: readonly string[]): void {
  if (!isObject(value)) return;
  const other = Object.keys(value).find((field) => !known.includes(field));
  if (other !== undefined) throw new KubectlError(`invalid Kustomization: json: unknown field "${other}"`);
}

/** What kustomize knows and nothing here acts on; an order of the output (`sortOptions`) among it. */
const idle = (
  "openapi imageTags replacements vars sortOptions components crds helmGlobals helmCharts helmChartInflationGenerator " +
  "configurations generators transformers validators buildMetadata"
).split(" ");

/** Throws KubectlError for the first field that kustomize does not know, or that would do nothing here. */
export function refuseUnknownFields(kustomization: JsonObject): void {
  refuseOthers(kustomization, top);
  const ignored = idle.find((field) => kustomization[field] !== undefined);
  if (ignored !== undefined) throw new KubectlError(`invalid Kustomization: ${ignored}: not simulated`);
  refuseOthers(kustomization["generatorOptions"], options);
  for (const [field, known] of entries) {
    for (const entry of arrayAt(kustomization, field)) {
      refuseOthers(entry, known);
      if (field.endsWith("Generator")) refuseOthers(objectAt(entry, "options"), options);
    }
  }
}
