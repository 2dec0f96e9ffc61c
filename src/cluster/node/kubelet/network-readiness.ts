// Whether the runtime can give Pods a network: as containerd, which is ready once a plugin's configuration lies in
// /etc/cni/net.d. (Where in the cluster the plugin's addresses come from is its own affair.)

import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";

const folder = "/etc/cni/net.d";
const suffixes = [".conf", ".conflist", ".json"];

/** Why the node has no network for Pods, in the kubelet's words; undefined when it has. */
export function networkProblem(files: HostFiles): string | undefined {
  if (configurations(files).some((name) => suffixes.some((suffix) => name.endsWith(suffix)))) return undefined;
  return "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
}

function configurations(files: HostFiles): readonly string[] {
  try {
    return files.readdir(folder);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return [];
  }
}
