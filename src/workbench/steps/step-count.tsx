// How many steps have passed: `2 / 8`.

import type { Desk } from "../desk.ts";

export function StepCount({ desk: { session, t } }: { readonly desk: Desk }) {
  const steps = session.steps.value;
  const passed = steps.filter((step) => step.status === "passed").length;
  return <span class="step-count">{t("workbench.steps.progress", { passed, total: steps.length })}</span>;
}
