import { describe, expect, it } from "vitest";
import type { WorkloadView } from "#lab/picture-view.ts";
import { ownerBadges } from "./owner-badges.ts";
import { clusterOf, objectView, podView } from "./views.test-kit.ts";

const workload = (kind: string, name: string, change: Partial<WorkloadView> = {}): WorkloadView => {
  const plain = { resource: `${kind.toLowerCase()}s.apps`, namespace: "default", count: "1/1", short: false, text: "" };
  return { kind, name, ...plain, deleting: false, ...change };
};

describe("badges of owners", () => {
  it("name every kind of owner, those without Pods too, and bare Pods with their status", () => {
    const kinds = ["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"];
    const bare = podView("client", "node-1", { ownerKind: "", ownerName: "", statusText: "ErrImagePull" });
    const foreign = podView("worker-0", "node-1", { ownerKind: "Crew", ownerName: "worker" });
    const badges = ownerBadges(clusterOf({ workloads: kinds.map((kind) => workload(kind, "one")), pods: [bare, foreign] }), false);
    expect(badges.map(({ owner, resource, text }) => [owner.kind, owner.name, resource, text])).toEqual([
      ...kinds.map((kind) => [kind, "one", `${kind.toLowerCase()}s.apps`, ""]),
      ["Pod", "client", "pods", "ErrImagePull"],
      ["Crew", "worker", undefined, ""],
    ]);
  });

  it("count the Pods of each revision", () => {
    const pods = [
      podView("a", "node-1", { revision: "old" }),
      podView("b", "node-1", { revision: "new", shape: "imageFailed" }),
      podView("c", "node-1", { revision: "new" }),
    ];
    const [badge] = ownerBadges(clusterOf({ workloads: [workload("Deployment", "web")], pods }), false);
    expect(badge?.revisions).toEqual([
      { revision: "old", ready: 1, pods: 1 },
      { revision: "new", ready: 1, pods: 2 },
    ]);
  });

  it("leave out what is drawn as an object of the lab, and the cluster's own parts", () => {
    const workloads = [workload("Deployment", "web"), workload("Deployment", "coredns", { namespace: "kube-system" })];
    const objects = [objectView("web", { kind: "Deployment" })];
    expect(ownerBadges(clusterOf({ workloads, objects }), false)).toEqual([]);
    expect(ownerBadges(clusterOf({ workloads, objects }), true).map(({ owner }) => owner.name)).toEqual(["coredns"]);
  });
});
