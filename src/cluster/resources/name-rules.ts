// Which names a kind allows: DNS subdomains for most, labels for namespaces and Services, path segments for RBAC.

import {
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  maskTrailingDash,
  pathSegmentPrefixReasons,
  pathSegmentReasons,
} from "#cluster/api/names.ts";

/** Checks a name and returns what is wrong with it; `prefix` is set for generateName. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/** Pods, Deployments, ConfigMaps, nodes and most kinds. */
export const subdomainName: NameRule = (name, prefix) => dns1123SubdomainReasons(prefix ? maskTrailingDash(name) : name);

/** Namespaces. */
export const labelName: NameRule = (name, prefix) => dns1123LabelReasons(prefix ? maskTrailingDash(name) : name);

/** Roles and bindings: anything that can stand in a URL's path. */
export const pathSegmentName: NameRule = (name, prefix) => (prefix ? pathSegmentPrefixReasons(name) : pathSegmentReasons(name));
