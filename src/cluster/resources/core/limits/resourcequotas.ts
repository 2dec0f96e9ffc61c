import { resourceQuotas as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource } from "../../definition.ts";
import { specAndStatus } from "../../strategy.ts";
import { validateQuotaSpec, validateQuotaStatus, validateQuotaUpdate } from "./resourcequota-validation.ts";

export const resourceQuotas = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["quota"],
  subresources: [{ name: "status", kind: "ResourceQuota", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  validate: (quota, errors) => validateQuotaSpec(quota.spec ?? {}, errors),
  validateUpdate: (quota, old, errors) => validateQuotaUpdate(quota.spec ?? {}, old.spec ?? {}, errors),
  validateStatusUpdate: (quota, _old, errors) => validateQuotaStatus(quota.status ?? {}, errors),
  columns: [
    nameColumn,
    column("Request", "Request represents a minimum amount of cpu/memory that a container may consume."),
    column(
      "Limit",
      "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
    ),
    ageColumn,
  ],
  row: (quota, context) => {
    const { hard = {}, used = {} } = quota.status ?? {};
    const requests: string[] = [];
    const limits: string[] = [];
    for (const name of Object.keys(hard).sort()) {
      (name.startsWith("limits.") ? limits : requests).push(`${name}: ${used[name] ?? "0"}/${hard[name]}`);
    }
    return [nameCell(quota), requests.join(", "), limits.join(", "), ageCell(quota, context)];
  },
});
