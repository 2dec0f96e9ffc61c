// Makes file systems as large as their volumes have become: while Pods use them, and as they are mounted
// (operationexecutor: expandVolumeDuringMount, GenerateExpandInUseVolumeFunc, node_expander.go; volume/csi/expander.go).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { PersistentVolume } from "#cluster/api/generated/types.ts";
import { persistentVolumeClaims, persistentVolumes } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { type DriverService, isInfeasible, RpcError } from "#cluster/csi/driver-api.ts";
import { compareAmounts } from "#cluster/quota/resource-list.ts";
import { type GrowthChange, growthOf, withGrowth } from "#cluster/volumes/growth.ts";
import type { Claim } from "#cluster/volumes/matching.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { StoredPod } from "../pod-spec.ts";
import { VolumeError } from "./payload.ts";

/** What the kubelet looks at again with each sync of a Pod: after a minute to a minute and a half. */
const syncMs = 60_000;
const syncSpreadMs = 30_000;
const firstRetryMs = 500;
const longestRetryMs = 122_000;
const nodesTurn: ReadonlySet<string> = new Set(["NodeResizePending", "NodeResizeInProgress"]);

/** A Pod that has a volume. */
export interface CsiUse {
  readonly pod: StoredPod;
  readonly volume: Stored<PersistentVolume>;
  readonly isReadOnly: boolean;
  readonly recorder: EventRecorder;
}

interface Host {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly nodeName: string;
  readonly serviceOf: (driver: string) => DriverService | undefined;
}

/** Of a volume that Pods here have. */
interface Known {
  /** Of its file system. */
  size: string | undefined;
  dueMs: number;
  retryMs: number;
  /** The driver has refused before, for good. */
  hasFailed: boolean;
  /** It cannot be while it is used. */
  isHeld: boolean;
}

/** Why a file system has not become larger. */
class GrowthFault extends Error {}

export class CsiGrowth {
  readonly #host: Host;
  /** By the names of volumes. */
  readonly #known = new Map<string, Known>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Before a Pod gets it. Throws VolumeError. */
  atMount(use: CsiUse): void {
    try {
      const claim = this.#claimOf(use);
      const size = sizeOf(use.volume);
      if (compareAmounts(growthOf(claim).capacity, size) < 0) this.#expand(use, claim, size);
    } catch (error) {
      throw new VolumeError(faultOf(error), "MountVolume.MountDevice failed while expanding volume");
    }
  }

  /** While it is used. */
  look(use: CsiUse): void {
    const { simulation } = this.#host;
    const known = this.#of(use.volume.metadata.name);
    if (use.isReadOnly || known.isHeld || simulation.nowMs < known.dueMs) return;
    const at = ` for volume "${use.volume.metadata.name}" : `;
    try {
      if (this.#isGrown(use, known)) {
        known.retryMs = firstRetryMs;
        known.dueMs = this.#nextSync();
        return;
      }
      use.recorder.warning(
        use.pod,
        "VolumeResizeFailed",
        `NodeExpandVolume.NodeExpandVolume failed to resize volume${at}volume resizing failed for unknown reason`,
      );
    } catch (error) {
      use.recorder.warning(use.pod, "VolumeResizeFailed", `NodeExpandVolume.NodeExpandVolume failed${at}${faultOf(error)}`);
    }
    known.dueMs = simulation.nowMs + known.retryMs;
    known.retryMs = Math.min(known.retryMs * 2, longestRetryMs);
  }

  /** It is no longer here. */
  forget(volume: string): void {
    this.#known.delete(volume);
  }

  #of(volume: string): Known {
    const known = this.#known.get(volume);
    if (known !== undefined) return known;
    const first: Known = { size: undefined, dueMs: this.#nextSync(), retryMs: firstRetryMs, hasFailed: false, isHeld: false };
    this.#known.set(volume, first);
    return first;
  }

