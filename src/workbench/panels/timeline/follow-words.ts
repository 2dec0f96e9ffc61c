// The sentences of a Pod's way: which of them fits a step, and what the step brings to it.

import type { FollowStep } from "#history/questions.ts";
import type { Translate } from "../../../i18n/translator.ts";

export interface StepWords {
  readonly title: string;
  readonly sentence: string;
  /** The cluster's own words, as they are. */
  readonly quoted: string;
}

export function stepWords({ step, values, object }: FollowStep, t: Translate): StepWords {
  const of = (name: string): string => values[name] ?? "";
  const words = (sentence: string, quoted = ""): StepWords => ({
    title: t(`workbench.panels.follow.${step}.title`),
    sentence,
    quoted,
  });
  switch (step) {
    case "request":
      return words(
        t("workbench.panels.follow.request.text", { client: of("client"), verb: of("verb"), name: of("name") }),
        of("changed"),
      );
    case "authentication":
      return words(t("workbench.panels.follow.authentication.text", { user: of("user") }), of("groups"));
    case "authorization":
      return words(t("workbench.panels.follow.authorization.text", { verb: of("verb"), resource: of("resource") }), of("reason"));
    case "admission":
      return words(t("workbench.panels.follow.admission.text"), [of("mutating"), of("validating")].filter(Boolean).join("\n"));
    case "storage":
      return words(t("workbench.panels.follow.storage.text", { name: of("name"), version: of("version") }));
    case "controller":
    case "deploymentController":
    case "replicaSetController":
      return words(t(`workbench.panels.follow.${step}.text`, { owner: of("owner"), made: of("made") }), of("changed"));
    case "refusedPlace":
      return words(t("workbench.panels.follow.refusedPlace.text"), of("message"));
    case "decision":
      return words(t("workbench.panels.follow.decision.text", { node: of("node"), feasible: of("feasible"), nodes: of("nodes") }));
    case "binding":
      return words(t("workbench.panels.follow.binding.text", { node: of("node") }));
    case "sandbox":
      return words(t("workbench.panels.follow.sandbox.text"), of("detail"));
    case "pulling":
    case "pulled":
      return words(t(`workbench.panels.follow.${step}.text`), of("message"));
    case "created":
    case "started":
      return words(t(`workbench.panels.follow.${step}.text`, { container: of("container") }));
    case "status":
      return words(t("workbench.panels.follow.status.text", { phase: of("phase"), name: object.name }), of("ip"));
    case "warning":
      return words(t("workbench.panels.follow.warning.text"), of("message"));
  }
}
