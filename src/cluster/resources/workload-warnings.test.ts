// Every kind that makes Pods warns of what a Pod of its template would be warned of, at its creation and when its spec changes.

import { describe, expect, it } from "vitest";
import type { KubeObject } from "#cluster/api/objects.ts";
import { daemonSets } from "./apps/daemonsets.ts";
import { deployments } from "./apps/deployments.ts";
import { replicaSets } from "./apps/replicasets.ts";
import { statefulSets } from "./apps/statefulsets.ts";
import { cronJobs } from "./batch/cronjobs.ts";
import { jobs } from "./batch/jobs.ts";
import { podTemplates } from "./core/pods/podtemplates.ts";
import { replicationControllers } from "./core/replicationcontrollers.ts";
import type { ResourceDefinition } from "./definition.ts";

const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "web", image: "nginx" }], nodeSelector: { "beta.kubernetes.io/os": "linux" } },
};
const ofPod = 'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';

const kinds: readonly (readonly [string, ResourceDefinition, string, object])[] = [
  ["Deployment", deployments as ResourceDefinition, "spec.template", { spec: { template } }],
  ["ReplicaSet", replicaSets as ResourceDefinition, "spec.template", { spec: { template } }],
  ["ReplicationController", replicationControllers as ResourceDefinition, "spec.template", { spec: { template } }],
  ["DaemonSet", daemonSets as ResourceDefinition, "spec.template", { spec: { template } }],
  ["StatefulSet", statefulSets as ResourceDefinition, "spec.template", { spec: { template } }],
  ["Job", jobs as ResourceDefinition, "spec.template", { spec: { template } }],
  ["CronJob", cronJobs as ResourceDefinition, "spec.jobTemplate.spec.template", { spec: { jobTemplate: { spec: { template } } } }],
  ["PodTemplate", podTemplates as ResourceDefinition, "template", { template }],
];

describe("warnings of templates", () => {
  it.each(kinds)("%s: at its creation and with a new generation", (_kind, { warnings }, path, fields) => {
    const made = { apiVersion: "v1", kind: "X", metadata: { name: "web", generation: 1 }, ...fields } as KubeObject;
    const changed = { ...structuredClone(made), metadata: { ...made.metadata, generation: 2 } } as KubeObject;
    expect(warnings?.(made, undefined)).toEqual([`${path}.${ofPod}`]);
    expect(warnings?.(changed, made)).toEqual([`${path}.${ofPod}`]);
  });

  it("are not given again while the spec stays", () => {
    const made = {
      apiVersion: "v1",
      kind: "X",
      metadata: { name: "Web.1", generation: 1 },
      spec: { template },
    } as KubeObject;
    for (const [, { warnings }] of kinds.slice(0, 5)) expect(warnings?.({ ...made }, made)).toEqual([]);
  });
});
