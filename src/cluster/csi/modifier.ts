// The other half of external-resizer (pkg/modifycontroller): gives volumes of its driver the attributes of the VolumeAttributesClass that
// their claims ask for.

import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  VolumeAttributesClass,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { Claim, Volume } from "#cluster/volumes/matching.ts";
import { RpcError } from "./driver-api.ts";
import { driverName } from "./driver-names.ts";
import { driverOf, Sidecar, type SidecarOptions } from "./sidecar.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };
/** How long attributes rest that cannot be had. */
const slowMs = retry.longestMs;

type State = "Pending" | "InProgress" | "Infeasible";

/** Keys: `NAMESPACE/NAME` of claims. */
export class Modifier extends Sidecar {
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<VolumeAttributesClass>;
  readonly #events: EventRecorder;
  /** Since when attributes rest that cannot be had. */
  readonly #slowSinceMs = new Map<string, number>();
  /** Of what has begun: all but those whose last call is known to have ended. */
  readonly #ended = new Set<string>();

  constructor(options: SidecarOptions) {
    super(options, retry);
    const { simulation, client } = options;
    this.#claims = this.informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.informers.informer(kinds.persistentVolumes);
    this.#classes = this.informers.informer(kinds.volumeAttributesClasses);
    this.#events = new EventRecorder(simulation, client, { component: `external-resizer ${driverName}` });
    this.#claims.addHandler((claim, previous, deleted) => {
      if (!deleted && (previous === undefined || hasMoved(claim, previous))) this.queue.add(keyOf(claim));
    });
  }

  override start(): void {
    this.say("I", "controller.go:215", `"Starting external resizer for modify volume" controller=${JSON.stringify(driverName)}`);
    super.start();
  }

  protected pass(key: string): boolean {
    const claim = this.#claims.get(key);
    const volumeName = claim?.spec?.volumeName ?? "";
    if (claim === undefined || volumeName === "") return true;
    const volume = this.#volumes.get(volumeName);
    if (volume === undefined) return false;
    if (volume.spec?.csi?.driver !== driverName || claim.status?.phase !== "Bound") return true;
    return this.#modify(key, claim, volume);
  }

  #modify(key: string, claim: Claim, volume: Volume): boolean {
    if (this.#rests(key, claim)) return false;
    const wanted = wantedOf(claim);
    const { modifyVolumeStatus: status, currentVolumeAttributesClassName: current = "" } = claim.status ?? {};
    if (status === undefined && wanted === current) return true;
    const isInProgress = status?.status === "InProgress";
    if (wanted === "" && !isInProgress) {
      this.#cancel(claim);
      return true;
    }
    const goesOn = isInProgress && (wanted === "" || !this.#ended.has(key));
    const target = goesOn ? (status?.targetVolumeAttributesClassName ?? "") : wanted;
    const found = this.#classes.get(target);
    if (found === undefined) {
      this.#events.warning(claim, "VolumeModifyFailed", `VAC ${JSON.stringify(target)} does not exist.`);
      if (!goesOn) this.#mark(claim, "Pending", undefined);
      return !goesOn;
    }
    if (goesOn) return this.#call(key, claim, volume, found);
    const begun = this.#mark(claim, "InProgress", undefined);
    const about = `external resizer is modifying volume ${claim.metadata.name} with vac ${target}`;
    this.#events.normal(begun, "VolumeModify", about);
    return this.#call(key, begun, volume, found);
  }

  /** What cannot be had is not asked for again for a while; another class is. */
  #rests(key: string, claim: Claim): boolean {
    const status = claim.status?.modifyVolumeStatus;
    const { nowMs } = this.options.simulation;
    if (status === undefined || status.targetVolumeAttributesClassName !== wantedOf(claim)) this.#slowSinceMs.delete(key);
    const sinceMs = this.#slowSinceMs.get(key);
    if (sinceMs !== undefined && nowMs < sinceMs + slowMs) return true;
    this.#slowSinceMs.delete(key);
    return false;
  }

  #cancel(claim: Claim): void {
    if (claim.status?.conditions?.some(({ type }) => type === "ModifyingVolume") !== true) return;
    this.#events.normal(claim, "VolumeModifyCanceled", "Cancelled modify.");
    this.#write(claim, { ...claim.status, conditions: withoutConditions(claim, ["ModifyingVolume"]) });
  }

  #call(key: string, claim: Claim, volume: Volume, target: Stored<VolumeAttributesClass>): boolean {
    const { name } = target.metadata;
    try {
      driverOf(this.options.self).controllerModify(volume.spec?.csi?.volumeHandle ?? "", target.parameters ?? {});
      this.#slowSinceMs.delete(key);
      this.#ended.delete(key);
      this.#complete(claim, volume, name);
      const message = `external resizer modified volume ${claim.metadata.name} with vac ${name} successfully`;
      this.#events.normal(claim, "VolumeModifySuccessful", message);
      return true;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.isFinal) this.#ended.add(key);
      else this.#ended.delete(key);
      const isInfeasible = error.code === "InvalidArgument";
      const failed = this.#mark(claim, isInfeasible ? "Infeasible" : "InProgress", error);
      if (isInfeasible) this.#slowSinceMs.set(key, this.options.simulation.nowMs);
      const message = `${error.message}${error.isFinal ? "" : `. Still modifying to VAC ${name}`}`;
      this.#events.warning(failed, "VolumeModifyFailed", message);
      this.say("E", "controller.go:254", `"Error syncing PVC" err=${JSON.stringify(error.message)}`);
      return false;
    }
  }

  #complete(claim: Claim, volume: Volume, name: string): void {
    const patch = { spec: { volumeAttributesClassName: name } };
    this.options.client.patch(kinds.persistentVolumes, { namespace: "", name: volume.metadata.name }, "strategic", patch);
    const { modifyVolumeStatus: _done, ...status } = claim.status ?? {};
    const conditions = withoutConditions(claim, ["ModifyingVolume", "ModifyVolumeError"]);
    this.#write(claim, { ...status, conditions, currentVolumeAttributesClassName: name });
  }

  /** A pending one has no conditions. */
  #mark(claim: Claim, state: State, error: RpcError | undefined): Claim {
    const before = claim.status?.modifyVolumeStatus;
    if (state === "Pending") return this.#write(claim, { ...claim.status, modifyVolumeStatus: { ...before, status: state } });
    const target = error === undefined ? wantedOf(claim) : (before?.targetVolumeAttributesClassName ?? "");
    const time = formatTime(this.options.simulation.nowMs);
    const told: readonly PersistentVolumeClaimCondition[] = [
      { type: "ModifyingVolume", status: "True", lastProbeTime: time, message: messageOf(target, error) },
      ...(error === undefined
        ? []
        : [{ type: "ModifyVolumeError", status: "True", lastProbeTime: time, reason: error.code, message: error.description }]),
    ];
    return this.#write(claim, {
      ...claim.status,
      modifyVolumeStatus: { status: state, ...(target === "" ? {} : { targetVolumeAttributesClassName: target }) },
      conditions: withConditions(claim.status?.conditions ?? [], told),
    });
  }

  #write(claim: Claim, { conditions = [], ...status }: NonNullable<PersistentVolumeClaim["status"]>): Claim {
    const told = conditions.length === 0 ? {} : { conditions };
    return this.options.client.patchStatus(kinds.persistentVolumeClaims, { ...claim, status: { ...status, ...told } });
  }
}

