// What kube-proxy goes by, and the configuration with which kubeadm starts it.

import type { WholeConfiguration } from "./configuration-fields.ts";

export type ProxyMode = "iptables" | "ipvs" | "nftables";

export interface ProxySettings {
  readonly mode: ProxyMode;
  /** Nobody said which. */
  readonly isModeAssumed: boolean;
  /** Where Pods are, on all nodes or on its own: other sources of traffic to cluster IPs are masqueraded. Undefined: not known. */
  readonly podRange: string | undefined;
  readonly masqueradeAll: boolean;
  /** Set on packets that are to be masqueraded. */
  readonly masqueradeMark: number;
  /** Ranges of the node's addresses that take connections to node ports; none: all of them do. */
  readonly nodePortAddresses: readonly string[];
  readonly localhostNodePorts: boolean;
  /** How long a flushed table may stay unnoticed, and a failure may last. */
  readonly syncPeriodMs: number;
  readonly minimumSyncMs: number;
  /** `0.0.0.0:10256` */
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly isProfiled: boolean;
  /** As it was read; absent: kubeadm's. */
  readonly configuration?: WholeConfiguration;
}

export interface NodePortPlaces {
  /** Undefined: all, but perhaps for those of the loopback. */
  readonly addresses: readonly string[] | undefined;
  readonly isOnLoopback: boolean;
}

export function usualSettings(clusterCidr: string): ProxySettings {
  return {
    mode: "iptables",
    isModeAssumed: true,
    podRange: clusterCidr,
    masqueradeAll: false,
    masqueradeMark: 0x4000,
    nodePortAddresses: [],
    localhostNodePorts: true,
    syncPeriodMs: 30_000,
    minimumSyncMs: 1000,
    healthAddress: "0.0.0.0:10256",
    metricsAddress: "127.0.0.1:10249",
    isProfiled: false,
  };
}

/** What kubeadm puts into the ConfigMap `kube-proxy` as `config.conf`. */
export function kubeadmConfiguration(clusterCidr: string): string {
  return `apiVersion: kubeproxy.config.k8s.io/v1alpha1
bindAddress: 0.0.0.0
bindAddressHardFail: false
clientConnection:
  acceptContentTypes: ""
  burst: 0
  contentType: ""
  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
  qps: 0
clusterCIDR: ${clusterCidr}
configSyncPeriod: 0s
conntrack:
  maxPerCore: null
  min: null
  tcpBeLiberal: false
  tcpCloseWaitTimeout: null
  tcpEstablishedTimeout: null
  udpStreamTimeout: 0s
  udpTimeout: 0s
detectLocal:
  bridgeInterface: ""
  interfaceNamePrefix: ""
detectLocalMode: ""
enableProfiling: false
healthzBindAddress: ""
hostnameOverride: ""
iptables:
  localhostNodePorts: null
  masqueradeAll: false
  masqueradeBit: null
  minSyncPeriod: 0s
  syncPeriod: 0s
ipvs:
  excludeCIDRs: null
  minSyncPeriod: 0s
  scheduler: ""
  strictARP: false
  syncPeriod: 0s
  tcpFinTimeout: 0s
  tcpTimeout: 0s
  udpTimeout: 0s
kind: KubeProxyConfiguration
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
    text:
      infoBufferSize: "0"
  verbosity: 0
metricsBindAddress: ""
mode: ""
nftables:
  masqueradeAll: false
  masqueradeBit: null
  minSyncPeriod: 0s
  syncPeriod: 0s
nodePortAddresses: null
oomScoreAdj: null
portRange: ""
showHiddenMetricsForVersion: ""
winkernel:
  enableDSR: false
  forwardHealthCheckVip: false
  networkName: ""
  rootHnsEndpointName: ""
  sourceVip: ""`;
}
