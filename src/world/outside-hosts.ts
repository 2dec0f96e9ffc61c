// Machines outside the cluster, somebody else's: each runs the program of an image, at an address that the cluster does not give.

import type { Image } from "#cluster/images/image.ts";
import type { WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import type { TreeEntry } from "#sim/files.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { HostWish } from "./cluster-shape.ts";

export interface OutsideHostOptions {
  readonly kernel: Kernel;
  readonly network: WiredClusterNetwork;
  readonly hosts: readonly HostWish[];
  readonly imageNamed: (name: string) => Image | undefined;
}

const gibibyte = 1024 ** 3;
const machine = { memoryBytes: 2 * gibibyte, cpus: 2 };

/** Throws Error when no registry has a host's image. */
export function startOutsideHosts({ kernel, network, hosts, imageNamed }: OutsideHostOptions): void {
  for (const { name, address, image: wanted, command, files = {} } of hosts) {
    const image = imageNamed(wanted);
    if (image === undefined) throw new Error(`host ${name}: no registry has ${wanted}`);
    const { entrypoint, cmd, env, workingDir } = image.config;
    const argv = command ?? [...entrypoint, ...cmd];
    const added = Object.entries(files).map(([path, content]): [string, TreeEntry] => [path, { type: "file", content }]);
    kernel.start({
      run: argv[0] as string,
      argv,
      env: new Map(Object.entries(env)),
      cwd: workingDir === "" ? "/" : workingDir,
      hostname: name,
      pidNamespace: kernel.createPidNamespace(),
      mounts: kernel.createMountNamespace(kernel.createDisk(new Map([...image.files, ...added]))),
      network: network.addHost(name, address),
      controlGroup: kernel.createMachineGroup({ memoryBytes: machine.memoryBytes, cpuMillicores: machine.cpus * 1000 }, machine),
    });
  }
}

/** What name servers outside say of them: name → addresses. */
export function outsideNames(hosts: readonly HostWish[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  for (const { address, names = [] } of hosts) for (const name of names) known.set(name, [...(known.get(name) ?? []), address]);
  return known;
}
