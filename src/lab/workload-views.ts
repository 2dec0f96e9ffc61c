// What makes Pods, as the picture counts it: of chains of owners the topmost alone.

import { cronJobs, daemonSets, deployments, jobs, replicaSets, replicationControllers, statefulSets } from "#cluster/api/kinds.ts";
import { qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import { jobCompletions, jobStatus } from "#cluster/resources/batch/job-cells.ts";
import type { ObjectLister } from "./cluster-view.ts";
import type { WorkloadView } from "./picture-view.ts";

type Summary = Pick<WorkloadView, "count" | "short" | "text">;

/** How a kind is summed up. */
interface Kind<T> {
  readonly type: ResourceType<T>;
  readonly summary: (object: Stored<T>) => Summary;
}

function kind<T>(type: ResourceType<T>, summary: (object: Stored<T>) => Summary): Kind<unknown> {
  return { type, summary } as Kind<unknown>;
}

const kinds: readonly Kind<unknown>[] = [
  kind(deployments, ({ spec, status }) => replicas(status?.readyReplicas, spec?.replicas)),
  kind(statefulSets, ({ spec, status }) => replicas(status?.readyReplicas, spec?.replicas)),
  kind(daemonSets, ({ status }) => replicas(status?.numberReady, status?.desiredNumberScheduled)),
  kind(replicaSets, ({ spec, status }) => replicas(status?.readyReplicas, spec?.replicas)),
  kind(replicationControllers, ({ spec, status }) => replicas(status?.readyReplicas, spec?.replicas)),
  kind(cronJobs, ({ spec }) => ({
    count: "",
    short: false,
    text: spec?.suspend === true ? "Suspended" : (spec?.schedule ?? ""),
  })),
  kind(jobs, (job) => ({ count: jobCompletions(job), short: false, text: jobStatus(job) })),
];

function replicas(ready = 0, desired = 0): Summary {
  return { count: `${ready}/${desired}`, short: ready < desired, text: "" };
}

export function workloadViews(list: ObjectLister): readonly WorkloadView[] {
  return kinds.flatMap(({ type, summary }) =>
    list(type)
      .filter((object) => controllerOf(object) === undefined)
      .map((object) => ({
        resource: qualifiedResource(type),
        kind: type.kind,
        namespace: object.metadata.namespace ?? "",
        name: object.metadata.name,
        ...summary(object),
        deleting: object.metadata.deletionTimestamp !== undefined,
      })),
  );
}

/** The count or word by which an object in the picture says how it is; "" for other kinds. */
export function workloadText(type: ResourceType<unknown>, object: Stored<unknown>): string {
  const found = kinds.find((one) => one.type === type)?.summary(object);
  return found === undefined ? "" : [found.count, found.text].filter((part) => part !== "").join(" ");
}
