// Empties a namespace that is being deleted, tells in its conditions what is left, and then lets it go
// (pkg/controller/namespace).

import type { Namespace } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

export const namespaceController: ControllerDefinition = {
  name: "namespace-controller",
  serviceAccount: "namespace-controller",
  create: (context) => new NamespaceController(context),
};

/** Time for other caches to see that the namespace is on its way out. */
const observationMs = 5_000;
/** However often it has failed, deletion is tried again each minute (nsControllerRateLimiter). */
const longestRetryMs = 60_000;

export class NamespaceController implements Controller {
  readonly name = "namespace-controller";
  readonly longestRetryMs = longestRetryMs;
  readonly watches = [
    watchRule<Namespace>({
      resource: kinds.namespaces,
      keys: (namespace, previous) => (this.#concerns(namespace, previous) ? [namespace.metadata.name] : []),
    }),
  ];
  readonly #context: ControllerContext;
  readonly #namespaces: Informer<Namespace>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#namespaces = context.informers.informer(kinds.namespaces);
  }

  /** Its own status writes wake nothing: time does. */
  #concerns(namespace: Stored<Namespace>, previous: Stored<Namespace> | undefined): boolean {
    return namespace.metadata.deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined;
  }

  reconcile(key: string): Requeue | undefined {
    const { simulation } = this.#context;
    const cached = this.#namespaces.get(key);
    const deletedAt = cached?.metadata.deletionTimestamp;
    if (deletedAt === undefined) return undefined;
    const ageMs = simulation.nowMs - parseTime(deletedAt);
    if (ageMs < observationMs) return { requeueAfterMs: observationMs - ageMs };
    return new latePasses.code.NamespacePass(this.#context).run(key);
  }
}
