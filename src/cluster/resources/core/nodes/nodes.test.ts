import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { created, createFaults, createWarnings, rowOf, statusFaults, updateFaults } from "../../strategy.test-kit.ts";
import { componentStatuses } from "../componentstatuses.ts";
import { namespaces } from "../namespaces.ts";
import { serviceAccounts } from "../serviceaccounts.ts";
import { nodes } from "./nodes.ts";

type Fields = { readonly [field: string]: JsonValue };

const node = (spec: Fields): Fields => ({ spec });

describe("nodes", () => {
  it("have each taint once", () => {
    const taint = { key: "dedicated", value: "db", effect: "NoSchedule" };
    expect(
      createFaults(nodes, node({ taints: [taint, taint, { key: "a b", value: "c d", effect: "Never" }, { key: "x" }] })),
    ).toEqual([
      'metadata.taints[1]: Duplicate value: {"Key":"dedicated","Value":"db","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      `metadata.taints[2].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      `metadata.taints[2].value: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      'metadata.taints[2].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      "metadata.taints[3].effect: Required value",
    ]);
  });

  it("get their range and identity once", () => {
    const placed = node({ podCIDR: "10.244.1.0/24", providerID: "a" });
    expect(created(nodes, placed)["spec"]).toEqual({ podCIDR: "10.244.1.0/24", podCIDRs: ["10.244.1.0/24"], providerID: "a" });
    expect(updateFaults(nodes, node({}), placed)).toEqual([]);
    expect(updateFaults(nodes, placed, node({ podCIDR: "10.244.2.0/24", providerID: "b" }))).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(updateFaults(nodes, node({}), node({ podCIDR: "10.244.1.5/24" }))).toEqual([
      'spec.podCIDRs[0]: Invalid value: "10.244.1.5/24": must not have bits set beyond the prefix length',
    ]);
  });

  it("have addresses once, and amounts", () => {
    const address = { type: "InternalIP", address: "192.0.2.1" };
    expect(statusFaults(nodes, node({}), { addresses: [address, address], capacity: { cpu: "-1", pods: "1.5" } })).toEqual([
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.capacity.pods: Invalid value: "1.5": must be an integer',
      'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"192.0.2.1"}',
    ]);
  });
});

describe("namespaces", () => {
  it("[API-002] carry their name as a label, whatever the client says", () => {
    const metadata = { labels: { "kubernetes.io/metadata.name": "other" } };
    expect(created(namespaces, { metadata: { name: "shop", ...metadata } }).metadata.labels).toEqual({
      "kubernetes.io/metadata.name": "shop",
    });
  });

  it("are held by finalizers that have a name", () => {
    expect(created(namespaces, { spec: { finalizers: ["example.com/x"] } })["spec"]).toEqual({
      finalizers: ["example.com/x", "kubernetes"],
    });
    expect(createFaults(namespaces, { spec: { finalizers: ["mine"] } })).toEqual([
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  it("are active until they are deleted", () => {
    expect(statusFaults(namespaces, {}, { phase: "Terminating" })).toEqual([
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    ]);
  });
});

describe("small kinds of core", () => {
  it("service accounts are warned of an annotation that nothing keeps", () => {
    const name = "kubernetes.io/enforce-mountable-secrets";
    expect(createWarnings(serviceAccounts, { metadata: { annotations: { [name]: "true" } } })).toEqual([
      `metadata.annotations[${name}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ]);
  });

  it("component statuses show health", () => {
    const conditions = [{ type: "Healthy", status: "True", message: "ok" }];
    expect(rowOf(componentStatuses, { metadata: { name: "scheduler" }, conditions })).toEqual({
      Name: "scheduler",
      Status: "Healthy",
      Message: "ok",
      Error: "",
    });
    expect(rowOf(componentStatuses, { metadata: { name: "scheduler" } })["Status"]).toBe("Unknown");
  });
});
