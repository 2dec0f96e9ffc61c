import { describe, expect, it } from "vitest";
import type { ClusterView, PodView } from "#lab/session.ts";
import { highlightedPods } from "./highlight.ts";

const pod = (uid: string, namespace: string, ownerName: string) => ({ uid, namespace, ownerName }) as PodView;
const view: ClusterView = {
  nodes: [],
  pods: [pod("a", "default", "web"), pod("b", "default", "web"), pod("c", "other", "web")],
  deployments: [],
  replicaSets: [],
  services: [
    { namespace: "default", name: "shop", type: "ClusterIP", clusterIp: "10.96.0.9", nodePorts: [], endpoints: ["b", "c"] },
  ],
};

describe("pods that stand out", () => {
  it("are those of an owner, or the endpoints of a Service", () => {
    expect(highlightedPods(view, { kind: "owner", namespace: "default", name: "web" })).toEqual(new Set(["a", "b"]));
    expect(highlightedPods(view, { kind: "service", namespace: "default", name: "shop" })).toEqual(new Set(["b", "c"]));
  });

  it("are none for a Service without endpoints, and all alike when nothing is pointed at", () => {
    expect(highlightedPods(view, { kind: "service", namespace: "default", name: "gone" })).toEqual(new Set());
    expect(highlightedPods(view, undefined)).toBeUndefined();
  });
});
