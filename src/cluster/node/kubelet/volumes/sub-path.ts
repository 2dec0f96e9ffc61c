// Which path within its volume a container asks for, and the kubelet's refusals (makeMounts in kubelet_pods.go).

import type { VolumeMount } from "#cluster/api/generated/types.ts";
import { ConfigError } from "../environment.ts";
import { expandWith } from "../expansion.ts";

/** Where the container sees it: absolute, without a slash at the end. */
export function mountPathOf({ mountPath }: VolumeMount): string {
  return `${mountPath.startsWith("/") ? "" : "/"}${mountPath}`.replace(/(.)\/+$/, "$1");
}

/** "" for the whole volume. Throws ConfigError for a path that is absolute, climbs, or lacks a variable. */
export function subPathOf(mount: VolumeMount, values: ReadonlyMap<string, string>): string {
  const { subPathExpr = "" } = mount;
  const path = subPathExpr === "" ? (mount.subPath ?? "") : expanded(subPathExpr, values);
  if (path.startsWith("/")) throw new ConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split("/").includes("..")) throw new ConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

function expanded(text: string, values: ReadonlyMap<string, string>): string {
  const missing = new Set<string>();
  const path = expandWith(text, (name) => {
    const value = values.get(name) ?? "";
    if (value === "") missing.add(name);
    return value;
  });
  if (missing.size > 0) throw new ConfigError(`missing value for ${[...missing].sort().join(", ")}`);
  return path;
}
