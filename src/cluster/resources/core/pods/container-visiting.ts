// All containers of a pod with their places, in upstream's order: init containers, containers, ephemeral ones
// (pkg/apis/core/pods: VisitContainersWithPath).

import type { Container, EphemeralContainer, PodSpec } from "#cluster/api/generated/types.ts";
import type { Path } from "../../field-errors.ts";

/** Whether one of them is so: asked before a walk that needs paths. */
export function someContainer(spec: PodSpec, is: (container: Container) => boolean): boolean {
  const { containers, initContainers, ephemeralContainers } = spec;
  return (
    containers?.some(is) === true ||
    initContainers?.some(is) === true ||
    (ephemeralContainers as Container[] | undefined)?.some(is) === true
  );
}

/** The path is made when asked for: most visits need none. */
export function forEachContainer(
  spec: PodSpec,
  path: Path,
  visit: (container: Container | EphemeralContainer, at: () => Path) => void,
): void {
  for (const name of ["initContainers", "containers", "ephemeralContainers"] as const) {
    const containers = spec[name];
    if (containers === undefined) continue;
    for (let index = 0; index < containers.length; index += 1) {
      visit(containers[index] as Container, () => path.child(name).index(index));
    }
  }
}
