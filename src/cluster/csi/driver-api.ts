// The Container Storage Interface as far as it is used here (container-storage-interface/spec), and how drivers register with kubelets
// (k8s.io/kubelet/pkg/apis/pluginregistration/v1): what upstream sends as gRPC over sockets, as calls.

import type { SocketService } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";

export const pluginsDirectory = "/var/lib/kubelet/plugins";
export const registryDirectory = "/var/lib/kubelet/plugins_registry";

/** What a call comes to that the driver refuses: as gRPC's Go clients print it. */
export class RpcError extends Error {
  constructor(
    code: "InvalidArgument" | "NotFound" | "FailedPrecondition" | "ResourceExhausted" | "OutOfRange",
    description: string,
  ) {
    super(`rpc error: code = ${code} desc = ${description}`);
  }
}

export interface NewVolume {
  /** Of the PersistentVolume: the same name is the same volume. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly parameters: { readonly [key: string]: string };
}

export interface MadeVolume {
  readonly handle: string;
  /** At least what was asked for, in whole GiB. */
  readonly sizeBytes: number;
}

export interface NodeInfo {
  readonly nodeId: string;
  /** 0: as many as there are. */
  readonly maxVolumes: number;
  readonly topology: { readonly [key: string]: string };
}

/** What a driver serves at its socket; all throw RpcError. */
export interface DriverService extends SocketService {
  createVolume(volume: NewVolume): MadeVolume;
  deleteVolume(handle: string): void;
  controllerPublish(handle: string, nodeId: string): void;
  controllerUnpublish(handle: string, nodeId: string): void;
  nodeInfo(): NodeInfo;
  /** The file system of an attached volume. */
  nodeStage(handle: string): Mount["fileSystem"];
}

/** What node-driver-registrar serves in the kubelet's directory of plugins. */
export interface RegistrarService extends SocketService {
  readonly driver: string;
  /** The path of the driver's socket on the node. */
  readonly endpoint: string;
  registered(): void;
}
