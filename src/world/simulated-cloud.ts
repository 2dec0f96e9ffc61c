// The cloud that a cluster's machines are of: its machines' power, the image of its controller manager, and its program on the workstation.

import type { Authenticator } from "#cluster/apiserver/authentication.ts";
import type { ClientFactory } from "#cluster/client/client.ts";
import { Cloud, type CloudMachine, type MachineState } from "#cluster/cloud/cloud.ts";
import { instanceId } from "#cluster/cloud/instance.ts";
import type { Registry } from "#cluster/images/registry.ts";
import { imagesOf } from "#cluster/images/system-images.ts";
import type { WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import type { Program } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { cloudManagerPart } from "./cloud-manager-part.ts";
import type { NodeShape } from "./cluster-shape.ts";
import type { MachinePower, PowerState } from "./machine-power.ts";
import { simcloud } from "./simcloud.ts";

export interface SimulatedCloudOptions {
  readonly simulation: Simulation;
  readonly network: WiredClusterNetwork;
  readonly nodes: readonly NodeShape[];
  readonly routeLimit: number | undefined;
  readonly registry: Registry;
  readonly clients: ClientFactory;
  /** Whose tokens count. */
  readonly authenticator: () => Authenticator;
  readonly powerOf: (name: string) => MachinePower | undefined;
}

const states: { readonly [state in PowerState]: MachineState } = {
  on: "running",
  booting: "pending",
  stopping: "stopping",
  off: "stopped",
};

const mebibyte = 1_048_576;
const managerImage = {
  repository: "registry.sim.example/cloud-controller-manager",
  tags: ["v1.36.0"],
  program: "/bin/cloud-controller-manager",
  sizeBytes: 18_203_117,
  memoryBytes: 22 * mebibyte,
  cpuMillicores: 2,
  health: [{ port: 10258, secure: true, paths: ["/healthz"] }],
};

export class SimulatedCloud {
  /** Of the workstation, by path. */
  readonly programs: ReadonlyMap<string, Program>;
  readonly #cloud: Cloud;

  constructor({ simulation, network, nodes, routeLimit, registry, clients, authenticator, powerOf }: SimulatedCloudOptions) {
    const machines = nodes.flatMap((node) => machineOf(node, powerOf));
    const cloud = new Cloud({ simulation, network, machines, routeLimit });
    const start = cloudManagerPart({ simulation, clients, authenticator, cloud });
    for (const image of imagesOf(managerImage, start)) registry.push(image);
    this.programs = new Map([["/usr/local/bin/simcloud", simcloud({ cloud, powerOf })]]);
    this.#cloud = cloud;
  }

  /** Without those that were removed. */
  get machines(): readonly CloudMachine[] {
    return this.#cloud.machines;
  }
}

function machineOf({ name, address, instance }: NodeShape, powerOf: SimulatedCloudOptions["powerOf"]): readonly CloudMachine[] {
  if (instance === undefined) return [];
  return [
    {
      ...instance,
      name,
      address,
      instanceId: instanceId(address),
      get state() {
        return states[powerOf(name)?.state ?? "off"];
      },
    },
  ];
}
