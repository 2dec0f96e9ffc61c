// The driver `csi.sim.local`: both its parts, before the storage service and on nodes, are one program, as with most drivers.

import { klogLater } from "#cluster/images/log-line.ts";
import { type Part, StartFailure } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { ControllerService, DriverService, NodeService } from "./driver-api.ts";
import { driverName, region, regionKey } from "./driver-names.ts";
import { flagOf, listen } from "./program-start.ts";
import type { StorageService } from "./storage-service.ts";

const socketPrefix = "unix://";

/** Tells of a call. */
type Say = (method: string, about: string) => void;

export function driver(self: Process, storage: StorageService): Part {
  const nodeId = flagOf(self, "nodeid") ?? self.hostname;
  const maxVolumes = Number(flagOf(self, "max-volumes-per-node") ?? "0");
  if (!Number.isInteger(maxVolumes) || maxVolumes < 0)
    throw new StartFailure(`invalid value ${JSON.stringify(flagOf(self, "max-volumes-per-node"))} for flag --max-volumes-per-node`);
  const say: Say = (method, about) => klogLater(self, "I", "server.go:118", `"GRPC call" method="/csi.v1.${method}" ${about}`);
  const service: DriverService = {
    ...controllerService(storage, maxVolumes, say),
    ...nodeService(storage, { nodeId, maxVolumes }, say),
  };
  const socket = (flagOf(self, "endpoint") ?? "unix:///csi/csi.sock").replace(socketPrefix, "");
  listen(self, socket, service);
  klogLater(self, "I", "driver.go:71", `"Driver" name="${driverName}" version="1.0"`);
  klogLater(self, "I", "server.go:94", `"Listening for connections" address="${socket}"`);
  return { stop: () => {} };
}

function controllerService(storage: StorageService, maxVolumes: number, say: Say): ControllerService {
  return {
    createVolume: (volume) => {
      say("Controller/CreateVolume", `name="${volume.name}"`);
      return storage.create(volume);
    },
    deleteVolume: (handle) => {
      say("Controller/DeleteVolume", `volume_id="${handle}"`);
      storage.delete(handle);
    },
    createSnapshot: (name, handle, parameters) => {
      say("Controller/CreateSnapshot", `name="${name}" source_volume_id="${handle}"`);
      return storage.snapshot(name, handle, parameters);
    },
    findSnapshot: (handle) => {
      say("Controller/ListSnapshots", `snapshot_id="${handle}"`);
      return storage.findSnapshot(handle);
    },
    deleteSnapshot: (handle) => {
      say("Controller/DeleteSnapshot", `snapshot_id="${handle}"`);
      storage.deleteSnapshot(handle);
    },
    controllerPublish: (handle, node) => {
      say("Controller/ControllerPublishVolume", `volume_id="${handle}" node_id="${node}"`);
      storage.attach(handle, node, maxVolumes);
    },
    controllerUnpublish: (handle, node) => {
      say("Controller/ControllerUnpublishVolume", `volume_id="${handle}" node_id="${node}"`);
      storage.detach(handle, node);
    },
    controllerExpand: (handle, sizeBytes) => {
      say("Controller/ControllerExpandVolume", `volume_id="${handle}" required_bytes=${sizeBytes}`);
      return storage.expand(handle, sizeBytes);
    },
    controllerModify: (handle, attributes) => {
      say("Controller/ControllerModifyVolume", `volume_id="${handle}" mutable_parameters=${JSON.stringify(attributes)}`);
      storage.modify(handle, attributes);
    },
  };
}

function nodeService(
  storage: StorageService,
  { nodeId, maxVolumes }: { readonly nodeId: string; readonly maxVolumes: number },
  say: Say,
): NodeService {
  return {
    nodeInfo: () => ({ nodeId, maxVolumes, topology: { [regionKey]: region } }),
    nodeStage: (handle) => {
      say("Node/NodeStageVolume", `volume_id="${handle}"`);
      return storage.filesOn(handle, nodeId);
    },
    // The kubelet's machine mounts: these only tell of it.
    nodeUnstage: (handle) => say("Node/NodeUnstageVolume", `volume_id="${handle}"`),
    nodePublish: (handle, path) => say("Node/NodePublishVolume", `volume_id="${handle}" target_path="${path}"`),
    nodeUnpublish: (handle, path) => say("Node/NodeUnpublishVolume", `volume_id="${handle}" target_path="${path}"`),
    nodeExpand: (handle) => {
      say("Node/NodeExpandVolume", `volume_id="${handle}"`);
      storage.growFiles(handle, nodeId);
    },
  };
}
