// What `--cloud-provider=external` makes of a kubelet: its Node waits for a cloud's controller manager, and addresses that are there stay.

import type { Node, NodeAddress } from "#cluster/api/generated/types.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { type CloudInstance, instanceLabels, uninitializedTaint } from "../../cloud/node-marks.ts";

export class ExternalCloud {
  readonly #nodeIp: string | undefined;
  readonly #instance: CloudInstance | undefined;

  /** `nodeIp`: `--node-ip`. `instance`: what a manager is taken to have told a new Node at once. */
  constructor(nodeIp: string | undefined, instance?: CloudInstance) {
    this.#nodeIp = nodeIp;
    this.#instance = instance;
  }

  /** Its new Node has the taint. */
  get isAwaited(): boolean {
    return this.#instance === undefined;
  }

  /** Until the cloud has written some, the kubelet tells what it was told: its host name, and `--node-ip` (nodestatus.NodeAddress). */
  addressesOf(hostname: string, before: readonly NodeAddress[]): readonly NodeAddress[] {
    if (before.length > 0) return before;
    const named = { address: hostname, type: "Hostname" };
    return this.#nodeIp === undefined ? [named] : [{ address: this.#nodeIp, type: "InternalIP" }, named];
  }

  /** The object of a first registration. */
  register({ metadata, spec, ...others }: Draft<Node>): Draft<Node> {
    const instance = this.#instance;
    const provided = this.#nodeIp === undefined ? {} : { "alpha.kubernetes.io/provided-node-ip": this.#nodeIp };
    const annotations = { ...provided, ...metadata?.annotations };
    if (instance === undefined) {
      const taints = [...(spec?.taints ?? []), uninitializedTaint];
      return { ...others, metadata: { ...metadata, annotations }, spec: { ...spec, taints } };
    }
    const labels = { ...metadata?.labels, ...instanceLabels(instance) };
    return { ...others, metadata: { ...metadata, annotations, labels }, spec: { ...spec, providerID: instance.providerId } };
  }
}
