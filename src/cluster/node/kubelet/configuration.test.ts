import { describe, expect, it } from "vitest";
import { kubeletOptionsOf } from "./configuration.ts";
import { configurationFile } from "./configuration-file.ts";

describe("a kubelet's configuration", () => {
  it("says when unused images go", () => {
    expect(kubeletOptionsOf({}).imageGc).toEqual({});
    const { imageGc } = kubeletOptionsOf({
      imageGCHighThresholdPercent: 70,
      imageGCLowThresholdPercent: 60,
      imageMinimumGCAge: "1m",
      imageMaximumGCAge: "12h45m",
    });
    expect(imageGc).toEqual({
      highThresholdPercent: 70,
      lowThresholdPercent: 60,
      minimumAgeSeconds: 60,
      maximumAgeSeconds: 45_900,
    });
  });

  it("takes nothing for a duration that is none", () => {
    expect(() => kubeletOptionsOf({ imageMaximumGCAge: "10 minutes" })).toThrow();
  });
});

describe("/var/lib/kubelet/config.yaml", () => {
  it("is what kubeadm writes, with a node's own fields", () => {
    const cluster = { clusterDns: "10.96.0.10", clusterDomain: "cluster.local" };
    const text = configurationFile({ maxPods: 20, systemReserved: { cpu: "100m" }, serializeImagePulls: undefined }, cluster);
    expect(text).toMatch(/^apiVersion: kubelet\.config\.k8s\.io\/v1beta1\nauthentication:\n {2}anonymous:\n {4}enabled: false\n/u);
    expect(text).toContain("clusterDNS:\n- 10.96.0.10\nclusterDomain: cluster.local\n");
    expect(text).toContain("\nmaxPods: 20\nmemorySwap: {}\n");
    expect(text).toContain("\nsystemReserved:\n  cpu: 100m\nvolumeStatsAggPeriod: 0s\n");
    expect(text).not.toContain("serializeImagePulls");
  });
});
