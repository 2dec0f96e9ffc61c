// What the cloud tells of the machine of a Node (cloudprovider.InstancesV2).

import type { Node, NodeAddress } from "../../api/generated/types.ts";
import type { Stored } from "../../api/objects.ts";
import type { Cloud, CloudMachine } from "../cloud.ts";

/** The kubelet was told an address that the machine does not have. */
export class UnknownAddress extends Error {}

const providedAddress = "alpha.kubernetes.io/provided-node-ip";

/** Before a Node has a provider ID, by its name; undefined: there is none. */
export function machineOfNode(cloud: Cloud, { metadata, spec }: Stored<Node>): CloudMachine | undefined {
  const { providerID = "" } = spec ?? {};
  return providerID === "" ? cloud.machine(metadata.name) : cloud.machineOf(providerID);
}

export function isShutDown({ state }: CloudMachine): boolean {
  return state === "stopped";
}

/** Those of the cloud, the one that the kubelet was told first (GetNodeAddressesFromNodeIP). Throws UnknownAddress for one that the cloud does not know. */
export function addressesOf({ address }: CloudMachine, node: Stored<Node>): readonly NodeAddress[] {
  const known: readonly NodeAddress[] = [{ type: "InternalIP", address }];
  const provided = node.metadata.annotations?.[providedAddress];
  const hostnames = (node.status?.addresses ?? []).filter(({ type }) => type === "Hostname");
  if (provided !== undefined && !known.some((each) => each.address === provided))
    throw new UnknownAddress(`failed to get node address from cloud provider that matches ip: ${provided}`);
  return [...known, ...hostnames];
}

/** Whether some are others (nodeAddressesChangeDetected): of each type the last counts. */
export function areOthers(before: readonly NodeAddress[], now: readonly NodeAddress[]): boolean {
  const byType = new Map(before.map(({ type, address }) => [type, address]));
  return before.length !== now.length || now.some(({ type, address }) => byType.get(type) !== address);
}
