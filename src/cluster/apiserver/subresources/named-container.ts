// Which container of a Pod a request for its log, or for a session in it, means.

import { badRequest } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { Typed } from "#cluster/resources/definition.ts";

/** The container to ask for: named, or the only one. Words of registry/core/pod's LogLocation. */
export function containerOf(pod: Typed<Pod>, asked: string, name: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  if (asked !== "") {
    const known = [...containers, ...initContainers, ...ephemeralContainers].some((container) => container.name === asked);
    if (!known) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  if (containers.length === 1) return containers[0]?.name ?? "";
  if (containers.length === 0) throw badRequest(`a container name must be specified for pod ${name}`);
  const choices = containers.map((container) => container.name).join(" ");
  const inits =
    initContainers.length === 0 ? "" : ` or one of the init containers: [${initContainers.map((one) => one.name).join(" ")}]`;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${choices}]${inits}`);
}
