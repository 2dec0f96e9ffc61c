// /etc/containerd/config.toml, as a machine has it from the start: of version 3, and of version 2 where containerd is from before 2.0.

import type { RuntimeHandler, RuntimeSettings } from "./handlers.ts";

/** The CRI plugin's part that says how containers run. */
export const runtimePlugin = "io.containerd.cri.v1.runtime";

/** The plugin that serves the CRI; in files of version 2 it has all the settings. */
export const criPlugin = "io.containerd.grpc.v1.cri";

const before = `version = 3
root = '/var/lib/containerd'
state = '/run/containerd'

[grpc]
  address = '/run/containerd/containerd.sock'

[plugins]
  [plugins.'io.containerd.cri.v1.images']
    snapshotter = 'overlayfs'
    max_concurrent_downloads = 3

    [plugins.'io.containerd.cri.v1.images'.pinned_images]
      sandbox = 'registry.k8s.io/pause:3.10.1'

  [plugins.'${runtimePlugin}']
    max_container_log_line_size = 16384

    [plugins.'${runtimePlugin}'.containerd]
`;

const after = `
    [plugins.'${runtimePlugin}'.cni]
      bin_dirs = ['/opt/cni/bin']
      conf_dir = '/etc/cni/net.d'
`;

const olderBefore = `version = 2
root = '/var/lib/containerd'
state = '/run/containerd'

[grpc]
  address = '/run/containerd/containerd.sock'

[plugins]
  [plugins.'${criPlugin}']
    sandbox_image = 'registry.k8s.io/pause:3.10.1'
    max_concurrent_downloads = 3
    max_container_log_line_size = 16384

    [plugins.'${criPlugin}'.containerd]
      snapshotter = 'overlayfs'
`;

const olderAfter = `
    [plugins.'${criPlugin}'.cni]
      bin_dir = '/opt/cni/bin'
      conf_dir = '/etc/cni/net.d'
`;

function table({ name, type }: RuntimeHandler, plugin: string): string {
  const path = `plugins.'${plugin}'.containerd.runtimes.${name}`;
  const options =
    name === "runc"
      ? `
          [${path}.options]
            SystemdCgroup = true
`
      : "";
  return `        [${path}]
          runtime_type = '${type}'
${options}`;
}

/** `version`: of the file's form. */
export function containerdConfiguration({ defaultName, handlers }: RuntimeSettings, version: 2 | 3 = 3): string {
  const [head, plugin, tail] = version === 3 ? [before, runtimePlugin, after] : [olderBefore, criPlugin, olderAfter];
  return `${head}      default_runtime_name = '${defaultName}'

      [plugins.'${plugin}'.containerd.runtimes]
${handlers.map((handler) => table(handler, plugin)).join("\n")}${tail}`;
}
