// ResourceQuotas, LimitRanges, and the Namespace that shows both.

import type { LimitRange, Namespace, ResourceQuota } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { canonicalQuantity } from "#cluster/api/quantity.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { withoutEvents } from "./from-object.ts";
import { longTime } from "./when.ts";

const scopeHelp: { readonly [scope: string]: string } = {
  Terminating:
    "Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.",
  NotTerminating:
    "Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.",
  BestEffort: "Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.",
  NotBestEffort:
    "Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.",
};

/** `level` and the sign before a scope's explanation differ between a quota and the quotas of a Namespace. */
function describeScopes(out: Description, quota: Stored<ResourceQuota>, level: number, bullet: string): void {
  const scopes = [...(quota.spec?.scopes ?? [])].sort();
  if (scopes.length === 0) return;
  out.field("Scopes", scopes.join(", "), level);
  for (const scope of scopes) {
    const help = scopeHelp[scope];
    if (help !== undefined) out.line(`${bullet}${help}`, level);
  }
}

function describeUse(out: Description, { status }: Stored<ResourceQuota>, level: number): void {
  for (const name of Object.keys(status?.hard ?? {}).sort()) {
    const hard = canonicalQuantity(status?.hard?.[name] ?? "0");
    out.line(`${name}\t${canonicalQuantity(status?.used?.[name] ?? "0")}\t${hard}`, level);
  }
}

export const describeResourceQuota = withoutEvents<ResourceQuota>((out, quota) => {
  out.field("Name", quota.metadata.name);
  out.field("Namespace", quota.metadata.namespace ?? "");
  describeScopes(out, quota, 0, " * ");
  out.line("Resource\tUsed\tHard");
  out.line("--------\t----\t----");
  describeUse(out, quota, 0);
});

const limitHeads = ["Type", "Resource", "Min", "Max", "Default Request", "Default Limit", "Max Limit/Request Ratio"];

function describeLimits(out: Description, { spec }: Stored<LimitRange>, prefix: string): void {
  for (const item of spec?.limits ?? []) {
    const sources = [item.min, item.max, item.defaultRequest, item.default, item.maxLimitRequestRatio];
    const resources = new Set(sources.flatMap((source) => Object.keys(source ?? {})));
    for (const name of [...resources].sort()) {
      const values = sources.map((source) => (source?.[name] === undefined ? "-" : canonicalQuantity(source[name])));
      out.line(`${prefix}${[item.type, name, ...values].join("\t")}`);
    }
  }
}

export const describeLimitRange = withoutEvents<LimitRange>((out, range) => {
  out.field("Name", range.metadata.name);
  out.field("Namespace", range.metadata.namespace ?? "");
  out.line(limitHeads.join("\t"));
  out.line(limitHeads.map((head) => "-".repeat(head.length)).join("\t"));
  describeLimits(out, range, "");
});

export const describeNamespace: Describer<Stored<Namespace>> = function* (namespace, lookup) {
  const { metadata, status } = namespace;
  const where = { namespace: metadata.name };
  const quotas = (yield* lookup.list(
    { group: "", version: "v1", plural: "resourcequotas" },
    where,
  )) as readonly Stored<ResourceQuota>[];
  const ranges = (yield* lookup.list({ group: "", version: "v1", plural: "limitranges" }, where)) as readonly Stored<LimitRange>[];

  const out = new Description();
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Status", status?.phase ?? "");
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) {
    out.line("Conditions:");
    out.line("Type\tStatus\tLastTransitionTime\tReason\tMessage", 1);
    out.line("----\t------\t------------------\t------\t-------", 1);
    for (const { type, status: state, lastTransitionTime, reason = "", message = "" } of conditions)
      out.line(`${type}\t${state}\t${longTime(lastTransitionTime)}\t${reason}\t${message}`, 1);
  }
  out.line("");
  describeQuotas(out, quotas);
  out.line("");
  describeRanges(out, ranges);
  return out.finish();
};

function describeQuotas(out: Description, quotas: readonly Stored<ResourceQuota>[]): void {
  if (quotas.length === 0) {
    out.line("No resource quota.");
    return;
  }
  out.line("Resource Quotas");
  for (const quota of [...quotas].sort((a, b) => compareTexts(a.metadata.name, b.metadata.name))) {
    out.field("Name", quota.metadata.name, 1);
    describeScopes(out, quota, 1, "* ");
    out.line("Resource\tUsed\tHard", 1);
    out.line("--------\t---\t---", 1);
    describeUse(out, quota, 1);
  }
}

function describeRanges(out: Description, ranges: readonly Stored<LimitRange>[]): void {
  if (ranges.length === 0) {
    out.line("No LimitRange resource.");
    return;
  }
  out.line("Resource Limits");
  out.line(` ${limitHeads.join("\t")}`);
  out.line(` ${limitHeads.map((head) => "-".repeat(head.length)).join("\t")}`);
  for (const range of ranges) describeLimits(out, range, " ");
}
