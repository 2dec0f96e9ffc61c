// The order in which kustomize writes objects: what others need comes first, webhooks last.

import { compareTexts } from "#sim/compare-texts.ts";
import { textAt } from "../documents.ts";
import { kindOf, type Resource } from "./resource.ts";

const first = [
  ...["Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy", "Role"],
  ...["ClusterRole", "RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service", "LimitRange"],
  ...["PriorityClass", "PersistentVolume", "PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget"],
];
const last = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

function rank(resource: Resource): number {
  const kind = kindOf(resource);
  if (first.includes(kind)) return first.indexOf(kind) - first.length;
  return last.includes(kind) ? last.indexOf(kind) + 1 : 0;
}

function sortText(resource: Resource): string {
  const { object } = resource;
  const [version = "", group = ""] = textAt(object, "apiVersion").split("/").reverse();
  return [group, version, kindOf(resource), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")].join(
    "\u0000",
  );
}

export function inLegacyOrder(resources: readonly Resource[]): readonly Resource[] {
  return [...resources].sort((a, b) => rank(a) - rank(b) || compareTexts(sortText(a), sortText(b)));
}
