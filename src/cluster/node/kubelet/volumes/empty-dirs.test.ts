// Directories that a Pod has for itself.

import { describe, expect, it } from "vitest";
import { pods, secrets } from "#cluster/api/kinds.ts";
import { instancesOf, logOf, shell, startedCluster } from "../kubelet.test-kit.ts";

const at = (mountPath: string, name = "v") => ({ volumeMounts: [{ name, mountPath }] });
const volumes = [{ name: "v", emptyDir: {} }];

describe("an emptyDir", () => {
  it("[NET-274] begins empty and open to all, is seen by the containers that mount it, and outlives them, not the Pod", () => {
    const cluster = startedCluster();
    const writer = shell("writer", "stat -c '%a %u %g' /w; ls -A /w; date >> /w/starts; sleep 15", at("/w"));
    const reader = shell("reader", "while sleep 1; do wc -l < /r/starts; done", at("/r"));
    const create = () => cluster.createPod("p", { volumes, containers: [writer, reader], terminationGracePeriodSeconds: 1 });
    create();
    cluster.simulation.advance(10_000);
    expect(logOf(cluster, "p", "writer")).toBe("777 0 0\n");
    expect(logOf(cluster, "p", "reader")).toMatch(/^(1\n)+$/u);
    cluster.simulation.advance(20_000);
    expect(instancesOf(cluster, "p", "writer").length).toBeGreaterThan(1);
    expect(logOf(cluster, "p", "writer")).toBe("777 0 0\nstarts\n");
    expect(logOf(cluster, "p", "reader")).toMatch(/\n2\n$/u);
    cluster.client.delete(pods, { namespace: "default", name: "p" });
    cluster.simulation.advance(10_000);
    create();
    cluster.simulation.advance(10_000);
    expect(logOf(cluster, "p", "writer")).toBe("777 0 0\n");
  });
});

describe("a volume of a Pod", () => {
  it("[NET-403] is seen in the containers that mount it, and in no other of the Pod or the node", () => {
    const cluster = startedCluster();
    cluster.client.create(secrets, { metadata: { name: "login", namespace: "default" }, data: { user: btoa("ada") } });
    const look = "cat /v/user || true; echo; grep -c ' /v ' /proc/mounts; sleep 3600";
    const secret = { secret: { secretName: "login" } };
    cluster.createPod("p", {
      volumes: [{ name: "v", ...secret }],
      containers: [shell("with", `exec 2>&1; ${look}`, at("/v")), shell("without", `exec 2>&1; ${look}`)],
    });
    cluster.createPod("q", { containers: [shell("c", `exec 2>&1; ${look}`)] });
    cluster.simulation.advance(15_000);
    expect(logOf(cluster, "p", "with")).toBe("ada\n1\n");
    const missing = "cat: can't open '/v/user': No such file or directory\n\n0\n";
    expect([logOf(cluster, "p", "without"), logOf(cluster, "q", "c")]).toEqual([missing, missing]);
  });

  it("that no container mounts is not looked for", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { volumes: [{ name: "v", configMap: { name: "none" } }], containers: [shell("c", "sleep 3600")] });
    cluster.untilReady("p");
    expect(cluster.eventsOf("p").filter((event) => event.includes("FailedMount"))).toEqual([]);
  });
});
