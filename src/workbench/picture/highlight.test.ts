import { describe, expect, it } from "vitest";
import { highlightedPods } from "./highlight.ts";
import { clusterOf, podView, serviceView } from "./views.test-kit.ts";

const view = clusterOf({
  pods: [
    podView("a", ""),
    podView("b", ""),
    podView("c", "", { namespace: "other" }),
    podView("d", "", { ownerKind: "StatefulSet" }),
    podView("web", "", { ownerKind: "", ownerName: "" }),
  ],
  services: [serviceView("shop", { endpoints: ["b", "c"] })],
  ties: [{ kind: "bond", from: "a", to: "claim" }],
});

describe("pods that stand out", () => {
  it("are those of an owner, or the endpoints of a Service", () => {
    const lit = (kind: string) => highlightedPods(view, { kind: "owner", owner: { namespace: "default", kind, name: "web" } });
    expect([lit("Deployment"), lit("StatefulSet"), lit("Pod")]).toEqual([new Set(["a", "b"]), new Set(["d"]), new Set(["web"])]);
    expect(highlightedPods(view, { kind: "service", namespace: "default", name: "shop" })).toEqual(new Set(["b", "c"]));
  });

  it("are those that use or belong to an object", () => {
    expect(highlightedPods(view, { kind: "object", uid: "claim" })).toEqual(new Set(["a"]));
  });

  it("are none for a Service without endpoints, and all alike when nothing is pointed at", () => {
    expect(highlightedPods(view, { kind: "service", namespace: "default", name: "gone" })).toEqual(new Set());
    expect(highlightedPods(view, undefined)).toBeUndefined();
  });
});
