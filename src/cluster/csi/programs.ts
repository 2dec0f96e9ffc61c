// The programs of the CSI driver's Pods and their images: the driver itself, and upstream's programs beside it.

import type { Client } from "#cluster/client/client.ts";
import type { Image } from "#cluster/images/image.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import { imagesOf, type Part, StartFailure, type StartPart } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { Attacher } from "./attacher.ts";
import { driver } from "./driver.ts";
import { type RegistrarService, registryDirectory } from "./driver-api.ts";
import { driverName } from "./driver-names.ts";
import { Modifier } from "./modifier.ts";
import { flagOf, listen } from "./program-start.ts";
import { Provisioner } from "./provisioner.ts";
import { Resizer } from "./resizer.ts";
import { SnapshotController } from "./snapshot-controller.ts";
import { Snapshotter } from "./snapshotter.ts";
import type { StorageService } from "./storage-service.ts";

export interface CsiProgramOptions {
  readonly simulation: Simulation;
  readonly storage: StorageService;
  /** As the service account of a Pod. Throws StartFailure. */
  readonly clientOf: (self: Process, userAgent: string) => Client;
}

const mebibyte = 1_048_576;
const declared = { health: [], cpuMillicores: 1 };

export function csiImages({ simulation, storage, clientOf }: CsiProgramOptions): readonly Image[] {
  const image = (repository: string, tag: string, program: string, size: number, start: StartPart) =>
    imagesOf(
      { ...declared, repository, tags: [tag], program: `/${program}`, sizeBytes: size * mebibyte, memoryBytes: 12 * mebibyte },
      start,
    );
  const together = (self: Process, client: Client, programs: readonly (typeof Resizer | typeof Modifier)[]): Part => {
    const parts = programs.map((Program) => started(new Program({ simulation, self, client })));
    return {
      stop: () => {
        for (const part of parts) part.stop();
      },
    };
  };
  return [
    ...image("registry.k8s.io/sig-storage/csi-provisioner", "v6.1.0", "csi-provisioner", 29, (self) =>
      started(new Provisioner({ simulation, self, client: clientOf(self, "csi-provisioner") })),
    ),
    ...image("registry.k8s.io/sig-storage/csi-attacher", "v4.9.0", "csi-attacher", 28, (self) =>
      started(new Attacher({ simulation, self, client: clientOf(self, "csi-attacher") })),
    ),
    ...image("registry.k8s.io/sig-storage/csi-resizer", "v2.1.0", "csi-resizer", 28, (self) =>
      together(self, clientOf(self, "csi-resizer"), [Resizer, Modifier]),
    ),
    ...image("registry.k8s.io/sig-storage/csi-snapshotter", "v8.4.0", "csi-snapshotter", 30, (self) =>
      started(new Snapshotter({ simulation, self, client: clientOf(self, "csi-snapshotter") })),
    ),
    ...image("registry.k8s.io/sig-storage/snapshot-controller", "v8.4.0", "snapshot-controller", 30, (self) =>
      started(new SnapshotController({ simulation, self, client: clientOf(self, "snapshot-controller") })),
    ),
    ...image("registry.k8s.io/sig-storage/csi-node-driver-registrar", "v2.14.0", "csi-node-driver-registrar", 14, registrar),
    ...image("docker.io/pilothouse/csi-sim-driver", "1.0", "csi-sim-driver", 18, (self) => driver(self, storage)),
  ];
}

function started(program: { start(): void; stop(): void }): Part {
  program.start();
  return program;
}

/** node-driver-registrar: tells the kubelet of the driver's socket, and lets it go when it ends. */
function registrar(self: Process): Part {
  const endpoint = flagOf(self, "kubelet-registration-path");
  if (endpoint === undefined) throw new StartFailure("kubelet-registration-path is a required parameter");
  const socket = `/registration/${driverName}-reg.sock`;
  const say = (place: string, message: string): void => klogLater(self, "I", place, message);
  say("main.go:150", '"Version" version="v2.14.0"');
  const service: RegistrarService = {
    driver: driverName,
    endpoint,
    registered: () => say("main.go:101", '"Received NotifyRegistrationStatus call" status="plugin_registered:true"'),
  };
  listen(self, socket, service);
  say("node_register.go:55", `"Starting Registration Server" socketPath="${socket}"`);
  say("node_register.go:64", `"Registration Server started" socketPath="${registryDirectory}/${driverName}-reg.sock"`);
  return {
    stop: () => {
      if (self.exit === undefined && self.exists(socket)) self.unlink(socket);
    },
  };
}
