// What every mode of kube-proxy is: it writes the node's rules from what is known of Services.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Rule, TableName } from "../netfilter/rules.ts";
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

/** What could not be written: rules of shared chains that lead to chains which are not there. */
export interface FailedRestore {
  /** Of all Services, table by table. */
  readonly chains: readonly (readonly [table: TableName, chain: string, rules: readonly Rule[]])[];
  /** How many chains of Services were to be written. */
  readonly ownChains: number;
  readonly isThere: (rule: Rule) => boolean;
}

export interface IptablesParts extends ProxierParts {
  /** Says in the log that a sync has failed. */
  readonly tellFailure: (failed: FailedRestore) => void;
}

/** What modes beside iptables need, too. */
export interface OtherParts extends ProxierParts {
  readonly simulation: Simulation;
  readonly client: Client;
  /** To be called when there is something to sync. */
  readonly changed: () => void;
  /** Says in the log that a sync has failed. */
  readonly tellFailure: () => void;
}

export interface Proxier {
  /**
   * Makes the rules say what the view says; false: could not, and is to be tried again after the sync period. Forced: nothing is as it was
   * left.
   */
  sync(view: ProxyView, isForced: boolean): boolean;
  /** The rules stay. */
  stop(): void;
}
