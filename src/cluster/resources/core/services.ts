import type { Service, ServicePort } from "#cluster/api/generated/types.ts";
import { services as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { changed } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { labelsCell } from "../workload-cells.ts";
import { serviceSpecDefaults } from "./service-defaults.ts";
import { validateService, validateServiceUpdate } from "./service-validation.ts";

export const services = defineResource(type, {
  shortNames: ["svc"],
  categories: ["all"],
  returnsDeleted: true,
  subresources: [
    { name: "proxy", kind: "ServiceProxyOptions", verbs: ["create", "delete", "get", "patch", "update"] },
    { name: "status", kind: "Service", verbs: ["get", "patch", "update"] },
  ],
  selectableFields: {
    "spec.clusterIP": (service) => service.spec?.clusterIP ?? "",
    "spec.type": (service) => service.spec?.type ?? "",
  },
  defaultedFields: ["spec"],
  defaults: (service) => changed(service, "spec", serviceSpecDefaults),
  prepareForCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  prepareForUpdate: specAndStatus.prepareForUpdate,
  prepareForStatusUpdate: specAndStatus.prepareForStatusUpdate,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
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
    service.spec?.clusterIPs?.[0] || service.spec?.clusterIP || "<none>",
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
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const addresses = ingress.map((point) => point.ip || point.hostname || "").filter((address) => address !== "");
  const all = [...new Set([...[...addresses].sort(), ...externalIPs])];
  return all.length === 0 ? "<pending>" : all.join(",");
}

function portsCell(ports: readonly ServicePort[]): string {
  if (ports.length === 0) return "<none>";
  return ports.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ""}/${protocol}`).join(",");
}
