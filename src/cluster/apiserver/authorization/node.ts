// The node authorizer: a kubelet reads what its own pods refer to and nothing else; the rest of its rights are the rules
// of system:node (plugin/pkg/auth/authorizer/node/node_authorizer.go).

import { parseFieldSelector, requiredFieldValue } from "#cluster/api/fields.ts";
import { ruleAllows } from "#cluster/api/policy-rules.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { type Decision, noOpinion, type ResourceAttributes, silentlyAllowed } from "./attributes.ts";
import { nodeRules } from "./bootstrap/policy.ts";
import type { NodeReferences } from "./node-references.ts";

const nodeUserPrefix = "system:node:";
const nodesGroup = "system:nodes";
const leaseNamespace = "kube-node-lease";

/** The node that a user is the kubelet of; undefined for all other users. */
export function nodeNameOf(user: UserInfo): string | undefined {
  if (!user.name.startsWith(nodeUserPrefix) || !user.groups.includes(nodesGroup)) return undefined;
  return user.name.slice(nodeUserPrefix.length);
}

type Decide = (node: string, attributes: ResourceAttributes, references: NodeReferences) => Decision;

interface Rule {
  readonly group: string;
  readonly decide: Decide;
}

/** Resources that are not open to all nodes alike. */
const rules: { readonly [resource: string]: Rule } = {
  secrets: { group: "", decide: (node, attributes, references) => readReferenced(node, "secrets", attributes, references) },
  configmaps: { group: "", decide: (node, attributes, references) => readReferenced(node, "configmaps", attributes, references) },
  persistentvolumeclaims: { group: "", decide: decideClaim },
  persistentvolumes: {
    group: "",
    decide: (node, attributes, references) =>
      getOnly(attributes) ?? related(node, references.refersToVolume(node, attributes.name), attributes),
  },
  resourceclaims: {
    group: "resource.k8s.io",
    decide: (node, attributes, references) =>
      getOnly(attributes) ??
      related(node, references.refers(node, "resourceclaims", attributes.namespace, attributes.name), attributes),
  },
  serviceaccounts: { group: "", decide: decideServiceAccount },
  leases: { group: "coordination.k8s.io", decide: decideLease },
  csinodes: { group: "storage.k8s.io", decide: decideCsiNode },
  nodes: { group: "", decide: decideNode },
  pods: { group: "", decide: decidePod },
};

export function decideForNode(node: string, attributes: ResourceAttributes, references: NodeReferences): Decision {
  const rule = rules[attributes.resource];
  if (rule !== undefined && rule.group === attributes.group) return rule.decide(node, attributes, references);
  return nodeRules.some((nodeRule) => ruleAllows(nodeRule, attributes)) ? silentlyAllowed : noOpinion;
}

function because(reason: string): Decision {
  return { allowed: false, reason };
}

function related(node: string, isRelated: boolean, { name }: ResourceAttributes): Decision {
  if (name === "") return because("No Object name found");
  return isRelated ? silentlyAllowed : because(`no relationship found between node '${node}' and this object`);
}

function getOnly({ verb, subresource }: ResourceAttributes): Decision | undefined {
  if (verb !== "get") return because("can only get individual resources of this type");
  return subresource === "" ? undefined : because("cannot get subresource");
}

function readReferenced(
  node: string,
  resource: "secrets" | "configmaps",
  attributes: ResourceAttributes,
  references: NodeReferences,
): Decision {
  const { verb, subresource, namespace, name } = attributes;
  if (verb !== "get" && verb !== "list" && verb !== "watch") return because("can only read resources of this type");
  if (subresource !== "") return because("cannot read subresource");
  if (namespace === "") return because("can only read namespaced object of this type");
  return related(node, references.refers(node, resource, namespace, name), attributes);
}

function decideClaim(node: string, attributes: ResourceAttributes, references: NodeReferences): Decision {
  const { verb, subresource, namespace, name } = attributes;
  if (subresource === "status") {
    if (verb !== "update" && verb !== "patch") return because("can only get/update/patch this type");
  } else {
    const refusal = getOnly(attributes);
    if (refusal !== undefined) return refusal;
  }
  return related(node, references.refers(node, "persistentvolumeclaims", namespace, name), attributes);
}

function decideServiceAccount(node: string, attributes: ResourceAttributes, references: NodeReferences): Decision {
  const { verb, subresource, namespace, name } = attributes;
  const isRelated = references.refers(node, "serviceaccounts", namespace, name);
  if (verb === "get" && subresource === "") return related(node, isRelated, attributes);
  if (verb !== "create" || name === "") return because("can only create tokens for individual service accounts");
  if (subresource !== "token") return because("can only create token subresource of serviceaccount");
  return related(node, isRelated, attributes);
}

const ownObjectVerbs: ReadonlySet<string> = new Set(["get", "create", "update", "patch", "delete"]);

function decideLease(node: string, { verb, namespace, name }: ResourceAttributes): Decision {
  if (!ownObjectVerbs.has(verb)) return because("can only get, create, update, patch, or delete a node lease");
  if (namespace !== leaseNamespace) return because(`can only access leases in the "${leaseNamespace}" system namespace`);
  // At a create the name is not known yet; admission looks at it.
  if (verb === "create" || name === node) return silentlyAllowed;
  return because("can only access node lease with the same name as the requesting node");
}

function decideCsiNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (!ownObjectVerbs.has(verb)) return because("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return because("cannot authorize CSINode subresources");
  if (verb === "create" || name === node) return silentlyAllowed;
  return because("can only access CSINode with the same name as the requesting node");
}

function decideNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (subresource === "status") return verb === "update" || verb === "patch" ? silentlyAllowed : noOpinion;
  if (subresource !== "") return noOpinion;
  switch (verb) {
    case "create":
    case "update":
    case "patch":
      return silentlyAllowed;
    case "get":
    case "list":
    case "watch":
      if (name === node) return silentlyAllowed;
      if (name === "") return because(`node '${node}' cannot read all nodes, only its own Node object`);
      return because(`node '${node}' cannot read '${name}', only its own Node object`);
    default:
      return noOpinion;
  }
}

function decidePod(node: string, attributes: ResourceAttributes, references: NodeReferences): Decision {
  const { verb, subresource, namespace, name } = attributes;
  if (subresource === "status") return verb === "update" || verb === "patch" ? silentlyAllowed : noOpinion;
  if (subresource === "eviction") return verb === "create" ? silentlyAllowed : noOpinion;
  if (subresource !== "") return noOpinion;
  switch (verb) {
    case "get":
      return related(node, references.hasPod(node, namespace, name), attributes);
    case "list":
    case "watch":
      if (selectsNode(attributes, node)) return silentlyAllowed;
      if (name !== "") return related(node, references.hasPod(node, namespace, name), attributes);
      return because("can only list/watch pods with spec.nodeName field selector");
    case "create":
    case "delete":
      return silentlyAllowed;
    default:
      return noOpinion;
  }
}

function selectsNode({ fieldSelector }: ResourceAttributes, node: string): boolean {
  return fieldSelector !== undefined && requiredFieldValue(parseFieldSelector(fieldSelector), "spec.nodeName") === node;
}
