// The Container Storage Interface as far as it is used here (container-storage-interface/spec), and how drivers register with kubelets
// (k8s.io/kubelet/pkg/apis/pluginregistration/v1): what upstream sends as gRPC over sockets, as calls.

import type { SocketService } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";

export const pluginsDirectory = "/var/lib/kubelet/plugins";
export const registryDirectory = "/var/lib/kubelet/plugins_registry";

type RpcCode =
  | "InvalidArgument"
  | "NotFound"
  | "FailedPrecondition"
  | "ResourceExhausted"
  | "OutOfRange"
  /** Nobody answers. */
  | "Unavailable";

/** What a call comes to that the driver refuses: as gRPC's Go clients print it. */
export class RpcError extends Error {
  readonly code: RpcCode;
  readonly description: string;

  constructor(code: RpcCode, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
    this.description = description;
  }

  /** Nothing goes on at the driver. */
  get isFinal(): boolean {
    return this.code !== "Unavailable" && this.code !== "ResourceExhausted";
  }
}

/** What is asked for can never be had: to ask again is of no use. */
export function isInfeasible(error: unknown): boolean {
  return (
    error instanceof RpcError && (error.code === "InvalidArgument" || error.code === "OutOfRange" || error.code === "NotFound")
  );
}

export type Parameters = { readonly [key: string]: string };

export interface NewVolume {
  /** Of the PersistentVolume: the same name is the same volume. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly parameters: Parameters;
  /** Of a VolumeAttributesClass: those that can be changed later. */
  readonly attributes?: Parameters | undefined;
  /** What it begins with: the handle of a snapshot or of a volume. */
  readonly source?: { readonly snapshot: string } | { readonly volume: string } | undefined;
}

export interface MadeVolume {
  readonly handle: string;
  /** At least what was asked for, in whole GiB. */
  readonly sizeBytes: number;
}

export interface MadeSnapshot {
  readonly handle: string;
  readonly createdMs: number;
  /** Of the volume that it was taken of. */
  readonly sizeBytes: number;
  /** Volumes can be made from it. */
  readonly isReady: boolean;
}

export interface NodeInfo {
  readonly nodeId: string;
  /** 0: as many as there are. */
  readonly maxVolumes: number;
  readonly topology: { readonly [key: string]: string };
}

/** What the programs beside a driver ask for. */
export interface ControllerService {
  createVolume(volume: NewVolume): MadeVolume;
  deleteVolume(handle: string): void;
  /** As it is now; the same name is the same snapshot. */
  createSnapshot(name: string, volumeHandle: string, parameters: Parameters): MadeSnapshot;
  findSnapshot(handle: string): MadeSnapshot | undefined;
  deleteSnapshot(handle: string): void;
  controllerPublish(handle: string, nodeId: string): void;
  controllerUnpublish(handle: string, nodeId: string): void;
  /** The size of the volume then, at least the one that is asked for; its file system is as large as it was. */
  controllerExpand(handle: string, sizeBytes: number): number;
  /** To the attributes of another VolumeAttributesClass. */
  controllerModify(handle: string, attributes: Parameters): void;
}

/** What kubelets ask for. */
export interface NodeService {
  nodeInfo(): NodeInfo;
  /** The file system of an attached volume. */
  nodeStage(handle: string): Mount["fileSystem"];
  nodeUnstage(handle: string): void;
  /** For a Pod, at a path of its own. */
  nodePublish(handle: string, path: string): void;
  nodeUnpublish(handle: string, path: string): void;
  /** Makes the file system of a volume that is mounted here as large as the volume. */
  nodeExpand(handle: string): void;
}

/** What a driver serves at its socket; all throw RpcError. */
export interface DriverService extends SocketService, ControllerService, NodeService {}

/** What node-driver-registrar serves in the kubelet's directory of plugins. */
export interface RegistrarService extends SocketService {
  readonly driver: string;
  /** The path of the driver's socket on the node. */
  readonly endpoint: string;
  registered(): void;
}
