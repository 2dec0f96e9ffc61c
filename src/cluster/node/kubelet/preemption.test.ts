import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { conditionOf, shell, startedCluster, stateOf } from "./kubelet.test-kit.ts";
import type { StoredPod } from "./pod-spec.ts";
import { podsToPreempt } from "./preemption.ts";

const mebibyte = 1024 ** 2;

/** `NAME [!]CPU[/LIMIT] MEMORY[/LIMIT]`, critical with a `!`. */
function pod(text: string): StoredPod {
  const [name = "", cpu = "0", memory = "0"] = text.split(" ");
  const amounts = { cpu: cpu.replace("!", "").split("/"), memory: memory.split("/") };
  const of = (index: number) =>
    Object.fromEntries(
      Object.entries(amounts).flatMap(([resource, given]) => (given[index] === undefined ? [] : [[resource, given[index]]])),
    );
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: {
      priority: cpu.startsWith("!") ? 2_000_000_000 : 0,
      containers: [{ name: "c", resources: { requests: of(0), limits: of(1) } }],
    },
  };
}

const missing = (resource: string, amount: number) => ({ resource, requested: amount, used: 0, capacity: 0 });

describe("the pods that a node ends for a critical one", () => {
  const best = pod("best");
  const small = pod("small 100m 100Mi");
  const large = pod("large 300m 300Mi");
  const sure = pod("sure 100m/100m 100Mi/100Mi");
  const surer = pod("surer 300m/300m 300Mi/300Mi");
  const all = [pod("critical !1 1Gi"), best, small, large, sure, surer];

  it.each<[string, readonly (readonly [string, number])[], readonly string[]]>([
    ["are one of the lowest quality that does", [["memory", 100 * mebibyte]], ["small"]],
    ["are the nearest to what is missing", [["memory", 250 * mebibyte]], ["large"]],
    ["spare the small when the large does alone", [["cpu", 300]], ["large"]],
    ["are as many as it takes", [["cpu", 400]], ["large", "small"]],
    ["are guaranteed ones last", [["memory", 500 * mebibyte]], ["large", "small", "sure"]],
    [
      "count for all that is missing",
      [
        ["cpu", 100],
        ["memory", 300 * mebibyte],
      ],
      ["large"],
    ],
    ["are any where pods are too many, of the lowest quality", [["pods", 1]], ["best"]],
  ])("[POD-467] %s", (_title, shortages, names) => {
    const found = podsToPreempt(
      pod("new !1 1Gi"),
      all,
      shortages.map(([resource, amount]) => missing(resource, amount)),
    );
    expect("victims" in found && found.victims.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it("[POD-467] are none when all together do not do, and no critical ones", () => {
    expect(podsToPreempt(pod("new !1 1Gi"), all, [missing("cpu", 900), missing("memory", 1)])).toEqual({
      fault:
        "preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 100), ]",
    });
  });
});

describe("a critical pod on a full node", () => {
  const asking = (name: string, cpu: string) =>
    shell(name, "trap 'exit 0' TERM; while true; do sleep 1; done", { resources: { requests: { cpu } } });
  const critical = { priorityClassName: "system-node-critical" };

  it("[POD-154] [POD-169] [POD-467] starts when others have ended for it, as Failed", () => {
    const cluster = startedCluster();
    cluster.createPod("kept", { containers: [asking("c", "500m")] });
    cluster.createPod("ended", { containers: [asking("c", "1")] });
    cluster.untilReady("ended");
    cluster.createPod("needed", { ...critical, containers: [asking("c", "1500m")] });
    cluster.simulation.advance(200);
    expect([cluster.pod("needed").status?.phase, cluster.pod("ended").metadata.deletionTimestamp]).toEqual(["Pending", undefined]);
    cluster.untilReady("needed");
    expect(cluster.pod("ended").status).toMatchObject({
      phase: "Failed",
      reason: "Preempting",
      message: "Preempted in order to admit critical pod",
    });
    expect(conditionOf(cluster, "ended", "DisruptionTarget")).toBe(
      "True TerminationByKubelet Pod was preempted by Kubelet to accommodate a critical pod.",
    );
    expect(cluster.eventsOf("ended").slice(-2)).toEqual([
      "Warning Preempting Preempted in order to admit critical pod",
      "Normal Killing Stopping container c",
    ]);
    expect([stateOf(cluster, "ended", "c"), stateOf(cluster, "kept", "c")]).toEqual(["terminated: Completed 0", "running"]);
  });

  it("[POD-467] is refused where that would not help, or where it does not belong", () => {
    const cluster = startedCluster();
    cluster.createPod("kept", { containers: [asking("c", "1500m")] });
    cluster.untilReady("kept");
    cluster.createPod("large", { ...critical, containers: [asking("c", "3")] });
    cluster.createPod("elsewhere", { ...critical, nodeSelector: { disk: "ssd" }, containers: [asking("c", "1")] });
    cluster.simulation.advance(5_000);
    expect(["large", "elsewhere"].map((name) => cluster.pod(name).status)).toMatchObject([
      {
        phase: "Failed",
        reason: "UnexpectedAdmissionError",
        message:
          "Pod was rejected: Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]",
      },
      { reason: "NodeAffinity" },
    ]);
    expect(stateOf(cluster, "kept", "c")).toBe("running");
  });

  it("[POD-467] may be deleted while it waits", () => {
    const cluster = startedCluster();
    const slow = shell("c", "trap '' TERM; while true; do sleep 1; done", { resources: { requests: { cpu: "2" } } });
    cluster.createPod("slow", { terminationGracePeriodSeconds: 20, containers: [slow] });
    cluster.untilReady("slow");
    cluster.createPod("needed", { ...critical, containers: [asking("c", "1")] });
    cluster.simulation.advance(5_000);
    expect(cluster.node.runtime.containersOf(cluster.pod("needed").metadata.uid)).toEqual([]);
    cluster.client.delete(pods, { namespace: "default", name: "needed" });
    cluster.simulation.advance(5_000);
    expect([cluster.hasPod("needed"), stateOf(cluster, "slow", "c")]).toEqual([false, "running"]);
  });
});
