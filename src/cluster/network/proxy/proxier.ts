// What every mode of kube-proxy is: it writes the node's rules from what is known of Services.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { NodeNetwork } from "../network.ts";
import type { NodePlace } from "./endpoints.ts";
import type { RuleCache } from "./rule-cache.ts";
import type { ProxySettings } from "./settings.ts";

/** What a sync works on. */
export interface ProxyView {
  readonly nowMs: number;
  readonly place: NodePlace;
  /** By namespace and name. */
  services(): readonly Stored<Service>[];
  slicesOf(service: Stored<Service>): readonly Stored<EndpointSlice>[];
}

export interface ProxierParts {
  readonly settings: ProxySettings;
  readonly network: NodeNetwork;
  readonly ruleCache: RuleCache;
}

export interface Proxier {
  /** Makes the rules say what the view says. An error is tried again after the sync period. */
  sync(view: ProxyView): void;
  /** The rules stay. */
  stop(): void;
}
