import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from "#cluster/api/generated/types.ts";
import { networkPolicies as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { field, type Path } from "../field-errors.ts";
import { changed, each, filled } from "../filling.ts";
import { selectorCell } from "../workload-cells.ts";
import { cidrWarnings } from "./ip-rules.ts";
import { validateNetworkPolicy } from "./networkpolicy-validation.ts";

export const networkPolicies = defineResource(type, {
  shortNames: ["netpol"],
  generationFields: ["spec"],
  defaultedFields: ["spec"],
  defaults: (policy) => changed(policy, "spec", specDefaults),
  validate: (policy, errors) => validateNetworkPolicy(policy.spec, errors),
  validateUpdate: (policy, old, errors) => {
    if (policy.spec !== old.spec) validateNetworkPolicy(policy.spec, errors);
  },
  warnings: policyWarnings,
  columns: [nameColumn, column("Pod-Selector", ""), ageColumn],
  row: (policy, context) => [nameCell(policy), selectorCell(policy.spec?.podSelector ?? {}), ageCell(policy, context)],
});

function specDefaults(spec: NetworkPolicySpec): NetworkPolicySpec {
  const withPorts = changed(
    changed(spec, "ingress", (rules) => each(rules, ruleDefaults)),
    "egress",
    (rules) => each(rules, ruleDefaults),
  );
  if ((spec.policyTypes?.length ?? 0) > 0) return withPorts;
  return { ...withPorts, policyTypes: (spec.egress?.length ?? 0) > 0 ? ["Ingress", "Egress"] : ["Ingress"] };
}

function ruleDefaults<R extends { readonly ports?: readonly NetworkPolicyPort[] }>(rule: R): R {
  return changed(rule, "ports", (ports) => each(ports, (port) => filled(port, { protocol: "TCP" })) as NonNullable<R["ports"]>);
}

function policyWarnings({ spec }: Typed<NetworkPolicy>): readonly string[] {
  const warnings: string[] = [];
  const warn = (peers: readonly NetworkPolicyPeer[], path: Path): void => {
    for (const [index, { ipBlock }] of peers.entries()) {
      if (ipBlock === undefined) continue;
      const at = path.index(index).child("ipBlock");
      warnings.push(...cidrWarnings(at.child("cidr"), ipBlock.cidr));
      for (const [position, except] of (ipBlock.except ?? []).entries()) {
        warnings.push(...cidrWarnings(at.child("except").index(position), except));
      }
    }
  };
  for (const [index, { from = [] }] of (spec?.ingress ?? []).entries())
    warn(from, field("spec", "ingress").index(index).child("from"));
  for (const [index, { to = [] }] of (spec?.egress ?? []).entries()) warn(to, field("spec", "egress").index(index).child("to"));
  return warnings;
}
