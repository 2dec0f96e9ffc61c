// What a kustomization does to all its objects: namespace, prefix and suffix, labels, annotations, images, replicas.

import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../documents.ts";
import { kindOf, mapContainers, nameOf, type Resource, renamed, withEntries, withObject } from "./resource.ts";

const clusterScoped = new Set([
  ...["Namespace", "Node", "PersistentVolume", "StorageClass", "ClusterRole", "ClusterRoleBinding", "PriorityClass"],
  ...["CustomResourceDefinition", "IngressClass", "RuntimeClass", "CSIDriver", "CSINode", "VolumeAttachment", "APIService"],
  ...["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "FlowSchema"],
  ...["ValidatingAdmissionPolicyBinding", "PriorityLevelConfiguration", "CertificateSigningRequest", "ServiceCIDR", "IPAddress"],
]);
const neverPrefixed = new Set(["CustomResourceDefinition", "APIService", "Namespace"]);

export function inNamespace(resource: Resource, namespace: string): Resource {
  if (namespace === "") return resource;
  const kind = kindOf(resource);
  if (kind === "Namespace") return renamed(resource, namespace);
  let { object } = resource;
  if (!clusterScoped.has(kind)) object = withValue(object, ["metadata", "namespace"], namespace);
  if (kind.endsWith("RoleBinding")) {
    const subjects = arrayAt(object, "subjects").map((one) =>
      isObject(one) && textAt(one, "kind") === "ServiceAccount" && textAt(one, "name") === "default" ? { ...one, namespace } : one,
    );
    if (subjects.length > 0) object = withValue(object, ["subjects"], subjects);
  }
  return withObject(resource, object);
}

export function withAffixes(resource: Resource, prefix: string, suffix: string): Resource {
  if ((prefix === "" && suffix === "") || neverPrefixed.has(kindOf(resource))) return resource;
  return renamed(resource, `${prefix}${nameOf(resource)}${suffix}`);
}

/** Fields beside metadata that carry labels, by kind. */
const selectors: { readonly [kind: string]: readonly string[] } = {
  Service: ["spec", "selector"],
  ReplicationController: ["spec", "selector"],
  Deployment: ["spec", "selector", "matchLabels"],
  ReplicaSet: ["spec", "selector", "matchLabels"],
  DaemonSet: ["spec", "selector", "matchLabels"],
  StatefulSet: ["spec", "selector", "matchLabels"],
};
/** Selectors that are added to, but not made. */
const presentSelectors: { readonly [kind: string]: readonly string[] } = {
  Job: ["spec", "selector", "matchLabels"],
  PodDisruptionBudget: ["spec", "selector", "matchLabels"],
  NetworkPolicy: ["spec", "podSelector", "matchLabels"],
};

export interface LabelRule {
  readonly pairs: JsonObject;
  readonly selectors: boolean;
  readonly templates: boolean;
}

export function withLabels(resource: Resource, { pairs, selectors: inSelectors, templates }: LabelRule): Resource {
  const kind = kindOf(resource);
  let object = withEntries(resource.object, ["metadata", "labels"], pairs);
  const spec = podSpecPaths[kind];
  if (templates && spec !== undefined && kind !== "Pod") {
    object = withEntries(object, [...spec.slice(0, -1), "metadata", "labels"], pairs);
    if (kind === "CronJob") object = withEntries(object, ["spec", "jobTemplate", "metadata", "labels"], pairs);
  }
  if (inSelectors) {
    const selector = selectors[kind];
    if (selector !== undefined) object = withEntries(object, selector, pairs);
    const present = presentSelectors[kind];
    if (present !== undefined) object = withEntries(object, present, pairs, false);
  }
  return withObject(resource, object);
}

export function withAnnotations(resource: Resource, annotations: JsonObject): Resource {
  const kind = kindOf(resource);
  let object = withEntries(resource.object, ["metadata", "annotations"], annotations);
  const spec = podSpecPaths[kind];
  if (spec !== undefined && kind !== "Pod")
    object = withEntries(object, [...spec.slice(0, -1), "metadata", "annotations"], annotations);
  return withObject(resource, object);
}

/** `images:` entries: newName, newTag or digest for images of a name. */
export function withImages(resource: Resource, images: readonly JsonValue[]): Resource {
  if (images.length === 0) return resource;
  return mapContainers(resource, (container) => {
    const image = textAt(container, "image");
    const [, name = "", tag = ""] = /^(.*?)((?::[\w][\w.-]*)?(?:@.*)?)$/.exec(image) ?? [];
    const entry = images.find((one) => textAt(one, "name") === name);
    if (entry === undefined) return container;
    const newTag = valueAt(entry, "newTag");
    const digest = textAt(entry, "digest");
    let end = newTag === undefined ? tag : `:${String(newTag)}`;
    if (digest !== "") end = `@${digest}`;
    return { ...container, image: `${textAt(entry, "newName") || name}${end}` };
  });
}

const scalable = new Set(["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);

export function withReplicas(resource: Resource, replicas: readonly JsonValue[]): Resource {
  if (!scalable.has(kindOf(resource))) return resource;
  const names = [nameOf(resource), resource.originalName];
  const entry = replicas.find((one) => names.includes(textAt(one, "name")));
  const count = valueAt(entry, "count");
  return count === undefined ? resource : withObject(resource, withValue(resource.object, ["spec", "replicas"], count));
}

/** `labels:`, and `commonLabels:` which means everywhere. */
export function labelRules(kustomization: JsonObject): readonly LabelRule[] {
  const rules = arrayAt(kustomization, "labels").map((rule) => {
    const everywhere = valueAt(rule, "includeSelectors") === true;
    return {
      pairs: objectAt(rule, "pairs"),
      selectors: everywhere,
      templates: everywhere || valueAt(rule, "includeTemplates") === true,
    };
  });
  return [...rules, { pairs: objectAt(kustomization, "commonLabels"), selectors: true, templates: true }];
}
