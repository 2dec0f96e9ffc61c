// What is wrong with a KubeProxyConfiguration, in upstream's words, and what its fields are when nothing is said.

import { describe, expect, it } from "vitest";
import { decode } from "#cluster/api/go-fields.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import { parseYaml } from "#cluster/api/yaml-text.ts";
import { faultOf } from "./configuration-faults.ts";
import { configurationShape, printedConfiguration, unusualFields, withDefaults } from "./configuration-fields.ts";
import { kubeadmConfiguration } from "./settings.ts";

const sound = { mode: "iptables", detectLocalMode: "ClusterCIDR", clusterCIDR: "10.244.0.0/16" };

describe("a KubeProxyConfiguration", () => {
  it("[NET-095] as kubeadm writes it says nothing unusual but where the Pods and the API server are", () => {
    const { value, unknown } = decode(configurationShape, parseYaml(kubeadmConfiguration("10.244.0.0/16")).value);
    const whole = withDefaults(value);
    expect(unknown).toEqual([]);
    expect(unusualFields(whole)).toEqual(["clientConnection.kubeconfig", "clusterCIDR"]);
    expect(printedConfiguration(whole)).toMatchObject({
      bindAddress: "0.0.0.0",
      configSyncPeriod: "15m0s",
      conntrack: { maxPerCore: 32_768, min: 131_072, tcpCloseWaitTimeout: "1h0m0s", tcpEstablishedTimeout: "24h0m0s" },
      iptables: { localhostNodePorts: true, masqueradeAll: false, masqueradeBit: 14, minSyncPeriod: "1s", syncPeriod: "30s" },
      logging: { format: "text", flushFrequency: "5s" },
      nodePortAddresses: null,
      oomScoreAdj: -999,
    });
  });

  it("keeps a pointer's zero, and takes the default for other zeros", () => {
    const { iptables, clientConnection } = withDefaults({
      iptables: { masqueradeBit: 0, localhostNodePorts: false, syncPeriod: 0 },
      clientConnection: { burst: 0 },
    });
    expect([iptables.masqueradeBit, iptables.localhostNodePorts, iptables.syncPeriod]).toEqual([0, false, 30_000]);
    expect(clientConnection.burst).toBe(10);
  });

  it.each<[string, JsonObject]>([
    [
      'KubeProxyConfiguration.Mode.ProxyMode: Invalid value: "userspace": must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])',
      { mode: "userspace" },
    ],
    [
      "KubeProxyConfiguration.KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: 32: must be within the range [0, 31]",
      { iptables: { masqueradeBit: 32 } },
    ],
    [
      'KubeProxyConfiguration.SyncPeriod: Invalid value: "1m0s": must be greater than or equal to KubeProxyConfiguration.MinSyncPeriod',
      { iptables: { minSyncPeriod: 60_000 } },
    ],
    [
      "KubeProxyConfiguration.NodePortAddresses[1]: Invalid value: \"primary\": can't use both 'primary' and CIDRs",
      { nodePortAddresses: ["10.0.0.0/8", "primary"] },
    ],
    [
      'KubeProxyConfiguration.NodePortAddresses[0]: Invalid value: "172.18.0.2": must be a valid CIDR',
      { nodePortAddresses: ["172.18.0.2"] },
    ],
    [
      'KubeProxyConfiguration.DetectLocalMode: Unsupported value: "Pods": supported values: "ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", ""',
      { detectLocalMode: "Pods" },
    ],
    [
      'KubeProxyConfiguration.DetectLocalConfiguration.ClusterCIDRs[0]: Invalid value: "pods": must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)',
      { clusterCIDR: "pods" },
    ],
    [
      '[KubeProxyConfiguration.HealthzBindAddress: Invalid value: "here": must be a valid IP, KubeProxyConfiguration.MetricsBindAddress: Invalid value: "0": must be a valid port]',
      { healthzBindAddress: "here:1", metricsBindAddress: "127.0.0.1:0" },
    ],
    [
      "KubeProxyConfiguration.KubeProxyLinuxConfiguration.OOMScoreAdj: Invalid value: -2000: must be within the range [-1000, 1000]",
      { oomScoreAdj: -2000 },
    ],
    ['KubeProxyConfiguration.PortRange: Invalid value: "9-1": must be a valid port range (e.g. 300-2000)', { portRange: "9-1" }],
    [
      'KubeProxyConfiguration.BindAddress: Invalid value: "here": not a valid textual representation of an IP address',
      { bindAddress: "here" },
    ],
  ])("[NET-111] is refused: %s", (fault, fields) => {
    expect(faultOf(withDefaults({ ...sound, ...fields }))).toBe(fault);
  });

  it("is sound with every field that is there to be used", () => {
    expect(faultOf(withDefaults({ ...sound, nodePortAddresses: ["primary"], portRange: "300+20" }))).toBeUndefined();
  });
});
