// The network plugin looks for NetworkPolicies. Until the first one comes it does nothing else, and connections are asked about only while
// there are some.

import { networkPolicies } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import type { Simulation } from "#sim/simulation.ts";
import { latePolicies } from "./late-policies.ts";
import type { AdmitOpening } from "./opening.ts";
import type { PolicyAgent } from "./policy-agent.ts";

export interface EnforcementOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  /** Where connections ask. */
  readonly network: { admitOpening: AdmitOpening | undefined };
}

export function enforceNetworkPolicies({ simulation, client, network }: EnforcementOptions): void {
  const policies = new Informer(simulation, client, networkPolicies);
  let agent: PolicyAgent | undefined;
  policies.addHandler(({ metadata }) => {
    agent ??= new latePolicies.code.PolicyAgent(simulation, client, policies);
    agent.changed(metadata.namespace ?? "");
    network.admitOpening = policies.size === 0 ? undefined : agent.admits;
  });
  policies.start();
}
