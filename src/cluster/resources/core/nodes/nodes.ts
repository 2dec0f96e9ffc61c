import type { Node, NodeSpec } from "#cluster/api/generated/types.ts";
import { nodes as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { changed } from "../../filling.ts";
import { cidrWarnings } from "../../networking/ip-rules.ts";
import { specAndStatus, withFieldsOf } from "../../strategy.ts";
import { validateNode, validateNodeUpdate } from "./node-validation.ts";

const rolePrefix = "node-role.kubernetes.io/";

export const nodes = defineResource(type, {
  shortNames: ["no"],
  subresources: [
    { name: "proxy", kind: "NodeProxyOptions", verbs: ["create", "delete", "get", "patch", "update"] },
    { name: "status", kind: "Node", verbs: ["get", "patch", "update"] },
  ],
  selectableFields: {
    "spec.unschedulable": (node) => String(node.spec?.unschedulable ?? false),
  },
  defaultedFields: ["spec", "status"],
  defaults: (node) =>
    changed(changed(node, "spec", podRanges), "status", (status) =>
      status.allocatable === undefined && status.capacity !== undefined ? { ...status, allocatable: status.capacity } : status,
    ),
  // The kubelet registers with its first status: unlike other kinds, nodes keep what they bring.
  prepareForUpdate: specAndStatus.prepareForUpdate,
  prepareForStatusUpdate: (node, old) => withFieldsOf(node, old, "spec"),
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  validateStatusUpdate: validateNodeUpdate,
  warnings: nodeWarnings,
  columns: [
    nameColumn,
    column("Status", "The status of the node"),
    column("Roles", "The roles of the node"),
    ageColumn,
    column("Version", "Kubelet Version reported by the node."),
    column("Internal-IP", "", { wide: true }),
    column("External-IP", "", { wide: true }),
    column("OS-Image", "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).", { wide: true }),
    column("Kernel-Version", "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).", { wide: true }),
    column(
      "Container-Runtime",
      "ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).",
      {
        wide: true,
      },
    ),
  ],
  row: (node, context) => [
    nameCell(node),
    nodeStatus(node),
    nodeRoles(node),
    ageCell(node, context),
    node.status?.nodeInfo?.kubeletVersion ?? "",
    address(node, "InternalIP"),
    address(node, "ExternalIP"),
    node.status?.nodeInfo?.osImage || "<unknown>",
    node.status?.nodeInfo?.kernelVersion || "<unknown>",
    node.status?.nodeInfo?.containerRuntimeVersion || "<unknown>",
  ],
});

function nodeStatus(node: Typed<Node>): string {
  const ready = node.status?.conditions?.find((condition) => condition.type === "Ready");
  let status = "Unknown";
  if (ready !== undefined) status = ready.status === "True" ? "Ready" : "NotReady";
  return node.spec?.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: Typed<Node>): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === "kubernetes.io/role" && value !== "") roles.add(value);
  }
  return [...roles].sort().join(",") || "<none>";
}

function address(node: Typed<Node>, kind: string): string {
  return node.status?.addresses?.find((candidate) => candidate.type === kind)?.address ?? "<none>";
}

/** podCIDR is the first of podCIDRs. */
function podRanges(spec: NodeSpec): NodeSpec {
  const { podCIDR = "", podCIDRs = [] } = spec;
  if (podCIDR !== "" && podCIDRs[0] !== podCIDR) return { ...spec, podCIDRs: [podCIDR] };
  return podCIDR === "" && podCIDRs[0] !== undefined ? { ...spec, podCIDR: podCIDRs[0] } : spec;
}

function nodeWarnings(node: Typed<Node>, old: Typed<Node> | undefined): readonly string[] {
  if (node.spec === undefined || node.spec === old?.spec) return [];
  const { configSource, externalID, podCIDRs = [] } = node.spec;
  const warnings: string[] = [];
  if (configSource !== undefined) warnings.push("spec.configSource: the feature is no longer supported");
  if (externalID) warnings.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  for (const [index, range] of podCIDRs.entries()) warnings.push(...cidrWarnings(field("spec", "podCIDRs").index(index), range));
  return warnings;
}
