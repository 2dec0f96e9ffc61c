// Devices of a node: plugins register and tell what they have; pods are given some when the node takes them, and keep them until they
// end (pkg/kubelet/cm/devicemanager).

import type { Container } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { Refusal } from "../admission.ts";
import type { DeviceResources } from "../node-status.ts";
import { isSidecar, type StoredPod } from "../pod-spec.ts";
import { hostPathRoot } from "../volumes/volume-root.ts";
import { checkpointPath, type DevicePluginsOptions } from "./device-plugins.ts";
import { type ContainerAllocation, type DevicePlugin, pluginDirectory, type RegisterRequest } from "./plugin-api.ts";

/** How long devices of a plugin that is gone still count as capacity (endpointStopGracePeriod). */
const stopGraceMs = 300_000;

interface Endpoint {
  /** Undefined: gone, since `stoppedMs`. */
  plugin: DevicePlugin | undefined;
  stoppedMs: number;
  healthy: ReadonlySet<string>;
  all: ReadonlySet<string>;
}

interface Allocated extends ContainerAllocation {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  readonly ids: readonly string[];
}

interface Checkpoint {
  readonly Data: {
    readonly PodDeviceEntries: readonly {
      readonly PodUID: string;
      readonly ContainerName: string;
      readonly ResourceName: string;
      /** By NUMA node; -1 where a device has none. */
      readonly DeviceIDs: { readonly "-1": readonly string[] };
      readonly AllocResp: string;
    }[];
    readonly RegisteredDevices: { readonly [resource: string]: readonly string[] };
  };
  readonly Checksum: number;
}

export interface DeviceOptions {
  readonly envs: ContainerAllocation["envs"];
  readonly mounts: readonly Mount[];
}

class NotAvailable extends Error {}

export class DeviceManager {
  readonly #options: DevicePluginsOptions;
  readonly #endpoints = new Map<string, Endpoint>();
  #allocated: readonly Allocated[] = [];
  #resources: DeviceResources | undefined;
  #isStopped = false;

