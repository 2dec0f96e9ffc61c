import { describe, expect, it } from "vitest";
import { clusterRoles } from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";

const key = (name: string) => ({ namespace: "", name });
const rule = (resource: string) => ({ verbs: ["get"], apiGroups: ["example.com"], resources: [resource] });
const toView = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };

describe("the ClusterRole aggregation controller", () => {
  it("fills view, edit and admin, each with what the one below has", () => {
    const { client, settle } = startControlPlane();
    settle();
    const rules = (name: string): readonly unknown[] => client.get(clusterRoles, key(name)).rules ?? [];
    expect(rules("view")).toEqual(rules("system:aggregate-to-view"));
    expect(rules("edit")).toEqual([...rules("system:aggregate-to-edit"), ...rules("view")]);
    expect(rules("admin")).toEqual([...rules("system:aggregate-to-admin"), ...rules("edit")].sort(byFirst(rules("edit"))));
  });

  it("follows roles that come, change and go", () => {
    const { client, settle } = startControlPlane();
    settle();
    const last = () => client.get(clusterRoles, key("view")).rules?.[0];
    const before = last();
    const made = client.create(clusterRoles, { metadata: { name: "a-widgets", labels: toView }, rules: [rule("widgets")] });
    settle();
    const withWidgets = last();
    client.update(clusterRoles, { ...made, rules: [rule("gadgets")] });
    settle();
    const withGadgets = last();
    client.delete(clusterRoles, key("a-widgets"));
    settle();
    expect([withWidgets, withGadgets, last()]).toEqual([rule("widgets"), rule("gadgets"), before]);
  });

  it("puts back what somebody wrote over, and writes nothing when settled", () => {
    const { client, server, settle, simulation } = startControlPlane();
    settle();
    const view = client.get(clusterRoles, key("view"));
    client.update(clusterRoles, { ...view, rules: [rule("widgets")] });
    settle();
    expect(client.get(clusterRoles, key("view")).rules).toEqual(view.rules);
    const writes = () =>
      server.audit.events().filter(({ resource, verb }) => resource === "clusterroles" && verb === "update").length;
    const settled = writes();
    simulation.advance(60_000);
    expect(writes()).toBe(settled);
  });
});

/** edit comes before system:aggregate-to-admin in the order of names. */
function byFirst(first: readonly unknown[]): (a: unknown, b: unknown) => number {
  return (a, b) => Number(first.includes(b)) - Number(first.includes(a));
}
