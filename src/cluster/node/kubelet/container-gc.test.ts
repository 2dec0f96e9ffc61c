import { describe, expect, it } from "vitest";
import { events } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import type { ContainerGcPolicy } from "./container-gc.ts";
import { instancesOf, shell, startedCluster } from "./kubelet.test-kit.ts";

/** Seconds since the kubelet's start: it collects at 60, 120 and so on. */
function started(containerGc: ContainerGcPolicy = {}) {
  const cluster = startedCluster({ kubelet: { containerGc, maxContainerRestartPeriodSeconds: 1 } });
  let second = 1;
  const until = (wanted: number): void => {
    cluster.simulation.advance((wanted - second) * 1000);
    second = wanted;
  };
  return { cluster, until };
}

const dead = (cluster: SmallCluster, pod: string, container: string): number =>
  instancesOf(cluster, pod, container).filter(({ state }) => state === "exited").length;

/** Ends `times` times, and then no more: its own file counts. */
const ending = (name: string, times: number) =>
  shell(name, `echo >> /data/${name}; [ $(wc -l < /data/${name}) -gt ${times} ] && sleep 100000; exit 1`, {
    volumeMounts: [{ name: "data", mountPath: "/data" }],
  });
const data = { volumes: [{ name: "data", emptyDir: {} }] };

describe("dead containers", () => {
  it("[POD-582] [POD-587] are kept by as many as the flag says, with their logs", () => {
    const { cluster, until } = started({ perContainer: 3 });
    cluster.createPod("p", { ...data, containers: [ending("c", 5)] });
    until(59);
    expect(dead(cluster, "p", "c")).toBe(3);
    until(200);
    expect(dead(cluster, "p", "c")).toBe(3);
    const uid = cluster.pod("p").metadata.uid;
    const logs = cluster.node.machine.files.readdir(`/var/log/pods/default_p_${uid}/c`);
    expect([...logs].sort()).toEqual(["2.log", "3.log", "4.log", "5.log"]);
  });

  it("[POD-554] [POD-580] [POD-583] go every minute from the first on, where there are more than the node may have: as many of each, then the oldest", () => {
    const { cluster, until } = started({ perContainer: 3, total: 3 });
    cluster.createPod("p", { ...data, containers: [ending("a", 3), ending("b", 3)] });
    until(59);
    expect([dead(cluster, "p", "a"), dead(cluster, "p", "b")]).toEqual([3, 3]);
    until(61);
    expect([dead(cluster, "p", "a"), dead(cluster, "p", "b")]).toEqual([1, 1]);
    cluster.createPod("q", { ...data, restartPolicy: "Never", containers: ["c", "d", "e"].map((name) => shell(name, "exit 0")) });
    until(119);
    const all = () => [
      dead(cluster, "p", "a") + dead(cluster, "p", "b"),
      dead(cluster, "q", "c") + dead(cluster, "q", "d") + dead(cluster, "q", "e"),
    ];
    expect(all()).toEqual([2, 3]);
    until(121);
    expect(all()).toEqual([0, 3]);
    expect(cluster.pod("p").status?.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([3, 3]);
  });

  it("[POD-581] go when they are old enough; whatever runs stays", () => {
    const { cluster, until } = started({ perContainer: 0, minimumAgeMs: 90_000 });
    cluster.createPod("p", { ...data, containers: [ending("c", 1), shell("runs", "sleep 100000")] });
    until(61);
    expect(dead(cluster, "p", "c")).toBe(1);
    until(121);
    expect([dead(cluster, "p", "c"), instancesOf(cluster, "p", "runs").length]).toEqual([0, 1]);
  });

  it("[POD-588] that cannot be collected are an event of the node", () => {
    const { cluster, until } = started();
    cluster.node.runtime.stop();
    until(130);
    const told = cluster.client
      .list(events, { namespace: "default" })
      .items.filter(({ reason }) => reason === "ContainerGCFailed")
      .map(({ type, message, count, involvedObject }) => [type, message, count, involvedObject.kind]);
    expect(told).toEqual([
      [
        "Warning",
        'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"',
        2,
        "Node",
      ],
    ]);
  });
});
