import { services as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed } from "../filling.ts";
import { specAndStatus, withFieldsOf } from "../strategy.ts";
import { serviceSpecDefaults } from "./service-defaults.ts";

export const services = defineResource(type, {
  shortNames: ["svc"],
  categories: ["all"],
  ...specAndStatus,
  prepareForCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  prepareForUpdate: (service, old) => withFieldsOf(service, old, "status"),
  defaults: (service) => changed(service, "spec", serviceSpecDefaults),
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