function wantedOf({ spec }: Claim): string {
  return spec?.volumeAttributesClassName ?? "";
}

function messageOf(target: string, error: RpcError | undefined): string {
  const about = `Modifying volume to ${JSON.stringify(target)}`;
  if (error === undefined) return `${about} is in progress.`;
  return error.isFinal ? `${about} failed. Waiting for retry.` : `${about} is still in progress.`;
}

/** Another class is asked for, or nothing is under way. */
function hasMoved(claim: Claim, previous: Claim): boolean {
  return wantedOf(claim) !== wantedOf(previous) || claim.status?.modifyVolumeStatus === undefined;
}

function withoutConditions({ status }: Claim, types: readonly string[]): readonly PersistentVolumeClaimCondition[] {
  return status?.conditions?.filter(({ type }) => !types.includes(type)) ?? [];
}

/** Their transition is that of their reason and status. */
function withConditions(
  before: readonly PersistentVolumeClaimCondition[],
  told: readonly PersistentVolumeClaimCondition[],
): readonly PersistentVolumeClaimCondition[] {
  const dated = told.map((condition) => {
    const known = before.find(({ type }) => type === condition.type);
    const isSame = known !== undefined && known.reason === condition.reason && known.status === condition.status;
    return { ...condition, lastTransitionTime: (isSame ? known.lastTransitionTime : condition.lastProbeTime) ?? "" };
  });
  const kept = before.map((each) => dated.find(({ type }) => type === each.type) ?? each);
  return [...kept, ...dated.filter(({ type }) => !before.some((each) => each.type === type))];
}
