// Which families of addresses a Service gets, on a cluster of IPv4 (registry/core/service/storage: initIPFamilyFields).

import { invalid } from "#cluster/api/errors.ts";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { isIpv6, parseIp } from "#cluster/api/ip-text.ts";
import { validateServiceAddresses } from "#cluster/resources/core/services/service-address-validation.ts";
import { sameList } from "#cluster/resources/core/services/service-facts.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";

const configured = ["IPv4"];
const policyPath = field("spec", "ipFamilyPolicy");
const noAddresses: readonly string[] = [];

/** `spec` with families and policy filled in; throws Invalid for what the cluster does not have. */
export function withFamilies(spec: ServiceSpec, before: ServiceSpec | undefined, name: string): ServiceSpec {
  if (spec.type === "ExternalName" || isUntouchedPreference(spec, before)) return spec;
  const selectorless = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  const policy = spec.ipFamilyPolicy ?? before?.ipFamilyPolicy ?? (selectorless ? "RequireDualStack" : "SingleStack");
  const named: ServiceSpec = { ...spec, ipFamilyPolicy: policy };
  refuseFaults(name, (errors) => validateServiceAddresses(named, undefined, errors));
  const single = policy === "SingleStack";
  const reduced = single && before !== undefined ? downgraded(named, before) : named;
  refuseFaults(name, (errors) => checkPolicy(reduced, before, errors));
  const inferred = inferredFamilies(reduced, name);
  if (selectorless) return { ...reduced, ipFamilies: single ? orDefault(inferred) : bothFamilies(orDefault(inferred)) };
  refuseFaults(name, (errors) => {
    if (policy === "RequireDualStack") errors.invalid(policyPath, policy, "this cluster is not configured for dual-stack services");
    for (const [index, family] of inferred.entries()) {
      if (!configured.includes(family)) {
        errors.invalid(field("spec", "ipFamilies").index(index), family, "not configured on this cluster");
      }
    }
  });
  return { ...reduced, ipFamilies: orDefault(inferred) };
}

/** Services that prefer two families are changed only when someone says so. */
function isUntouchedPreference(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  return (
    before !== undefined &&
    before.type !== "ExternalName" &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    before.ipFamilyPolicy === "PreferDualStack" &&
    spec.clusterIP === before.clusterIP &&
    sameList(spec.clusterIPs, before.clusterIPs) &&
    sameList(spec.ipFamilies, before.ipFamilies)
  );
}

/** The policy alone says that the second address and family go. */
function downgraded(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  let result = spec;
  if (clusterIPs.length > 1 && sameList(clusterIPs, before.clusterIPs)) result = { ...result, clusterIPs: clusterIPs.slice(0, 1) };
  if (ipFamilies.length > 1 && sameList(ipFamilies, before.ipFamilies)) result = { ...result, ipFamilies: ipFamilies.slice(0, 1) };
  return result;
}

function checkPolicy(spec: ServiceSpec, before: ServiceSpec | undefined, errors: FieldErrors): void {
  const { ipFamilyPolicy: policy, clusterIPs = noAddresses, ipFamilies = noAddresses } = spec;
  if (policy === "SingleStack") {
    const needsTwo = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
    if (clusterIPs.length === 2) errors.invalid(policyPath, policy, `${needsTwo} cluster IPs are specified`);
    if (ipFamilies.length === 2) errors.invalid(policyPath, policy, `${needsTwo} IP families are specified`);
  } else if (before !== undefined) {
    if (isReduced(clusterIPs, before.clusterIPs)) {
      errors.invalid(policyPath, policy, "must be 'SingleStack' to release the secondary cluster IP");
    }
    if (isReduced(ipFamilies, before.ipFamilies)) {
      errors.invalid(policyPath, policy, "must be 'SingleStack' to release the secondary IP family");
    }
  }
}

/** The second of two is gone and the first is still there; none at all means "as you like". */
function isReduced(now: readonly string[], before: readonly string[] = noAddresses): boolean {
  return now.length === 1 && before.length === 2 && now[0] === before[0];
}

/** The families that were asked for, and those of further addresses that were. */
function inferredFamilies({ clusterIPs = noAddresses, ipFamilies = noAddresses }: ServiceSpec, name: string): readonly string[] {
  const families = [...ipFamilies];
  for (const [index, address] of clusterIPs.entries()) {
    const parsed = parseIp(address);
    if (parsed === undefined || index < families.length) continue;
    const family = isIpv6(parsed) ? "IPv6" : "IPv4";
    if (configured.includes(family)) families.push(family);
    else {
      refuseFaults(name, (errors) =>
        errors.invalid(field("spec", "clusterIPs").index(index), clusterIPs, `${family} is not configured on this cluster`),
      );
    }
  }
  return families;
}

function orDefault(families: readonly string[]): readonly string[] {
  return families.length === 0 ? configured : families;
}

function bothFamilies(families: readonly string[]): readonly string[] {
  return families.length > 1 ? families : [...families, families[0] === "IPv4" ? "IPv6" : "IPv4"];
}

function refuseFaults(name: string, find: (errors: FieldErrors) => void): void {
  const errors = new FieldErrors();
  find(errors);
  if (!errors.isEmpty) throw invalid({ group: "", resource: "Service" }, name, errors.causes);
}
