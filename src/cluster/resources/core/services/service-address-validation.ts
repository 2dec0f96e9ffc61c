// Cluster IPs, families and family policy of Services: what fits together, and what may change once it is set
// (ValidateServiceClusterIPsRelatedFields, validateUpgradeDowngradeClusterIPs, validateUpgradeDowngradeIPFamilies).

import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { isIpv6, parseIp } from "#cluster/api/ip-text.ts";
import { type FieldErrors, field } from "../../field-errors.ts";
import { isDualStack, validateLegacyIp } from "../../networking/ip-rules.ts";
import { isHeadless } from "./service-facts.ts";

const addressesPath = field("spec", "clusterIPs");
const familiesPath = field("spec", "ipFamilies");
const policyPath = field("spec", "ipFamilyPolicy");
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const fixed = "may not change once set";

export function validateServiceAddresses(spec: ServiceSpec, old: ServiceSpec | undefined, errors: FieldErrors): void {
  if (spec.type === "ExternalName") return;
  const { clusterIP = "", clusterIPs: addresses = [], ipFamilies: families = [] } = spec;
  if (clusterIP !== "") {
    if (addresses.length === 0) errors.required(addressesPath);
    else if (addresses[0] !== clusterIP) errors.invalid(addressesPath, addresses, "first value must match `clusterIP`");
  } else if (addresses.length > 0) {
    errors.invalid(addressesPath, addresses, "must be empty when `clusterIP` is not specified");
  }
  validateFamilies(spec, errors);
  if (!areAddresses(addresses, old?.clusterIPs, errors)) return;
  if (addresses.length > 1 && !isDualStack(addresses)) {
    errors.invalid(addressesPath, addresses, "may specify no more than one IP for each IP family");
  }
  if (isHeadless(spec)) return;
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    const parsed = parseIp(address);
    if (parsed === undefined || (family !== "IPv4" && family !== "IPv6") || isIpv6(parsed) === (family === "IPv6")) continue;
    errors.invalid(addressesPath.index(index), address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``);
  }
}

function validateFamilies({ ipFamilies: families = [], ipFamilyPolicy: policy }: ServiceSpec, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, family] of families.entries()) {
    if (family !== "IPv4" && family !== "IPv6") errors.notSupported(familiesPath.index(index), family, ["IPv4", "IPv6"]);
    if (seen.has(family)) errors.duplicate(familiesPath.index(index), family);
    seen.add(family);
  }
  if (policy !== undefined && !policies.includes(policy)) errors.notSupported(policyPath, policy, policies);
}

/** Further rules make no sense for what is no address. */
function areAddresses(addresses: readonly string[], existing: readonly string[] | undefined, errors: FieldErrors): boolean {
  let valid = true;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === "None") {
      if (addresses.length > 1) {
        valid = false;
        errors.invalid(addressesPath, addresses, "'None' must be the first and only value");
      }
    } else if (!validateLegacyIp(address, addressesPath.index(index), errors, existing)) valid = false;
  }
  if (addresses.length > 2) errors.invalid(addressesPath, addresses, "may only hold up to 2 values");
  return valid;
}

/** The first address and family stay; a second may come, and go with policy SingleStack. */
export function validateServiceAddressUpdate(spec: ServiceSpec, old: ServiceSpec, errors: FieldErrors): void {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return;
  const [headless, wasHeadless] = [isHeadless(spec), isHeadless(old)];
  if (!headless || !wasHeadless) validateAddressesKept(spec, old, errors);
  if (!headless && !wasHeadless) validateFamiliesKept(spec, old, errors);
}

function validateAddressesKept(spec: ServiceSpec, old: ServiceSpec, errors: FieldErrors): void {
  const { clusterIPs: now = [] } = spec;
  const { clusterIPs: before = [] } = old;
  if (now.length === before.length) {
    for (const [index, address] of before.entries()) {
      if (address !== now[index]) errors.invalid(addressesPath.index(index), now, fixed);
    }
    return;
  }
  if (now.length === 0) errors.invalid(addressesPath.index(0), now, "primary clusterIP can not be unset");
  else if (before.length > 0 && now[0] !== before[0]) errors.invalid(addressesPath.index(0), now, fixed);
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== "SingleStack") {
    errors.invalid(policyPath, spec.ipFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary clusterIP");
  }
}

function validateFamiliesKept(spec: ServiceSpec, old: ServiceSpec, errors: FieldErrors): void {
  const { ipFamilies: now = [], clusterIPs: addresses = [] } = spec;
  const { ipFamilies: before = [] } = old;
  if (now.length === before.length) {
    for (const [index, family] of before.entries()) if (family !== now[index]) errors.invalid(familiesPath.index(0), now, fixed);
    return;
  }
  if (now.length < before.length && addresses.length === 0) {
    errors.invalid(familiesPath.index(0), now, "primary ipFamily can not be unset");
  }
  // Upstream names the addresses here, not the families.
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) errors.invalid(familiesPath.index(0), addresses, fixed);
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== "SingleStack") {
    errors.invalid(policyPath, spec.ipFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary ipFamily");
  }
}
