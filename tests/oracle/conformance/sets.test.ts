// Which tests belong to which set.

import { expect, it } from "vitest";
import { testsOf } from "./sets.ts";

const conformance = "[sig-apps] Job should adopt matching orphans [Conformance]";
const wider = "[sig-node] Probing container should be ready immediately after startupProbe succeeds [NodeConformance]";
const skipsItself = "[sig-node] SSH should SSH to all nodes and run commands";
const others = [
  "[sig-apps] CronJob should not schedule jobs when suspended [Slow] [Conformance]",
  "[sig-network] LoadBalancers [Feature:LoadBalancer] should be able to change the type",
  "[sig-node] Pods Extended [FeatureGate:PodReadyToStartContainersCondition] [Beta]",
  "[sig-node] NoExecuteTaintManager Single Pod [Serial] evicts pods",
  "[sig-apps] StatefulSet works [Disruptive]",
  "[sig-node] Security Context should support volume SELinux relabeling [Flaky] [LinuxOnly]",
  "[sig-storage] In-tree Volumes [Driver: nfs] [Testpattern: Dynamic PV (default fs)] subPath",
  "[sig-storage] PersistentVolumes-local [Volume type: block] One pod requesting one prebound PVC",
  "[sig-storage] CSI Mock workload info CSI workload information using mock driver",
  "[sig-storage] PersistentVolumes NFS with Single PV - PVC pairs create a PV and a pre-bound PVC: test write access",
] as const;
const all = [conformance, wider, skipsItself, ...others];

it("offers beyond conformance what upstream plays on every cluster", () => {
  expect(testsOf("wider", all)).toEqual([wider, skipsItself]);
});

it("offers conformance, slow or not, and everything", () => {
  expect(testsOf("conformance", all)).toEqual([conformance, others[0]]);
  expect(testsOf("all", all)).toEqual(all);
});
