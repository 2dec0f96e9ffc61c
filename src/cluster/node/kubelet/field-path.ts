// Where an event about a container points: `spec.containers{web}`.

import { containersOf, initContainersOf, type StoredPod } from "./pod-spec.ts";

export function containerFieldPath(pod: StoredPod, name: string): string {
  if (containersOf(pod).some((each) => each.name === name)) return `spec.containers{${name}}`;
  if (initContainersOf(pod).some((each) => each.name === name)) return `spec.initContainers{${name}}`;
  return `spec.ephemeralContainers{${name}}`;
}
