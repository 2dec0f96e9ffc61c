// What of kube-proxy's configuration acts here.

export interface ProxySettings {
  /** Ranges of the node's addresses that take connections to node ports; none: all do. */
  readonly nodePortAddresses: readonly string[];
  /** iptables.localhostNodePorts: whether loopback addresses are among them. */
  readonly localhostNodePorts: boolean;
  /** Unknown fields and fields said twice: they are let be. */
  readonly loose: readonly string[];
}

/** Kubeadm's. */
export const usualSettings: ProxySettings = { nodePortAddresses: [], localhostNodePorts: true, loose: [] };
