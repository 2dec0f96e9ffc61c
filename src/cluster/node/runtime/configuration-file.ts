// /etc/containerd/config.toml, as a machine has it from the start.

import type { RuntimeHandler, RuntimeSettings } from "./handlers.ts";

export const containerdConfigurationPath = "/etc/containerd/config.toml";

/** The CRI plugin's part that says how containers run. */
export const runtimePlugin = "io.containerd.cri.v1.runtime";

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

function table({ name, type }: RuntimeHandler): string {
  const path = `plugins.'${runtimePlugin}'.containerd.runtimes.${name}`;
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

export function containerdConfiguration({ defaultName, handlers }: RuntimeSettings): string {
  return `${before}      default_runtime_name = '${defaultName}'

      [plugins.'${runtimePlugin}'.containerd.runtimes]
${handlers.map(table).join("\n")}${after}`;
}
