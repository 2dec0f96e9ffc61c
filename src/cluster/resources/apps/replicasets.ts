import { replicaSets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";

export const replicaSets = defineResource(type, {
  shortNames: ["rs"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  prepareForCreate: (replicaSet) => ({ ...replicaSet, status: { replicas: 0 } }),
  defaults: (replicaSet) =>
    changed(replicaSet, "spec", (spec) => changed(filled(spec, { replicas: 1 }), "template", podTemplateDefaults)),
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
