// Where each kind has the template and the spec of its Pods.

import type { PodSpec, PodTemplateSpec } from "./generated/types.ts";
import type { KubeObject } from "./objects.ts";

const inSpec = ["spec", "template", "spec"];

/** Of Pods and of kinds that run them. PodTemplate, which runs nothing, is no such kind to kubectl and kustomize. */
export const podSpecPaths: { readonly [kind: string]: readonly string[] } = {
  Pod: ["spec"],
  ReplicationController: inSpec,
  ReplicaSet: inSpec,
  Deployment: inSpec,
  StatefulSet: inSpec,
  DaemonSet: inSpec,
  Job: inSpec,
  CronJob: ["spec", "jobTemplate", ...inSpec],
};

const allPaths: typeof podSpecPaths = { ...podSpecPaths, PodTemplate: ["template", "spec"] };

/** Kinds that have a template of Pods. */
export const templateKinds: readonly string[] = Object.keys(allPaths).filter((kind) => kind !== "Pod");

/** Where objects of a kind have a Pod or a template of one: metadata and a spec. A Pod is its own; undefined where there is none. */
export function podPlaceIn(kind: string): readonly string[] | undefined {
  return allPaths[kind]?.slice(0, -1);
}

/** The template in an object of one of `templateKinds`. */
export function podTemplateOf(object: KubeObject): PodTemplateSpec | undefined {
  return valueAt(object, allPaths[object.kind]?.slice(0, -1) ?? []) as PodTemplateSpec | undefined;
}

/** The spec of Pods, and where it is, in an object of any kind; undefined where there is none. */
export function podSpecOf(object: KubeObject): { readonly spec: PodSpec; readonly path: readonly string[] } | undefined {
  const path = allPaths[object.kind];
  const spec = path === undefined ? undefined : (valueAt(object, path) as PodSpec | undefined);
  return path === undefined || spec === undefined ? undefined : { spec, path };
}

function valueAt(object: KubeObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) value = (value as { readonly [name: string]: unknown } | undefined)?.[name];
  return value;
}
