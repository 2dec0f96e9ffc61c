// Where device plugins find the kubelet. What is behind the socket comes late, with the first plugin: most nodes have none.

import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { Late } from "#sim/late.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Refusal } from "../admission.ts";
import type { DeviceResources } from "../node-status.ts";
import type { StoredPod } from "../pod-spec.ts";
import type * as code from "./device-manager.ts";
import { kubeletSocket, pluginDirectory, type Registration } from "./plugin-api.ts";

export const lateDevices = new Late<typeof code>("device-plugins");

const checkpointName = "kubelet_internal_checkpoint";
export const checkpointPath = `${pluginDirectory}/${checkpointName}`;
const none: DeviceResources = { capacity: {}, allocatable: {} };

export interface DevicePluginsOptions {
  readonly simulation: Simulation;
  readonly files: HostFiles;
  /** Whether a pod still has what it was given. */
  readonly isActive: (podUid: string) => boolean;
}

export class DevicePlugins {
  readonly #options: DevicePluginsOptions;
  #manager: code.DeviceManager | undefined;
  #socket: { close(): void } | undefined;

  constructor(options: DevicePluginsOptions) {
    this.#options = options;
  }

  /** Takes away the sockets of before, which tells plugins to register anew. */
  start(): void {
    const { files } = this.#options;
    files.makeDirectories(pluginDirectory, 0o750);
    for (const name of files.readdir(pluginDirectory)) if (name !== checkpointName) files.removeAll(`${pluginDirectory}/${name}`);
    if (!this.isUnused) this.#makeManager();
    const service: Registration = { register: (request) => (this.#manager ?? this.#makeManager()).register(request) };
    this.#socket = files.bindSocket(kubeletSocket, service);
  }

  stop(): void {
    this.#socket?.close();
    this.#manager?.stop();
  }

  #makeManager(): code.DeviceManager {
    this.#manager = new lateDevices.code.DeviceManager(this.#options);
    return this.#manager;
  }

  /** No plugin has ever registered on this machine. */
  get isUnused(): boolean {
    return !this.#options.files.exists(checkpointPath);
  }

  /** Another object when it has changed. */
  get resources(): DeviceResources {
    return this.#manager?.resources ?? none;
  }

  /** Gives a new pod its devices; why it cannot have them. */
  allocate(pod: StoredPod): Refusal | undefined {
    return this.#manager?.allocate(pod);
  }

  /** What a container is run with because of its devices. */
  optionsOf(podUid: string, container: string): code.DeviceOptions | undefined {
    return this.#manager?.optionsOf(podUid, container);
  }
}
