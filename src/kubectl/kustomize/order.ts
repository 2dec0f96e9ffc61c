// The order in which objects are written: as they came, or what others need first and webhooks last.

import { compareTexts } from "#sim/compare-texts.ts";
import { type JsonObject, objectAt, textAt, valueAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { textsOf } from "./kustomization.ts";
import { currentId, type Id, kindText, type Resource } from "./resource.ts";

const defaultFirst: readonly string[] = [
  ...["Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy", "Role"],
  ...["ClusterRole", "RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service", "LimitRange"],
  ...["PriorityClass", "PersistentVolume", "PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget"],
];
const defaultLast: readonly string[] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/** By `sortOptions`; without them in the order that is called legacy. Throws KubectlError. */
export function inOrder(resources: readonly Resource[], kustomization: JsonObject): readonly Resource[] {
  const options = valueAt(kustomization, "sortOptions");
  if (options === undefined) return inLegacyOrder(resources, defaultFirst, defaultLast);
  const order = textAt(options, "order");
  const own = valueAt(options, "legacySortOptions");
  if (order !== "fifo" && order !== "legacy") throw new KubectlError("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === "fifo") {
    if (own === undefined) return resources;
    throw new KubectlError("the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'");
  }
  if (own === undefined) return inLegacyOrder(resources, defaultFirst, defaultLast);
  const kinds = objectAt(options, "legacySortOptions");
  return inLegacyOrder(resources, textsOf(kinds, "orderFirst"), textsOf(kinds, "orderLast"));
}

function inLegacyOrder(resources: readonly Resource[], first: readonly string[], last: readonly string[]): readonly Resource[] {
  const rank = ({ kind }: Id): number => {
    if (last.includes(kind)) return last.lastIndexOf(kind) + 1;
    return first.includes(kind) ? first.lastIndexOf(kind) - first.length : 0;
  };
  return resources
    .map((resource) => ({ resource, id: currentId(resource) }))
    .sort((a, b) => rank(a.id) - rank(b.id) || compareTexts(sortText(a.id), sortText(b.id)))
    .map(({ resource }) => resource);
}

/** What is not said comes after all that is. */
function sortText(id: Id): string {
  const { group, version, kind, namespace, name } = id;
  const kindOrder = [group || "~G", version || "~V", kind || "~K"].join("_");
  return `${kindOrder}\u0000${[kindText(id), namespace || "~X", name || "~N"].join("|")}`;
}
