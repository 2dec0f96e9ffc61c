// watch-delay on the workstation: a relay of the lab's between a component and the API server. No cluster has it; what it does any slow
// network or busy API server does too, only not so evenly.

import { formatGoDuration, parseGoDuration } from "#cluster/api/duration.ts";
import type { WatchDelays } from "#cluster/client/watch-delays.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

const usage = `Usage: watch-delay                            what lags
       watch-delay COMPONENT RESOURCE DELAY   from now on (10s, 1m30s; 0s: no longer)

A relay of this lab between a component (kube-controller-manager or
kube-scheduler) and the API server: it holds up the lists and watches by which
the component keeps its copy of a resource. Nothing is lost and nothing
overtakes. Reads of single objects and writes pass at once. No part of
Kubernetes.
`;

/** Why nothing was changed. */
export class DelayRefusal extends Error {}

/** `resource`: `pods`, `replicasets` or `replicasets.apps`. `delay`: as in Go. Throws DelayRefusal. */
export function setWatchDelay(
  components: ReadonlyMap<string, WatchDelays>,
  { component, resource, delay }: { readonly component: string; readonly resource: string; readonly delay: string },
): void {
  const delays = components.get(component);
  if (delays === undefined) throw new DelayRefusal(`no component "${component}": there are ${[...components.keys()].join(", ")}`);
  const found = delays.kept.filter((name) => name === resource || name.startsWith(`${resource}.`));
  const [name] = found.includes(resource) ? [resource] : found;
  if (name === undefined)
    throw new DelayRefusal(`${component} keeps no copy of "${resource}": there are ${delays.kept.join(", ") || "none yet"}`);
  const parsed = parseGoDuration(delay);
  if (!("ms" in parsed) || parsed.ms < 0) throw new DelayRefusal(`"${delay}" is no delay: write 10s, 1m30s or 0s`);
  delays.set(name, parsed.ms);
}

export function watchDelay(components: ReadonlyMap<string, WatchDelays>): Program {
  return function* (self) {
    const [component = "", resource = "", delay = "", ...more] = self.argv.slice(1);
    if (component === "") return yield* list(self, components);
    if (component === "--help" || component === "-h") {
      yield* self.write(1, usage);
      return 0;
    }
    if (delay === "" || more.length > 0) {
      yield* self.write(2, usage);
      return 2;
    }
    try {
      setWatchDelay(components, { component, resource, delay });
    } catch (error) {
      if (!(error instanceof DelayRefusal)) throw error;
      yield* self.write(2, `watch-delay: ${error.message}\n`);
      return 1;
    }
    return yield* list(self, components);
  };
}

function* list(self: Process, components: ReadonlyMap<string, WatchDelays>): Sys<number> {
  const rows = [...components].flatMap(([component, { all }]) =>
    [...all].map(([name, ms]) => [component, name, formatGoDuration(ms)] as const),
  );
  if (rows.length === 0) {
    yield* self.write(1, "Nothing is held up.\n");
    return 0;
  }
  const table = [["COMPONENT", "RESOURCE", "DELAY"] as const, ...rows];
  const [first, second] = [0, 1].map((column) => Math.max(...table.map((row) => (row[column] as string).length)) + 3);
  yield* self.write(1, table.map(([one, two, three]) => `${one.padEnd(first ?? 0)}${two.padEnd(second ?? 0)}${three}\n`).join(""));
  return 0;
}
