import { describe, expect, it } from "vitest";
import { SmallCluster } from "../testing/small-cluster.ts";

describe("starting a pod", () => {
  it("runs nginx and reports it ready", () => {
    const cluster = new SmallCluster();
    cluster.startKubelets();
    cluster.createPod("web", {});
    cluster.untilReady("web");
    console.log(JSON.stringify(cluster.pod("web").status, null, 1));
    console.log(cluster.eventsOf("web"));
    console.log(cluster.eventsOf("node-1"));
    console.log(cluster.node.runtime.containersOf(cluster.pod("web").metadata.uid)[0]?.log.fileText());
    expect(cluster.pod("web").status?.phase).toBe("Running");
  });
});
