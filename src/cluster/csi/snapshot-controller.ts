// snapshot-controller (github.com/kubernetes-csi/external-snapshotter, pkg/common-controller): binds VolumeSnapshots to
// VolumeSnapshotContents, which it makes for claims, and tells snapshots what has become of theirs. One for a cluster, whatever drivers it has.

import type { PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { type Claim, isBoundTo, type Volume } from "#cluster/volumes/matching.ts";
import { bytesText, Sidecar, type SidecarOptions } from "./sidecar.ts";
import {
  type Content,
  finalizers,
  isReady,
  marks,
  noClass,
  pointsTo,
  type Snapshot,
  type SnapshotClass,
  snapshotGroup,
  snapshotKeyOf,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "./snapshot-kinds.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };
/** --resync-period. */
const resyncMs = 900_000;

/** A pass that ends early, and is made again. */
class Unsynced extends Error {}

/** Keys: `snapshot/NAMESPACE/NAME` and `content/NAME`. */
export class SnapshotController extends Sidecar {
  readonly #snapshots: Informer<VolumeSnapshot>;
  readonly #contents: Informer<VolumeSnapshotContent>;
  readonly #classes: Informer<VolumeSnapshotClass>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #events: EventRecorder;

  constructor(options: SidecarOptions) {
    super(options, retry);
    const { simulation, client } = options;
    this.#snapshots = new Informer(simulation, client, volumeSnapshots);
    this.#contents = new Informer(simulation, client, volumeSnapshotContents);
    this.#classes = new Informer(simulation, client, volumeSnapshotClasses);
    this.#claims = this.informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.informers.informer(kinds.persistentVolumes);
    this.#events = new EventRecorder(simulation, client, { component: "snapshot-controller" });
    this.#snapshots.addHandler((snapshot, _previous, deleted) => {
      const bound = snapshot.status?.boundVolumeSnapshotContentName;
      if (!deleted) this.queue.add(snapshotKey(snapshot));
      else if (bound !== undefined) this.queue.add(`content/${bound}`);
    });
    this.#contents.addHandler((content, _previous, deleted) => {
      if (deleted) this.queue.add(`snapshot/${snapshotKeyOf(content)}`);
      else this.queue.add(`content/${content.metadata.name}`);
    });
  }

  override start(): void {
    this.say("I", "main.go:182", '"Version" version="v8.4.0"');
    this.say("I", "snapshot_controller_base.go:258", "Starting snapshot controller");
    super.start();
    for (const informer of [this.#classes, this.#contents, this.#snapshots]) informer.start();
  }

  override stop(): void {
    super.stop();
    for (const informer of [this.#classes, this.#contents, this.#snapshots]) informer.stop();
  }

  protected pass(key: string): boolean {
    const slash = key.indexOf("/");
    const name = key.slice(slash + 1);
    try {
      if (key.startsWith("content/")) this.#syncContent(name);
      else this.#syncSnapshot(name);
      return true;
    } catch (error) {
      if (!(error instanceof Unsynced)) throw error;
      const what = key.slice(0, slash);
      this.say("E", "snapshot_controller_base.go:551", `could not sync ${what} ${JSON.stringify(name)}: ${error.message}`);
      return false;
    }
  }

  #syncContent(name: string): void {
    const content = this.#contents.get(name);
    // One that is meant for a snapshot, and not bound, waits for it.
    if (content === undefined || (content.spec.volumeSnapshotRef.uid ?? "") === "") return;
    const { client } = this.options;
    const { deletionTimestamp, finalizers: held = [] } = content.metadata;
    if (deletionTimestamp === undefined && !held.includes(finalizers.content)) {
      const metadata = { ...content.metadata, finalizers: [...held, finalizers.content] };
      client.update(volumeSnapshotContents, { ...content, metadata });
      return;
    }
    const snapshot = this.#snapshots.get(snapshotKeyOf(content));
    if (snapshot === undefined || !pointsTo(content, snapshot)) return;
    if (content.status !== undefined) this.queue.add(snapshotKey(snapshot));
    if (isToGo(snapshot)) this.#markAsGoing(content);
  }

  #syncSnapshot(key: string): void {
    const found = this.#snapshots.get(key);
    if (found === undefined) return;
    const snapshot = this.#withClass(found);
    this.#releaseClaim(snapshot, false);
    if (snapshot.metadata.deletionTimestamp !== undefined) this.#end(snapshot);
    else {
      const guarded = this.#guard(snapshot);
      if (isReady(guarded) && guarded.status?.boundVolumeSnapshotContentName !== undefined) this.#check(guarded);
      else if (guarded.spec.source.volumeSnapshotContentName === undefined) this.#make(guarded);
      else this.#bind(guarded);
    }
  }

  /** One that names no class gets the default of its driver. */
  #withClass(snapshot: Snapshot): Snapshot {
    const { volumeSnapshotClassName: name, source } = snapshot.spec;
    const isGoing = snapshot.metadata.deletionTimestamp !== undefined;
    if (name !== undefined) {
      if (this.#classes.get(name) !== undefined || isGoing) return snapshot;
      throw this.#failed(snapshot, "GetSnapshotClassFailed", `Failed to get snapshot class with error ${noClass(name)}`, true);
    }
    if (source.volumeSnapshotContentName !== undefined) return snapshot;
    const found = this.#defaultClass(snapshot);
    if (typeof found === "string") {
      const message = `Failed to set default snapshot class with error ${found}`;
      throw this.#failed(snapshot, "SetDefaultSnapshotClassFailed", message, true);
    }
    return this.options.client.patch(volumeSnapshots, placeOf(snapshot), "merge", {
      spec: { volumeSnapshotClassName: found.metadata.name },
    });
  }

  /** Or why there is none. */
  #defaultClass(snapshot: Snapshot): SnapshotClass | string {
    const volume = this.#volumeOf(snapshot);
    if (typeof volume === "string") return volume;
    const { csi } = volume.spec ?? {};
    if (csi === undefined) return `snapshotting non-CSI volumes is not supported, snapshot:${keyOf(snapshot)}`;
    const [first, ...others] = [...this.#classes.list()].filter(
      ({ metadata, driver }) => metadata.annotations?.[marks.isDefaultClass] === "true" && driver === csi.driver,
    );
    if (first === undefined) return "cannot find default snapshot class";
    return others.length === 0 ? first : `${others.length + 1} default snapshot classes were found`;
  }

  /** Or why it cannot be taken. */
  #volumeOf(snapshot: Snapshot): Volume | string {
    const claim = this.#claimOf(snapshot);
    if (claim === undefined) {
      const name = snapshot.spec.source.persistentVolumeClaimName ?? "";
      const cause = `persistentvolumeclaim ${JSON.stringify(name)} not found`;
      return `failed to retrieve PVC ${name} from the lister: ${JSON.stringify(cause)}`;
    }
    const { name } = claim.metadata;
    if (claim.status?.phase !== "Bound") return `the PVC ${name} is not yet bound to a PV, will not attempt to take a snapshot`;
    const volumeName = claim.spec?.volumeName ?? "";
    const volume = this.#volumes.get(volumeName);
    if (volume === undefined) {
      const cause = `persistentvolumes ${JSON.stringify(volumeName)} not found`;
      return `failed to retrieve PV ${volumeName} from the API server: ${JSON.stringify(cause)}`;
    }
    return isBoundTo(volume, claim) ? volume : "claim in dataSource not bound or invalid";
  }

  #claimOf({ metadata, spec }: Snapshot): Claim | undefined {
    const { persistentVolumeClaimName: name } = spec.source;
    return name === undefined ? undefined : this.#claims.get(`${metadata.namespace ?? ""}/${name}`);
  }

  /** It stays while claims are made from it, and until its content has gone that goes with it. */
  #guard(snapshot: Snapshot): Snapshot {
    const held = snapshot.metadata.finalizers ?? [];
    const content = this.#contentFor(snapshot);
    const isBound = snapshot.status?.boundVolumeSnapshotContentName !== undefined;
    const wanted = [
      finalizers.asSource,
      ...(isBound && content?.spec.deletionPolicy === "Delete" ? [finalizers.bound] : []),
    ].filter((each) => !held.includes(each));
    if (wanted.length === 0) return snapshot;
    const metadata = { ...snapshot.metadata, finalizers: [...held, ...wanted] };
    return this.options.client.update(volumeSnapshots, { ...snapshot, metadata });
  }

  /** The content that the snapshot names, or the one that is made for it. Throws Unsynced for one that is somebody else's. */
  #contentFor(snapshot: Snapshot): Content | undefined {
    const given = snapshot.spec.source.volumeSnapshotContentName;
    const name = given ?? contentNameOf(snapshot);
    const content = this.#contents.get(name);
    if (content === undefined) return undefined;
    const { source, volumeSnapshotRef: reference } = content.spec;
    if ((source.snapshotHandle === undefined) === (given !== undefined)) {
      const message =
        given === undefined
          ? `VolumeSnapshotContent ${name} is pre-provisioned while expecting a dynamically provisioned one`
          : "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one";
      throw this.#failed(snapshot, "SnapshotContentMismatch", message);
    }
    const isOpen = given !== undefined && (reference.uid ?? "") === "";
    const isNamed = reference.name === snapshot.metadata.name && reference.namespace === snapshot.metadata.namespace;
    if (isNamed && (isOpen || reference.uid === snapshot.metadata.uid)) return content;
    throw this.#failed(snapshot, "SnapshotContentMisbound", `VolumeSnapshotContent [${name}] is bound to a different snapshot`);
  }

  /** Of one that is ready. */
  #check(snapshot: Snapshot): void {
    const content = this.#contents.get(snapshot.status?.boundVolumeSnapshotContentName ?? "");
    if (content === undefined) this.#failed(snapshot, "SnapshotContentMissing", "VolumeSnapshotContent is missing");
    else if (!pointsTo(content, snapshot))
      this.#failed(snapshot, "SnapshotMisbound", "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly");
  }

  /** To a content that somebody has made. */
  #bind(snapshot: Snapshot): void {
    const content = this.#contentFor(snapshot);
    if (content === undefined) throw this.#failed(snapshot, "SnapshotContentMissing", "VolumeSnapshotContent is missing");
    const { volumeSnapshotRef: reference, volumeSnapshotClassName: itsClass } = content.spec;
    const { volumeSnapshotClassName: className } = snapshot.spec;
    const isBound = (reference.uid ?? "") !== "" && itsClass !== undefined;
    const bound = isBound
      ? content
      : this.options.client.patch(volumeSnapshotContents, placeOf(content), "merge", {
          spec: {
            volumeSnapshotRef: { uid: snapshot.metadata.uid },
            ...(className === undefined ? {} : { volumeSnapshotClassName: className }),
          },
        });
    this.#tell(snapshot, bound);
  }

  #make(snapshot: Snapshot): void {
    const content = this.#contentFor(snapshot);
    if (content !== undefined) {
      this.#tell(snapshot, content);
      return;
    }
    const made = this.#makeContent(snapshot);
    if (typeof made === "string")
      throw this.#failed(snapshot, "SnapshotContentCreationFailed", `Failed to create snapshot content with error ${made}`);
    this.#tell(snapshot, made);
  }

  /** Or why it is not made. */
  #makeContent(snapshot: Snapshot): Content | string {
    const key = keyOf(snapshot);
    const { name } = snapshot.metadata;
    this.say(
      "I",
      "snapshot_controller.go:723",
      `createSnapshotContent: Creating content for snapshot ${key} through the plugin ...`,
    );
    const refused = this.#holdClaim(snapshot);
    if (refused !== undefined) return refused;
    const { volumeSnapshotClassName: className = "" } = snapshot.spec;
    const itsClass = this.#classes.get(className);
    const volume = itsClass === undefined ? noClass(className) : this.#volumeOf(snapshot);
    if (typeof volume === "string" || itsClass === undefined)
      return `failed to get input parameters to create snapshot ${name}: ${JSON.stringify(volume)}`;
    const { csi, volumeMode } = volume.spec ?? {};
    if (csi === undefined) return `cannot find CSI PersistentVolumeSource for volume ${volume.metadata.name}`;
    const { namespace = "", uid, resourceVersion } = snapshot.metadata;
    const content = this.options.client.create(volumeSnapshotContents, {
      metadata: { name: contentNameOf(snapshot) },
      spec: {
        deletionPolicy: itsClass.deletionPolicy,
        driver: itsClass.driver,
        source: { volumeHandle: csi.volumeHandle },
        ...(volumeMode === undefined ? {} : { sourceVolumeMode: volumeMode }),
        volumeSnapshotClassName: className,
        volumeSnapshotRef: { apiVersion: `${snapshotGroup}/v1`, kind: "VolumeSnapshot", name, namespace, resourceVersion, uid },
      },
    });
    this.#events.normal(snapshot, "CreatingSnapshot", `Waiting for a snapshot ${key} to be created by the CSI driver.`);
    return content;
  }

  /** The claim stays until its snapshot is ready. Or why it cannot. */
  #holdClaim(snapshot: Snapshot): string | undefined {
    const failed = (name: string, cause: string) => `snapshot controller failed to update ${name} on API server: ${cause}`;
    const claim = this.#claimOf(snapshot);
    if (claim === undefined) return failed(snapshot.metadata.name, "cannot get claim from snapshot");
    const { finalizers: held = [], name, deletionTimestamp } = claim.metadata;
    if (held.includes(finalizers.claim)) return undefined;
    if (deletionTimestamp !== undefined) return failed(name, "cannot add finalizer on claim because it is being deleted");
    const metadata = { ...claim.metadata, finalizers: [...held, finalizers.claim] };
    this.options.client.update(kinds.persistentVolumeClaims, { ...claim, metadata });
    return undefined;
  }

  #releaseClaim(snapshot: Snapshot, isGoing: boolean): void {
    const claim = this.#claimOf(snapshot);
    if (claim?.metadata.finalizers?.includes(finalizers.claim) !== true) return;
    const { namespace = "", name } = claim.metadata;
    for (const other of this.#snapshots.listNamespace(namespace)) {
      if (isGoing && other.metadata.name === snapshot.metadata.name) continue;
      if (other.spec.source.persistentVolumeClaimName === name && !isReady(other)) return;
    }
    const { client } = this.options;
    const newest = client.get(kinds.persistentVolumeClaims, { namespace, name });
    const left = newest.metadata.finalizers?.filter((each) => each !== finalizers.claim) ?? [];
    client.update(kinds.persistentVolumeClaims, { ...newest, metadata: { ...newest.metadata, finalizers: left } });
  }

  /** What its content says of it. */
  #tell(asked: Snapshot, content: Content): void {
    const { client } = this.options;
    const snapshot = client.get(volumeSnapshots, placeOf(asked));
    const { creationTime, restoreSize, error: contentError } = content.status ?? {};
    const { error, ...status } = snapshot.status ?? {};
    const isReadyNow = isReady(content);
    const told = contentError ?? (isReadyNow && !isReady(snapshot) ? undefined : error);
    const next: NonNullable<VolumeSnapshot["status"]> = {
      boundVolumeSnapshotContentName: content.metadata.name,
      ...(creationTime === undefined ? {} : { creationTime: formatTime(Number(BigInt(creationTime) / 1_000_000n)) }),
      ...(restoreSize === undefined ? {} : { restoreSize: bytesText(restoreSize) }),
      ...status,
      readyToUse: isReadyNow,
      ...(told === undefined ? {} : { error: told }),
    };
    const key = keyOf(snapshot);
    if (status.creationTime === undefined && next.creationTime !== undefined)
      this.#events.normal(snapshot, "SnapshotCreated", `Snapshot ${key} was successfully created by the CSI driver.`);
    if (!isReady(snapshot) && isReadyNow) this.#events.normal(snapshot, "SnapshotReady", `Snapshot ${key} is ready to use.`);
    client.updateStatus(volumeSnapshots, { ...snapshot, status: next });
  }

  /** Tells the same once. `keepsReady`: what is ready stays so. */
  #failed(snapshot: Snapshot, reason: string, message: string, keepsReady = false): Unsynced {
    if (snapshot.status?.error?.message !== message) {
      const error = { message, time: formatTime(this.options.simulation.nowMs) };
      const status = { ...snapshot.status, error, ...(keepsReady ? {} : { readyToUse: false }) };
      const told = this.options.client.updateStatus(volumeSnapshots, { ...snapshot, status });
      this.#events.warning(told, reason, message);
    }
    return new Unsynced(message);
  }

  #end(snapshot: Snapshot): void {
    if (!isToGo(snapshot)) return;
    const found = this.#contents.get(snapshot.status?.boundVolumeSnapshotContentName ?? contentNameOf(snapshot));
    const content = found !== undefined && pointsTo(found, snapshot) ? found : undefined;
    if (content !== undefined && this.#isUsed(snapshot)) {
      this.#events.warning(snapshot, "SnapshotDeletePending", "Snapshot is being used to restore a PVC");
      this.queue.addAfter(snapshotKey(snapshot), resyncMs, { background: true });
      return;
    }
    const { client } = this.options;
    const takesContent = content?.spec.deletionPolicy === "Delete";
    if (content !== undefined) this.#markAsGoing(content);
    if (content !== undefined && takesContent) {
      try {
        client.delete(volumeSnapshotContents, placeOf(content));
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
      }
    }
    this.#releaseClaim(snapshot, true);
    const gone: readonly string[] = takesContent ? [finalizers.asSource] : [finalizers.asSource, finalizers.bound];
    const left = (snapshot.metadata.finalizers ?? []).filter((each) => !gone.includes(each));
    if (left.length === (snapshot.metadata.finalizers ?? []).length) return;
    client.update(volumeSnapshots, { ...snapshot, metadata: { ...snapshot.metadata, finalizers: left } });
  }

  /** A claim is being made from it. */
  #isUsed({ metadata }: Snapshot): boolean {
    for (const { spec, status } of this.#claims.listNamespace(metadata.namespace ?? "")) {
      const { kind, name, apiGroup } = spec?.dataSource ?? {};
      if (kind === "VolumeSnapshot" && apiGroup === snapshotGroup && name === metadata.name && status?.phase === "Pending")
        return true;
    }
    return false;
  }

  #markAsGoing(content: Content): void {
    if (content.metadata.annotations?.[marks.beingDeleted] !== undefined) return;
    const patch = { metadata: { annotations: { [marks.beingDeleted]: "yes" } } };
    this.options.client.patch(volumeSnapshotContents, placeOf(content), "merge", patch);
  }
}

function snapshotKey(snapshot: Snapshot): string {
  return `snapshot/${keyOf(snapshot)}`;
}

function contentNameOf({ metadata }: Snapshot): string {
  return `snapcontent-${metadata.uid}`;
}

function placeOf({ metadata }: Stored<VolumeSnapshot> | Stored<VolumeSnapshotContent>) {
  return { namespace: metadata.namespace ?? "", name: metadata.name };
}

/** It is deleted, and one of these controllers holds it. */
function isToGo({ metadata }: Snapshot): boolean {
  const held = metadata.finalizers ?? [];
  return metadata.deletionTimestamp !== undefined && (held.includes(finalizers.asSource) || held.includes(finalizers.bound));
}
