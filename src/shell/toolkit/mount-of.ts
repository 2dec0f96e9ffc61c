// The mount that a path lies on.

import type { Process } from "#sim/program.ts";

type Mounts = ReturnType<Process["mounts"]>;

/** Of several at one place the last. Throws SysError for a path that is not there. */
export function mountOf(self: Pick<Process, "mounts" | "realpath">, path: string): Mounts[number] | undefined {
  const real = self.realpath(path);
  const covering = self.mounts().filter((mount) => real === mount.path || mount.path === "/" || real.startsWith(`${mount.path}/`));
  return covering.toSorted((a, b) => a.path.length - b.path.length).at(-1);
}
