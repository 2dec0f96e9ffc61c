import type { Lease, Node, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { canonicalQuantity } from "#cluster/api/quantity.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Describer } from "./describer.ts";
import { Description, orNone } from "./description.ts";
import { describeEvents } from "./events.ts";
import { describeNodeResources } from "./node-resources.ts";
import { longTime } from "./when.ts";

const rolePrefix = "node-role.kubernetes.io/";

/** Describes a Node. The kubelet's events name the node as their uid, others its real one: both are shown. */
export const describeNode: Describer<Stored<Node>> = function* (node, lookup) {
  const { name, uid } = node.metadata;
  const fieldSelector = `spec.nodeName=${name},status.phase!=Succeeded,status.phase!=Failed`;
  const pods = (yield* lookup.list({ group: "", version: "v1", plural: "pods" }, { fieldSelector })) as readonly Stored<Pod>[];
  const lease = (yield* lookup.get({ group: "coordination.k8s.io", version: "v1", plural: "leases" }, "kube-node-lease", name)) as
    | Stored<Lease>
    | undefined;
  const events = [
    ...(yield* lookup.events({ name, namespace: "", kind: "Node", uid })),
    ...(yield* lookup.events({ name, namespace: "", kind: "Node", uid: name })),
  ];

  const out = new Description();
  describeHead(out, node);
  describeLease(out, lease, name);
  describeStatus(out, node);
  describeSystem(out, node);
  describeNodeResources(out, node, pods, lookup.nowMs);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

function describeHead(out: Description, { metadata, spec }: Stored<Node>): void {
  out.field("Name", metadata.name);
  out.field("Roles", orNone(rolesOf(metadata.labels ?? {}).join(",")));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.taints("Taints", spec?.taints);
  out.field("Unschedulable", spec?.unschedulable === true);
}

function rolesOf(labels: { readonly [key: string]: string }): readonly string[] {
  const roles = Object.entries(labels).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === "kubernetes.io/role" ? value : "";
  });
  return [...new Set(roles.filter((role) => role !== ""))].sort();
}

function describeLease(out: Description, lease: Stored<Lease> | undefined, name: string): void {
  if (lease === undefined) {
    out.field("Lease", `Failed to get lease: leases.coordination.k8s.io "${name}" not found`);
    return;
  }
  const { holderIdentity, acquireTime, renewTime } = lease.spec ?? {};
  out.line("Lease:");
  out.field("HolderIdentity", holderIdentity ?? "<unset>", 1);
  out.field("AcquireTime", acquireTime === undefined ? "<unset>" : longTime(acquireTime), 1);
  out.field("RenewTime", renewTime === undefined ? "<unset>" : longTime(renewTime), 1);
}

function describeStatus(out: Description, { status }: Stored<Node>): void {
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) {
    out.line("Conditions:");
    out.line("Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage", 1);
    out.line("----\t------\t-----------------\t------------------\t------\t-------", 1);
  }
  for (const { type, status: value, lastHeartbeatTime, lastTransitionTime, reason, message } of conditions) {
    const times = `${longTime(lastHeartbeatTime)} \t${longTime(lastTransitionTime)}`;
    out.line(`${type} \t${value} \t${times} \t${reason ?? ""} \t${message ?? ""}`, 1);
  }
  out.line("Addresses:");
  for (const { type, address } of status?.addresses ?? []) out.field(type, address, 1);
  describeAmounts(out, "Capacity", status?.capacity);
  describeAmounts(out, "Allocatable", status?.allocatable);
}

function describeAmounts(out: Description, title: string, amounts: { readonly [resource: string]: string } | undefined): void {
  const entries = Object.entries(amounts ?? {}).sort(([a], [b]) => compareTexts(a, b));
  if (entries.length > 0) out.line(`${title}:`);
  for (const [resource, amount] of entries) out.field(resource, canonicalQuantity(amount), 1);
}

function describeSystem(out: Description, { spec, status }: Stored<Node>): void {
  const info = status?.nodeInfo;
  out.line("System Info:");
  out.field("Machine ID", info?.machineID ?? "", 1);
  out.field("System UUID", info?.systemUUID ?? "", 1);
  out.field("Boot ID", info?.bootID ?? "", 1);
  out.field("Kernel Version", info?.kernelVersion ?? "", 1);
  out.field("OS Image", info?.osImage ?? "", 1);
  out.field("Operating System", info?.operatingSystem ?? "", 1);
  out.field("Architecture", info?.architecture ?? "", 1);
  out.field("Container Runtime Version", info?.containerRuntimeVersion ?? "", 1);
  out.field("Kubelet Version", info?.kubeletVersion ?? "", 1);
  if (spec?.podCIDR) out.field("PodCIDR", spec.podCIDR);
  if ((spec?.podCIDRs ?? []).length > 0) out.field("PodCIDRs", (spec?.podCIDRs ?? []).join(","));
  if (spec?.providerID) out.field("ProviderID", spec.providerID);
}