  #nextSync(): number {
    const { nowMs, random } = this.#host.simulation;
    return nowMs + syncMs + random.below(syncSpreadMs);
  }

  /** What the API server does not tell now is looked at with the next sync. */
  #isGrown(use: CsiUse, known: Known): boolean {
    let now: { readonly claim: Claim; readonly volume: Stored<PersistentVolume> };
    try {
      const { client } = this.#host;
      now = {
        claim: this.#claimOf(use),
        volume: client.get(persistentVolumes, { namespace: "", name: use.volume.metadata.name }),
      };
    } catch (error) {
      faultOf(error);
      return true;
    }
    const size = sizeOf(now.volume);
    known.size ??= growthOf(now.claim).capacity;
    return compareAmounts(size, known.size) <= 0 || this.#expand({ ...use, volume: now.volume }, now.claim, size);
  }

  #claimOf({ volume }: CsiUse): Claim {
    const { namespace = "", name = "" } = volume.spec?.claimRef ?? {};
    return this.#host.client.get(persistentVolumeClaims, { namespace, name });
  }

  /** False: it is not the node's turn. Throws GrowthFault, ApiError, ApiUnreachable. */
  #expand(use: CsiUse, claim: Claim, size: string): boolean {
    const { pod, volume, recorder } = use;
    const known = this.#of(volume.metadata.name);
    const { requested, capacity, state } = growthOf(claim);
    // Another node has done it, for a volume that several have.
    const isTold = state === "" && compareAmounts(capacity, size) >= 0;
    if (!isTold && !nodesTurn.has(state)) return false;
    const about = `for volume "${volume.metadata.name}"`;
    if (use.isReadOnly) {
      const message = `MountVolume.NodeExpandVolume failed ${about} requested read-only file system`;
      for (const subject of [pod, claim]) recorder.warning(subject, "FileSystemResizeFailed", message);
      return true;
    }
    const begun = isTold ? claim : this.#write(claim, { keepsConditions: true, state: "NodeResizeInProgress" });
    const fault = this.#callDriver(volume);
    if (fault !== undefined) {
      const isGivenUp = known.hasFailed && compareAmounts(requested, size) !== 0;
      known.hasFailed = true;
      this.#fail(begun, fault, isGivenUp);
      if (fault instanceof RpcError && fault.code === "FailedPrecondition") {
        known.isHeld = true;
        return true;
      }
      throw fault;
    }
    const message = `MountVolume.NodeExpandVolume succeeded ${about} ${this.#host.nodeName}`;
    for (const subject of [pod, claim]) recorder.normal(subject, "FileSystemResizeSuccessful", message);
    known.size = size;
    known.hasFailed = false;
    if (!isTold) this.#write(begun, { keepsConditions: false, state: "", capacity: size });
    return true;
  }

  #callDriver({ spec }: Stored<PersistentVolume>): Error | undefined {
    const { driver = "", volumeHandle = "" } = spec?.csi ?? {};
    const service = this.#host.serviceOf(driver);
    if (service === undefined) return new GrowthFault(`driver name ${driver} not found in the list of registered CSI drivers`);
    try {
      service.nodeExpand(volumeHandle);
      return undefined;
    } catch (error) {
      if (error instanceof RpcError) return error;
      throw error;
    }
  }

  #fail(claim: Claim, fault: Error, isGivenUp: boolean): void {
    const isOver = isGivenUp || isInfeasible(fault);
    const time = formatTime(this.#host.simulation.nowMs);
    const message = `failed to expand pvc with ${faultOf(fault)}`;
    this.#write(claim, {
      condition: { type: "NodeResizeError", message, time },
      keepsConditions: true,
      ...(isOver ? { state: "NodeResizeInfeasible" } : {}),
    });
  }

  #write(claim: Claim, change: GrowthChange): Claim {
    return this.#host.client.patchStatus(persistentVolumeClaims, withGrowth(claim, change));
  }
}

function sizeOf({ spec }: Stored<PersistentVolume>): string {
  return spec?.capacity?.["storage"] ?? "0";
}

/** As events tell it; what is no fault of these is thrown on. */
function faultOf(error: unknown): string {
  if (error instanceof RpcError)
    return `Expander.NodeExpand failed to expand the volume ${isInfeasible(error) ? "" : ": "}${error.message}`;
  if (error instanceof GrowthFault || error instanceof ApiError || error instanceof ApiUnreachable) return error.message;
  throw error;
}
