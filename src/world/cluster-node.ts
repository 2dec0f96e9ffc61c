// One node of the cluster: a machine with a container runtime and a kubelet.

import type { ClientFactory, ClientWire } from "#cluster/client/client.ts";
import type { ImageRegistry } from "#cluster/images/image.ts";
import { kubeletCanary } from "#cluster/network/netfilter/kubelet-rules.ts";
import type { WiredNode } from "#cluster/network/node-network.ts";
import { Machine } from "#cluster/node/host/machine.ts";
import { runtimeShim } from "#cluster/node/host/machine-files.ts";
import { kubeletOptionsOf } from "#cluster/node/kubelet/configuration.ts";
import { configurationPath } from "#cluster/node/kubelet/configuration-fields.ts";
import { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import type { KubeletOptions } from "#cluster/node/kubelet/kubelet-options.ts";
import { mayLabelItself } from "#cluster/node/kubelet/node-labels.ts";
import { defaultKubeletVersion } from "#cluster/node/kubelet/node-status.ts";
import { kubeadmEndpoint } from "#cluster/node/kubelet/runtime-connection.ts";
import { lateStart } from "#cluster/node/kubelet/start/late-start.ts";
import { Containerd } from "#cluster/node/runtime/containerd.ts";
import {
  containerdConfigurationPath,
  type RuntimeName,
  type RuntimeSettings,
  shimNamed,
  withRuntimes,
} from "#cluster/node/runtime/handlers.ts";
import { containerdReleases } from "#cluster/node/runtime/releases.ts";
import type { FileTree } from "#sim/files.ts";
import type { Kernel } from "#sim/kernel.ts";
import { once } from "#sim/late.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { NodeShape } from "./cluster-shape.ts";
import { lateMachineTools } from "./late-machine-tools.ts";

export interface ClusterNodeOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly shape: NodeShape;
  readonly network: WiredNode;
  readonly registry: ImageRegistry;
  readonly clients: ClientFactory;
  /** Between its machine and the API server. */
  readonly wire: ClientWire | undefined;
  readonly dnsAddress: string;
  /** Of those who may ask the kubelet. */
  readonly clientAuthority: Certificate;
  /** Programs of the machine beside the standard ones. */
  readonly files: FileTree;
}

/** Most programs are in the first; which one it is nobody is told. */
const programFolders = ["/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/usr/sbin"];

function pathsOf(program: string): readonly string[] {
  return program.startsWith("/") ? [program] : programFolders.map((folder) => `${folder}/${program}`);
}

/** Runtimes beside runc, as their makers' packages install them. */
function shimFiles(names: readonly RuntimeName[]): FileTree {
  return new Map(names.filter((name) => name !== "runc").map((name) => [`/usr/local/bin/${shimNamed(name)}`, runtimeShim]));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

export class ClusterNode {
  readonly shape: NodeShape;
  readonly network: WiredNode;
  readonly machine: Machine;
  readonly runtime: Containerd;
  readonly kubelet: Kubelet;

  constructor(options: ClusterNodeOptions) {
    const { simulation, kernel, shape, network } = options;
    this.shape = shape;
    this.network = network;
    this.machine = new Machine({
      simulation,
      kernel,
      network,
      name: shape.name,
      cpus: shape.cpus,
      memoryBytes: shape.memoryBytes,
      diskBytes: shape.diskBytes,
      architecture: shape.architecture,
      cgroupVersion: shape.cgroupVersion,
      files: shape.shims.length === 0 ? options.files : new Map([...options.files, ...shimFiles(shape.shims)]),
    });
    this.machine.diskBytesPerSecond = shape.diskBytesPerSecond;
    const runtimes = withRuntimes(shape.runtimes);
    this.runtime = new Containerd({
      simulation,
      kernel,
      network,
      registry: options.registry,
      hostPids: this.machine.pids,
      hostSharedMemory: this.machine.sharedMemory,
      podGroups: this.machine.podGroups,
      disk: this.machine.disk,
      files: this.machine.files,
      release: shape.containerd,
      hostname: shape.name,
      architecture: shape.architecture,
      hostsFile: () => this.machine.files.textIfThere("/etc/hosts") ?? "",
      journal: this.machine.journal,
      runtimes,
      hasProgram: (program) => pathsOf(program).some((path) => this.machine.files.exists(path)),
    });
    const base = {
      simulation,
      machine: this.machine,
      runtime: this.runtime,
      client: options.clients.clientFor(
        { name: `system:node:${shape.name}`, groups: ["system:nodes", "system:authenticated"] },
        "kubelet",
        options.wire,
      ),
      clientAuthority: options.clientAuthority,
      clusterDns: [options.dnsAddress],
      labels: Object.fromEntries(Object.entries(shape.labels).filter(([key]) => mayLabelItself(key))),
      taints: shape.taints,
      ...shape.kubeletOptions,
      ...(shape.kubeletVersion === undefined ? {} : { version: shape.kubeletVersion }),
    };
    // What the shape says of labels and taints stands beside what the files say.
    const beside = ({ labels, taints = [] }: Partial<KubeletOptions>) => ({
      labels: { ...base.labels, ...labels },
      taints: [...base.taints, ...taints],
    });
    const configured = kubeletOptionsOf({ containerRuntimeEndpoint: kubeadmEndpoint, ...shape.kubelet });
    // Where the file says nothing any more, the defaults count.
    const unset = { maxPods: 110, maxContainerRestartPeriodSeconds: 300, credentialPlugins: undefined };
    const reread = () => {
      const settings = lateStart.code.settingsOf(this.machine, shape.kubeletVersion ?? defaultKubeletVersion);
      return { ...unset, ...settings, ...beside(settings) };
    };
    this.kubelet = new Kubelet({ ...base, ...configured, ...beside(configured), reread });
    this.#writeFiles(options.dnsAddress, runtimes);
    this.#watchRules(simulation);
  }

  /** The kubelet puts its chains back when somebody empties the tables; the code comes when that happens. */
  #watchRules(simulation: Simulation): void {
    const { packetFilter } = this.network;
    const startedMs = simulation.nowMs;
    const isAlive = (): boolean => this.kubelet.isRunning;
    const watch = once(() => lateMachineTools.code.watchKubeletRules({ simulation, filter: packetFilter, startedMs, isAlive }));
    packetFilter.onEdit.add(() => {
      if (!packetFilter.hasChain("mangle", kubeletCanary)) watch().edited();
    });
  }

  #writeFiles(clusterDns: string, runtimes: RuntimeSettings): void {
    const { files } = this.machine;
    files.provideFile(configurationPath, () =>
      lateStart.code.configurationFile(this.shape.kubelet, { clusterDns, clusterDomain: "cluster.local" }),
    );
    files.makeDirectories(folderOf(containerdConfigurationPath));
    files.provideFile(containerdConfigurationPath, () =>
      lateStart.code.containerdConfiguration(runtimes, containerdReleases[this.shape.containerd].servesV1 ? 3 : 2),
    );
    for (const [path, text] of Object.entries(this.shape.files)) {
      files.makeDirectories(folderOf(path));
      files.writeFile(path, text);
    }
  }
}
