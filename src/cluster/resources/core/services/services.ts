import type { Service, ServicePort } from "#cluster/api/generated/types.ts";
import { services as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { labelName } from "../../name-rules.ts";
import { balancerAddresses } from "../../networking/balancer-cell.ts";
import { specAndStatus } from "../../strategy.ts";
import { labelsCell } from "../../workload-cells.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { preparedSpec, preparedUpdate } from "./service-updates.ts";
import { validateService, validateServiceStatusUpdate, validateServiceUpdate } from "./service-validation.ts";
import { serviceWarnings } from "./service-warnings.ts";

export const services = defineResource(type, {
  // RelaxedServiceNameValidation is on by default since v1.36: a first character may be a digit.
  nameRule: labelName,
  shortNames: ["svc"],
  categories: ["all"],
  returnsDeleted: true,
  createOnUpdate: true,
  subresources: [
    { name: "proxy", kind: "ServiceProxyOptions", verbs: ["create", "delete", "get", "patch", "update"] },
    { name: "status", kind: "Service", verbs: ["get", "patch", "update"] },
  ],
  selectableFields: {
    "spec.clusterIP": (service) => service.spec?.clusterIP ?? "",
    "spec.type": (service) => service.spec?.type ?? "",
  },
  defaultedFields: ["spec", "status"],
  defaults: serviceDefaults,
  prepareForCreate: (service) => ({ ...service, spec: preparedSpec(service.spec ?? {}), status: { loadBalancer: {} } }),
  prepareForUpdate: preparedUpdate,
  prepareForStatusUpdate: specAndStatus.prepareForStatusUpdate,
  validate: (service, errors) => validateService(service, errors),
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatusUpdate,
  warnings: serviceWarnings,
  columns: [
    nameColumn,
    column("Type", ""),
    column("Cluster-IP", ""),
    column("External-IP", ""),
    column("Port(s)", ""),
    ageColumn,
    column("Selector", "", { wide: true }),
  ],
  row: (service, context) => [
    nameCell(service),
    service.spec?.type ?? "",
    service.spec?.clusterIPs?.[0] ?? "<none>",
    externalAddress(service),
    portsCell(service.spec?.ports ?? []),
    ageCell(service, context),
    labelsCell(service.spec?.selector),
  ],
});

function externalAddress(service: Typed<Service>): string {
  const { type: kind, externalIPs = [], externalName = "" } = service.spec ?? {};
  if (kind === "ExternalName") return externalName;
  if (kind !== "LoadBalancer") return externalIPs.join(",") || "<none>";
  const all = [...balancerAddresses(service.status?.loadBalancer?.ingress), ...externalIPs];
  return all.length === 0 ? "<pending>" : all.join(",");
}

function portsCell(ports: readonly ServicePort[]): string {
  if (ports.length === 0) return "<none>";
  return ports.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`).join(",");
}
