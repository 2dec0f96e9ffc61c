// /var/lib/kubelet/config.yaml as kubeadm writes it: what it sets, the fields of a node's own configuration, and the zero values
// that the types of KubeletConfiguration always write.

import type { JsonObject } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import type { KubeletConfiguration } from "./configuration-fields.ts";
import { kubeadmEndpoint } from "./runtime-connection.ts";

/** Of the cluster, in each node's file. */
export interface ClusterAddresses {
  readonly clusterDns: string;
  readonly clusterDomain: string;
}

export function configurationFile(own: KubeletConfiguration, cluster: ClusterAddresses): string {
  return writeYaml(configurationObject(own, cluster));
}

export function configurationObject(own: KubeletConfiguration, cluster: ClusterAddresses): JsonObject {
  const stated = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    authentication: {
      anonymous: { enabled: false },
      webhook: { cacheTTL: "0s", enabled: true },
      x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
    },
    authorization: { mode: "Webhook", webhook: { cacheAuthorizedTTL: "0s", cacheUnauthorizedTTL: "0s" } },
    cgroupDriver: "systemd",
    clusterDNS: [cluster.clusterDns],
    clusterDomain: cluster.clusterDomain,
    containerRuntimeEndpoint: kubeadmEndpoint,
    cpuManagerReconcilePeriod: "0s",
    crashLoopBackOff: {},
    evictionPressureTransitionPeriod: "0s",
    fileCheckFrequency: "0s",
    healthzBindAddress: "127.0.0.1",
    healthzPort: 10248,
    httpCheckFrequency: "0s",
    imageMaximumGCAge: "0s",
    imageMinimumGCAge: "0s",
    kind: "KubeletConfiguration",
    logging: { flushFrequency: 0, options: { json: { infoBufferSize: "0" }, text: { infoBufferSize: "0" } }, verbosity: 0 },
    memorySwap: {},
    nodeStatusReportFrequency: "0s",
    nodeStatusUpdateFrequency: "0s",
    rotateCertificates: true,
    runtimeRequestTimeout: "0s",
    shutdownGracePeriod: "0s",
    shutdownGracePeriodCriticalPods: "0s",
    staticPodPath: "/etc/kubernetes/manifests",
    streamingConnectionIdleTimeout: "0s",
    syncFrequency: "0s",
    volumeStatsAggPeriod: "0s",
    ...stated,
  };
}
