// The order of versions as Kubernetes sees it: stable before beta before alpha, higher before lower, other names last by name.

import type { CustomResourceDefinitionSpec } from "#cluster/api/generated/types.ts";
import { compareTexts } from "#sim/compare-texts.ts";

const kubeVersion = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

/** Negative when `a` comes first: it is the better version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [kubeVersion.exec(a), kubeVersion.exec(b)];
  if (left === null || right === null) {
    if (left === null && right === null) return compareTexts(a, b);
    return left === null ? 1 : -1;
  }
  return (
    stability(right[2]) - stability(left[2]) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

function stability(name: string | undefined): number {
  if (name === undefined) return 2;
  return name === "beta" ? 1 : 0;
}

/** What users of a deprecated version are told, with a better one where there is one. */
export function defaultDeprecationWarning({ group, names, versions }: CustomResourceDefinitionSpec, version: string): string {
  const better = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(name, version) < 0)
    .map(({ name }) => name)
    .sort(compareVersions)[0];
  const text = `${group}/${version} ${names.kind} is deprecated`;
  return better === undefined ? text : `${text}; use ${group}/${better} ${names.kind}`;
}
