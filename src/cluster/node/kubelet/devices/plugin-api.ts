// The device plugin API (k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1): what upstream sends as gRPC over two sockets, as calls.

import type { SocketService } from "#sim/filesystem/inode.ts";

export const pluginDirectory = "/var/lib/kubelet/device-plugins";
export const kubeletSocket = `${pluginDirectory}/kubelet.sock`;

export interface RegisterRequest {
  /** The name of the plugin's own socket in the directory. */
  readonly endpoint: string;
  readonly resourceName: string;
}

/** What the kubelet serves. */
export interface Registration extends SocketService {
  register(request: RegisterRequest): void;
}

export interface Device {
  readonly id: string;
  readonly isHealthy: boolean;
}

export interface DeviceWatch {
  /** All devices, each time that one of them changes. */
  devices(list: readonly Device[]): void;
  /** The plugin is gone. */
  ended(): void;
}

/** What a container gets with its devices. */
export interface ContainerAllocation {
  readonly envs: { readonly [name: string]: string };
  readonly mounts: readonly { readonly containerPath: string; readonly hostPath: string; readonly readOnly: boolean }[];
}

/** What a plugin serves. */
export interface DevicePlugin extends SocketService {
  listAndWatch(watch: DeviceWatch): void;
  allocate(ids: readonly string[]): ContainerAllocation;
}