  /** Takes up what an earlier kubelet gave its pods; the plugins have still to come. */
  constructor(options: DevicePluginsOptions) {
    this.#options = options;
    if (!options.files.exists(checkpointPath)) return;
    const { Data } = readJson(options.files.readText(checkpointPath)) as unknown as Checkpoint;
    for (const resource of Object.keys(Data.RegisteredDevices)) {
      const stoppedMs = options.simulation.nowMs;
      this.#endpoints.set(resource, { plugin: undefined, stoppedMs, healthy: new Set(), all: new Set() });
    }
    this.#allocated = Data.PodDeviceEntries.map((entry) => ({
      podUid: entry.PodUID,
      container: entry.ContainerName,
      resource: entry.ResourceName,
      ids: entry.DeviceIDs["-1"],
      ...(readJson(decodeUtf8(decodeBase64(entry.AllocResp).bytes)) as unknown as ContainerAllocation),
    }));
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Throws SysError when nobody listens at the plugin's socket. */
  register({ endpoint, resourceName }: RegisterRequest): void {
    const plugin = this.#options.files.connectSocket(`${pluginDirectory}/${endpoint}`) as DevicePlugin;
    const own: Endpoint = { plugin, stoppedMs: 0, healthy: new Set(), all: new Set() };
    this.#endpoints.set(resourceName, own);
    const isCurrent = (): boolean => !this.#isStopped && this.#endpoints.get(resourceName) === own;
    plugin.listAndWatch({
      devices: (list) => {
        if (!isCurrent()) return;
        own.all = new Set(list.map(({ id }) => id));
        own.healthy = new Set(list.filter(({ isHealthy }) => isHealthy).map(({ id }) => id));
        this.#changed();
      },
      ended: () => {
        if (!isCurrent()) return;
        own.plugin = undefined;
        own.stoppedMs = this.#options.simulation.nowMs;
        own.healthy = new Set();
        this.#resources = undefined;
      },
    });
  }

  get resources(): DeviceResources {
    const { nowMs } = this.#options.simulation;
    for (const endpoint of this.#endpoints.values()) {
      const isForgotten = endpoint.plugin === undefined && nowMs - endpoint.stoppedMs > stopGraceMs;
      if (!isForgotten || endpoint.all.size === 0) continue;
      endpoint.all = new Set();
      this.#changed();
    }
    this.#resources ??= { capacity: this.#amounts("all"), allocatable: this.#amounts("healthy") };
    return this.#resources;
  }

  #amounts(which: "all" | "healthy"): { readonly [resource: string]: string } {
    return Object.fromEntries([...this.#endpoints].map(([resource, endpoint]) => [resource, String(endpoint[which].size)]));
  }

  /** What init containers had, the containers after them may have again; sidecars keep theirs. */
  allocate(pod: StoredPod): Refusal | undefined {
    this.#allocated = this.#allocated.filter(({ podUid }) => this.#options.isActive(podUid));
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    const reusable = new Set<string>();
    try {
      for (const container of [...initContainers, ...containers]) {
        const passesOn = initContainers.includes(container) && !isSidecar(container);
        this.#allocateTo(pod.metadata.uid, container, reusable, passesOn);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof NotAvailable)) throw error;
      return { reason: "UnexpectedAdmissionError", message: `Allocate failed due to ${error.message}, which is unexpected` };
    }
  }

  #allocateTo(podUid: string, container: Container, reusable: Set<string>, passesOn: boolean): void {
    for (const [resource, amount] of Object.entries(container.resources?.limits ?? {})) {
      const endpoint = this.#endpoints.get(resource);
      const count = quantityValue(parseQuantity(amount));
      if (endpoint === undefined || count === 0) continue;
      const ids = this.#choose(resource, endpoint.healthy, count, reusable);
      if (endpoint.plugin === undefined) throw new NotAvailable(`endpoint ${resource} has been stopped`);
      const { envs, mounts } = endpoint.plugin.allocate(ids);
      this.#allocated = [...this.#allocated, { podUid, container: container.name, resource, ids, envs, mounts }];
      for (const id of ids) {
        if (passesOn) reusable.add(`${resource}/${id}`);
        else reusable.delete(`${resource}/${id}`);
      }
      this.#changed();
    }
  }

  #choose(resource: string, healthy: ReadonlySet<string>, count: number, reusable: ReadonlySet<string>): readonly string[] {
    if (healthy.size === 0) throw new NotAvailable(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
    const again = [...healthy].filter((id) => reusable.has(`${resource}/${id}`)).slice(0, count);
    const used = new Set(this.#allocated.filter((one) => one.resource === resource).flatMap(({ ids }) => ids));
    const free = [...healthy].filter((id) => !used.has(id)).sort();
    const needed = count - again.length;
    if (free.length < needed) {
      throw new NotAvailable(
        `requested number of devices unavailable for ${resource}. Requested: ${needed}, Available: ${free.length}`,
      );
    }
    return [...again, ...free.slice(0, needed)];
  }

  optionsOf(podUid: string, container: string): DeviceOptions | undefined {
    const own = this.#allocated.filter((one) => one.podUid === podUid && one.container === container);
    if (own.length === 0) return undefined;
    const mounts = own
      .flatMap((one) => one.mounts)
      .map(({ containerPath, hostPath, readOnly }) => ({
        path: containerPath,
        ...hostPathRoot(this.#options.files, hostPath, ""),
        readOnly,
      }));
    return { envs: Object.assign({}, ...own.map(({ envs }) => envs)), mounts };
  }

  #changed(): void {
    this.#resources = undefined;
    if (this.#isStopped) return;
    const Data: Checkpoint["Data"] = {
      PodDeviceEntries: this.#allocated.map(({ podUid, container, resource, ids, envs, mounts }) => ({
        PodUID: podUid,
        ContainerName: container,
        ResourceName: resource,
        DeviceIDs: { "-1": ids },
        // Upstream keeps the plugin's answer as protobuf.
        AllocResp: encodeBase64(encodeUtf8(JSON.stringify({ envs, mounts }))),
      })),
      RegisteredDevices: Object.fromEntries([...this.#endpoints].map(([resource, { healthy }]) => [resource, [...healthy]])),
    };
    const checkpoint: Checkpoint = { Data, Checksum: checksumOf(JSON.stringify(Data)) };
    this.#options.files.writeFile(checkpointPath, JSON.stringify(checkpoint), { permissions: 0o600 });
  }
}

/** FNV-1a; upstream's is over another form of the same data. */
function checksumOf(text: string): number {
  let hash = 2_166_136_261;
  for (const byte of encodeUtf8(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0;
  return hash;
}
