// The programs of the CSI driver's Pods and their images: the driver itself, and upstream's programs beside it.

import type { Client } from "#cluster/client/client.ts";
import type { Image } from "#cluster/images/image.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import { imagesOf, type Part, StartFailure, type StartPart } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { Attacher } from "./attacher.ts";
import { type DriverService, type NodeInfo, type RegistrarService, registryDirectory } from "./driver-api.ts";
import { driverName, region, regionKey } from "./driver-names.ts";
import { Provisioner } from "./provisioner.ts";
import type { StorageService } from "./storage-service.ts";

export interface CsiProgramOptions {
  readonly simulation: Simulation;
  readonly storage: StorageService;
  /** As the service account of a Pod. Throws StartFailure. */
  readonly clientOf: (self: Process, userAgent: string) => Client;
}

const mebibyte = 1_048_576;
const declared = { health: [], cpuMillicores: 1 };
const socketPrefix = "unix://";

export function csiImages({ simulation, storage, clientOf }: CsiProgramOptions): readonly Image[] {
  const image = (repository: string, tag: string, program: string, size: number, start: StartPart) =>
    imagesOf(
      { ...declared, repository, tags: [tag], program: `/${program}`, sizeBytes: size * mebibyte, memoryBytes: 12 * mebibyte },
      start,
    );
  return [
    ...image("registry.k8s.io/sig-storage/csi-provisioner", "v5.3.0", "csi-provisioner", 29, (self) =>
      started(new Provisioner({ simulation, self, client: clientOf(self, "csi-provisioner") })),
    ),
    ...image("registry.k8s.io/sig-storage/csi-attacher", "v4.9.0", "csi-attacher", 28, (self) =>
      started(new Attacher({ simulation, self, client: clientOf(self, "csi-attacher") })),
    ),
    ...image("registry.k8s.io/sig-storage/csi-node-driver-registrar", "v2.14.0", "csi-node-driver-registrar", 14, registrar),
    ...image("docker.io/pilothouse/csi-sim-driver", "1.0", "csi-sim-driver", 18, (self) => driver(self, storage)),
  ];
}

function started(program: { start(): void; stop(): void }): Part {
  program.start();
  return program;
}

/** `--name=value`, with one dash or two. */
function flagOf(self: Process, name: string): string | undefined {
  const found = self.argv.find((each) => each.startsWith(`--${name}=`) || each.startsWith(`-${name}=`));
  return found?.slice(found.indexOf("=") + 1);
}

/** Makes the socket anew: one of an earlier process may lie there. Throws StartFailure. */
function listen(self: Process, path: string, service: Parameters<Process["bindSocket"]>[1]): void {
  try {
    if (self.exists(path)) self.unlink(path);
    self.bindSocket(path, service);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new StartFailure(`failed to listen on ${path}: ${error.message}`);
  }
}

/** Both parts of the driver are one program, as with most drivers. */
function driver(self: Process, storage: StorageService): Part {
  const nodeId = flagOf(self, "nodeid") ?? self.hostname;
  const maxVolumes = Number(flagOf(self, "max-volumes-per-node") ?? "0");
  if (!Number.isInteger(maxVolumes) || maxVolumes < 0)
    throw new StartFailure(`invalid value ${JSON.stringify(flagOf(self, "max-volumes-per-node"))} for flag --max-volumes-per-node`);
  const info: NodeInfo = { nodeId, maxVolumes, topology: { [regionKey]: region } };
  const say = (call: string, about: string): void => klogLater(self, "I", "server.go:118", `"GRPC call" method="${call}" ${about}`);
  const service: DriverService = {
    createVolume: (volume) => {
      say("/csi.v1.Controller/CreateVolume", `name="${volume.name}"`);
      return storage.create(volume);
    },
    deleteVolume: (handle) => {
      say("/csi.v1.Controller/DeleteVolume", `volume_id="${handle}"`);
      storage.delete(handle);
    },
    controllerPublish: (handle, node) => {
      say("/csi.v1.Controller/ControllerPublishVolume", `volume_id="${handle}" node_id="${node}"`);
      storage.attach(handle, node, maxVolumes);
    },
    controllerUnpublish: (handle, node) => {
      say("/csi.v1.Controller/ControllerUnpublishVolume", `volume_id="${handle}" node_id="${node}"`);
      storage.detach(handle, node);
    },
    nodeInfo: () => info,
    nodeStage: (handle) => {
      say("/csi.v1.Node/NodeStageVolume", `volume_id="${handle}"`);
      return storage.filesOn(handle, nodeId);
    },
  };
  const socket = (flagOf(self, "endpoint") ?? "unix:///csi/csi.sock").replace(socketPrefix, "");
  listen(self, socket, service);
  klogLater(self, "I", "driver.go:71", `"Driver" name="${driverName}" version="1.0"`);
  klogLater(self, "I", "server.go:94", `"Listening for connections" address="${socket}"`);
  return { stop: () => {} };
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
