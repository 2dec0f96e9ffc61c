// A profile as the loop works with it: which plugins act at which extension point, in which order.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import type { Plugin } from "./framework.ts";
import type { DefaultSelectors } from "./plugins/pod-topology-spread.ts";

export interface WeightedPlugin {
  readonly plugin: Plugin;
  /** Factor of its score; 0 when it has none. */
  readonly weight: number;
}

/** What may help a Pod that fits nowhere. */
export type PostFilter = "DynamicResources" | "DefaultPreemption";

/** How many nodes a preemption is tried on: so many percent of those in question, and no fewer than `absolute`. */
export interface CandidateNodes {
  readonly percentage: number;
  readonly absolute: number;
}

export interface Profile {
  readonly preEnqueue: readonly Plugin[];
  /** In the order of PreFilter. */
  readonly filtering: readonly Plugin[];
  /** Names in the order of Filter, where that is another. */
  readonly filterOrder?: readonly string[] | undefined;
  readonly scoring: readonly WeightedPlugin[];
  readonly postFilters: readonly PostFilter[];
  readonly candidateNodes: CandidateNodes;
  readonly preBinding: readonly Plugin[];
  readonly bindTimeoutMs: number;
  /** Its own `percentageOfNodesToScore`. */
  readonly percentageOfNodesToScore?: number | undefined;
  /** Those that may say that an event helps a Pod which they refused. */
  readonly byName: ReadonlyMap<string, Plugin>;
}

/** What plugins are made of. */
export interface PluginParts {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly selectors: DefaultSelectors;
}

/** The name that a Pod asks for. */
export function schedulerOf(pod: Stored<Pod>): string {
  return pod.spec?.schedulerName ?? "default-scheduler";
}
