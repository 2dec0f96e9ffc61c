// external-resizer (github.com/kubernetes-csi/external-resizer): makes volumes of its driver as large as their claims ask for, and leaves
// their file systems to kubelets. A growth that cannot be had ends when the claim asks for less (RecoverVolumeExpansionFailure).

import type { PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { formatTime } from "#cluster/api/time.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { compareAmounts } from "#cluster/quota/resource-list.ts";
import { type Growth, type GrowthChange, growthOf, withGrowth } from "#cluster/volumes/growth.ts";
import { type Claim, isBoundTo, type Volume } from "#cluster/volumes/matching.ts";
import { isInfeasible, RpcError } from "./driver-api.ts";
import { driverName } from "./driver-names.ts";
import { bytesText, driverOf, Sidecar, type SidecarOptions } from "./sidecar.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };
/** How long a growth rests that cannot be had. */
const slowMs = retry.longestMs;
const pendingMessage = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

/** Keys: `NAMESPACE/NAME` of claims. */
export class Resizer extends Sidecar {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #events: EventRecorder;
  /** Since when growths rest that cannot be had. */
  readonly #slowSinceMs = new Map<string, number>();
  /** Whose last call has failed for good: nothing goes on at the driver. */
  readonly #failed = new Set<string>();

  constructor(options: SidecarOptions) {
    super(options, retry);
    const { simulation, client } = options;
    this.#claims = this.informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.informers.informer(kinds.persistentVolumes);
    this.#events = new EventRecorder(simulation, client, { component: `external-resizer ${driverName}` });
    this.#claims.addHandler((claim, previous, deleted) => {
      if (!deleted && (previous === undefined || hasMoved(claim, previous))) this.queue.add(keyOf(claim));
    });
  }

  override start(): void {
    this.say("I", "main.go:118", '"Version" version="v2.1.0"');
    this.say("I", "controller.go:278", `"Starting external resizer" controller=${JSON.stringify(driverName)}`);
    super.start();
  }

  protected pass(key: string): boolean {
    const claim = this.#claims.get(key);
    const volumeName = claim?.spec?.volumeName ?? "";
    if (claim === undefined || volumeName === "") return true;
    const volume = this.#volumes.get(volumeName);
    if (volume === undefined) {
      this.#tell(`PV ${JSON.stringify(volumeName)} bound to pvc ${JSON.stringify(key)} not found`);
      return false;
    }
    const growth = growthOf(claim);
    if (claim.status?.phase !== "Bound" || compareAmounts(growth.requested, growth.capacity) <= 0) return true;
    if (volume.spec?.csi?.driver !== driverName || !isBoundTo(volume, claim)) return true;
    return this.#grow(key, claim, volume);
  }

  #grow(key: string, claim: Claim, volume: Volume): boolean {
    const growth = growthOf(claim);
    const { nowMs } = this.options.simulation;
    const restsUntilMs = (this.#slowSinceMs.get(key) ?? Number.NEGATIVE_INFINITY) + slowMs;
    if (nowMs >= restsUntilMs) this.#slowSinceMs.delete(key);
    if (growth.state === "ControllerResizeInfeasible" && !this.#slowSinceMs.has(key)) this.#slowSinceMs.set(key, nowMs);
    const size = this.#nextSize(key, claim, volume, growth);
    if (size === undefined) return true;
    const isNew = growth.allocated === undefined || compareAmounts(growth.allocated, size) !== 0;
    if (!isNew && nowMs < restsUntilMs) {
      this.queue.addAfter(key, restsUntilMs - nowMs, { background: true });
      return true;
    }
    const begun = this.#write(claim, {
      condition: { type: "Resizing", time: formatTime(nowMs) },
      keepsConditions: !isNew,
      allocated: size,
      ...(isNew ? { state: "ControllerResizeInProgress" } : {}),
    });
    this.#event("Normal", begun, "Resizing", `External resizer is resizing volume ${volume.metadata.name}`);
    return this.#call(key, begun, volume, size);
  }

  /** Undefined: the turn is a kubelet's. What has begun is ended first, unless it is known to have failed (expandAndRecover). */
  #nextSize(key: string, claim: Claim, volume: Volume, growth: Growth): string | undefined {
    const { requested, state } = growth;
    const size = volume.spec?.capacity?.["storage"] ?? "0";
    const begun = growth.allocated ?? requested;
    const isLargeEnough = compareAmounts(size, requested) >= 0;
    switch (state) {
      case "NodeResizePending":
      case "NodeResizeInProgress":
        return isLargeEnough || compareAmounts(size, begun) >= 0 ? undefined : begun;
      case "NodeResizeInfeasible":
        return begun;
      case "ControllerResizeInProgress":
        return !isLargeEnough && this.#failed.has(key) ? requested : begun;
      case "ControllerResizeInfeasible":
        return isLargeEnough ? begun : requested;
      default:
        if (!isLargeEnough) return requested;
        return growth.allocated === undefined && isPending(claim) ? undefined : begun;
    }
  }

  #call(key: string, claim: Claim, volume: Volume, size: string): boolean {
    const handle = volume.spec?.csi?.volumeHandle ?? "";
    try {
      const bytes = driverOf(this.options.self).controllerExpand(handle, quantityValue(parseQuantity(size)));
      this.#failed.delete(key);
      this.#slowSinceMs.delete(key);
      const patch = { spec: { capacity: { storage: bytesText(bytes) } } };
      this.options.client.patch(kinds.persistentVolumes, { namespace: "", name: volume.metadata.name }, "strategic", patch);
      const time = formatTime(this.options.simulation.nowMs);
      this.#write(claim, {
        condition: { type: "FileSystemResizePending", message: pendingMessage, time },
        keepsConditions: true,
        state: "NodeResizePending",
      });
      this.#event("Normal", claim, "FileSystemResizeRequired", "Require file system resize of volume on node");
      return true;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const fault = error.message;
      this.#fail(key, claim, error);
      const message = `resize volume ${JSON.stringify(volume.metadata.name)} by resizer ${JSON.stringify(driverName)} failed: ${fault}`;
      this.#event("Warning", claim, "VolumeResizeFailed", message);
      this.#tell(message);
      return false;
    }
  }

  /** What may still go on at the driver is not told as failed. */
  #fail(key: string, claim: Claim, error: RpcError): void {
    if (!isInfeasible(error)) this.#slowSinceMs.delete(key);
    if (!error.isFinal) {
      this.#failed.delete(key);
      return;
    }
    this.#failed.add(key);
    const time = formatTime(this.options.simulation.nowMs);
    this.#write(claim, {
      condition: { type: "ControllerResizeError", message: `failed to expand pvc with ${error.message}`, time },
      keepsConditions: true,
      ...(isInfeasible(error) ? { state: "ControllerResizeInfeasible" } : {}),
    });
  }

  #write(claim: Claim, change: GrowthChange): Claim {
    return this.options.client.patchStatus(kinds.persistentVolumeClaims, withGrowth(claim, change));
  }

  #event(type: "Normal" | "Warning", claim: Claim, reason: string, message: string): void {
    if (type === "Normal") this.#events.normal(claim, reason, message);
    else this.#events.warning(claim, reason, message);
    const about = `object="${keyOf(claim)}" fieldPath="" kind="PersistentVolumeClaim" apiVersion="v1" type="${type}" reason="${reason}"`;
    this.say("I", "event.go:389", `"Event occurred" ${about} message=${JSON.stringify(message)}`);
  }

  #tell(error: string): void {
    this.say("E", "controller.go:330", `"Error syncing PVC" err=${JSON.stringify(error)}`);
  }
}

/** What a resizer has to look at again for. */
function hasMoved(claim: Claim, previous: Claim): boolean {
  const [now, before] = [growthOf(claim), growthOf(previous)];
  if (now.state !== before.state) return true;
  return compareAmounts(now.requested, before.requested) !== 0 || compareAmounts(now.capacity, before.capacity) > 0;
}

function isPending({ status }: Claim): boolean {
  return status?.conditions?.some((each) => each.type === "FileSystemResizePending" && each.status === "True") === true;
}
