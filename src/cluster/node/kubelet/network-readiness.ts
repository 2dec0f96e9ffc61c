// Whether the runtime can give Pods a network: as containerd, which is ready once a plugin's configuration lies in
// /etc/cni/net.d. (Where in the cluster the plugin's addresses come from is its own affair.)

import type { HostFiles } from "#sim/filesystem/host-files.ts";

const folder = "/etc/cni/net.d";
const suffixes = [".conf", ".conflist", ".json"];

/** Why the node has no network for Pods, in the kubelet's words; undefined when it has. */
export function networkProblem(files: HostFiles): string | undefined {
  const isReady = files.exists(folder) && files.readdir(folder).some((name) => suffixes.some((suffix) => name.endsWith(suffix)));
  if (isReady) return undefined;
  return "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
}
