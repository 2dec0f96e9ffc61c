// Which taints a Pod puts up with.

import type { Taint, Toleration } from "#cluster/api/generated/types.ts";

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if ((toleration.effect ?? "") !== "" && toleration.effect !== taint.effect) return false;
  if ((toleration.key ?? "") !== "" && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  if ((toleration.operator ?? "Equal") !== "Equal") return false;
  // An empty key is only good with Exists.
  return (toleration.key ?? "") !== "" && (toleration.value ?? "") === (taint.value ?? "");
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerations?.some((toleration) => tolerates(toleration, taint)) === true;
}

/** The first taint of these effects that is not tolerated. */
export function findUntolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  if (taints === undefined) return undefined;
  for (const taint of taints) {
    if (effects.includes(taint.effect) && !isTolerated(taint, tolerations)) return taint;
  }
  return undefined;
}
