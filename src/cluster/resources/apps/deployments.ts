import type { DeploymentSpec } from "#cluster/api/generated/types.ts";
import { deployments as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { podTemplateDefaults } from "../core/pod-defaults.ts";
import { defineResource } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";

export const deployments = defineResource(type, {
  shortNames: ["deploy"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  defaults: (deployment) => changed(deployment, "spec", specDefaults),
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});

function specDefaults(spec: DeploymentSpec): DeploymentSpec {
  const timed = filled(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const type = timed.strategy?.type || "RollingUpdate";
  const strategy = filled(timed.strategy ?? {}, {
    type,
    ...(type === "RollingUpdate" ? { rollingUpdate: {} } : {}),
  });
  const complete =
    type !== "RollingUpdate"
      ? strategy
      : changed(strategy, "rollingUpdate", (rolling) => filled(rolling, { maxUnavailable: "25%", maxSurge: "25%" }));
  const withStrategy = complete === timed.strategy ? timed : { ...timed, strategy: complete };
  return changed(withStrategy, "template", podTemplateDefaults);
}
