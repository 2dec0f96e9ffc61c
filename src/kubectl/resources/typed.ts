// Objects as kubectl's own Go types write them: structs that are empty are still written. It shows where an object from a file is
// printed without having been to the server (--local).

import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import { isArray, isObject, type JsonObject, valueAt, withValue } from "../documents.ts";

const emptyStructs: { readonly [kind: string]: readonly (readonly [path: string, value: JsonObject])[] } = {
  Deployment: [
    ["spec.strategy", {}],
    ["status", {}],
  ],
  ReplicaSet: [["status", { replicas: 0 }]],
  ReplicationController: [["status", { replicas: 0 }]],
  StatefulSet: [
    ["spec.updateStrategy", {}],
    ["status", { availableReplicas: 0, replicas: 0 }],
  ],
  DaemonSet: [
    ["spec.updateStrategy", {}],
    ["status", { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 }],
  ],
  Job: [["status", {}]],
  CronJob: [["status", {}]],
  Pod: [["status", {}]],
  Service: [["status.loadBalancer", {}]],
};
const podSpecs = new Set(Object.values(podSpecPaths).map((path) => path.join(".")));

export function asTyped(object: JsonObject): JsonObject {
  let result = object;
  const kind = object["kind"];
  for (const [path, value] of typeof kind === "string" ? (emptyStructs[kind] ?? []) : []) {
    const names = path.split(".");
    if (valueAt(result, ...names) === undefined) result = withValue(result, names, value);
  }
  for (const path of podSpecs) {
    for (const list of ["containers", "initContainers"]) {
      const names = [...path.split("."), list];
      const containers = valueAt(result, ...names);
      if (!isArray(containers)) continue;
      const filled = containers.map((one) => (isObject(one) && one["resources"] === undefined ? { ...one, resources: {} } : one));
      result = withValue(result, names, filled);
    }
  }
  return result;
}
