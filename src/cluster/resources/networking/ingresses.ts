import type { Ingress, IngressRule } from "#cluster/api/generated/types.ts";
import { ingresses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { field } from "../field-errors.ts";
import { specAndStatus } from "../strategy.ts";
import { balancerAddresses } from "./balancer-cell.ts";
import { validateIngress } from "./ingress-validation.ts";
import { validateBalancerHostname, validateLegacyIp } from "./ip-rules.ts";

const classAnnotation = "kubernetes.io/ingress.class";

export const ingresses = defineResource(type, {
  shortNames: ["ing"],
  generationFields: ["spec"],
  ...specAndStatus,
  prepareForCreate: (ingress) => ({ ...ingress, status: { loadBalancer: {} } }),
  subresources: [{ name: "status", kind: "Ingress", verbs: ["get", "patch", "update"] }],
  validate: (ingress, errors) => {
    validateIngress(ingress.spec ?? {}, errors);
    const annotation = ingress.metadata.annotations?.[classAnnotation];
    const className = ingress.spec?.ingressClassName;
    if (annotation !== undefined && className !== undefined && annotation !== className) {
      errors.invalid(field("annotations", classAnnotation), annotation, "must match `ingressClassName` when both are specified");
    }
  },
  validateUpdate: (ingress, old, errors) => {
    if (ingress.spec !== old.spec) validateIngress(ingress.spec ?? {}, errors, old.spec);
  },
  validateStatusUpdate: (ingress, _old, errors) => {
    const path = field("status", "loadBalancer", "ingress");
    for (const [index, { ip, hostname }] of (ingress.status?.loadBalancer?.ingress ?? []).entries()) {
      if (ip) validateLegacyIp(ip, path.index(index).child("ip"), errors);
      if (hostname) validateBalancerHostname(hostname, path.index(index).child("hostname"), errors);
    }
  },
  warnings: (ingress, old) =>
    old === undefined &&
    ingress.metadata.annotations?.[classAnnotation] !== undefined &&
    ingress.spec?.ingressClassName === undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  columns: [
    nameColumn,
    column("Class", "The name of the IngressClass resource that should be used for additional configuration"),
    column("Hosts", "Hosts that incoming requests are matched against before the ingress rule"),
    column("Address", "Address is a list containing ingress points for the load-balancer"),
    column("Ports", "Ports of TLS configurations that open"),
    ageColumn,
  ],
  row: (ingress, context) => [
    nameCell(ingress),
    ingress.spec?.ingressClassName ?? "<none>",
    hostsCell(ingress.spec?.rules ?? []),
    addressCell(ingress),
    (ingress.spec?.tls?.length ?? 0) > 0 ? "80, 443" : "80",
    ageCell(ingress, context),
  ],
});

/** Hosts of rules until there are three; what is counted as more are rules, not hosts. */
function hostsCell(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === 3) more = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return more ? `${hosts.join(",")} + ${rules.length - 3} more...` : hosts.join(",");
}

function addressCell(ingress: Typed<Ingress>): string {
  return balancerAddresses(ingress.status?.loadBalancer?.ingress).join(",");
}
