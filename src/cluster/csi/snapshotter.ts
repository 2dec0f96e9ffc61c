// csi-snapshotter (github.com/kubernetes-csi/external-snapshotter, pkg/sidecar-controller): has the driver make and remove the snapshots
// that VolumeSnapshotContents stand for, and writes what has become of them.

import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import { Informer } from "#cluster/client/informer.ts";
import { type MadeSnapshot, RpcError } from "./driver-api.ts";
import { driverName } from "./driver-names.ts";
import { callFault, driverOf, ownParameters, Sidecar, type SidecarOptions } from "./sidecar.ts";
import {
  type Content,
  finalizers,
  isReady,
  marks,
  noClass,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotClasses,
  volumeSnapshotContents,
} from "./snapshot-kinds.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };

/** Why a snapshot is not made, or not found. */
class Unmade extends Error {}

/** Keys: names of VolumeSnapshotContents. */
export class Snapshotter extends Sidecar {
  readonly #contents: Informer<VolumeSnapshotContent>;
  readonly #classes: Informer<VolumeSnapshotClass>;
  readonly #events: EventRecorder;

  constructor(options: SidecarOptions) {
    super(options, retry);
    const { simulation, client } = options;
    this.#contents = new Informer(simulation, client, volumeSnapshotContents);
    this.#classes = new Informer(simulation, client, volumeSnapshotClasses);
    this.#events = new EventRecorder(simulation, client, { component: `csi-snapshotter ${driverName}` });
    this.#contents.addHandler((content, previous, deleted) => {
      if (!deleted && (previous === undefined || isMeant(content, previous))) this.queue.add(content.metadata.name);
    });
  }

  override start(): void {
    this.say("I", "main.go:123", '"Version" version="v8.4.0"');
    this.say("I", "snapshot_controller_base.go:176", "Starting CSI snapshotter");
    super.start();
    this.#classes.start();
    this.#contents.start();
  }

  override stop(): void {
    super.stop();
    this.#classes.stop();
    this.#contents.stop();
  }

  protected pass(name: string): boolean {
    const content = this.#contents.get(name);
    if (content === undefined || !this.#isOurs(content)) return true;
    if (isToGo(content)) return this.#remove(content);
    if (isReady(content)) return true;
    const isNew = content.spec.source.volumeHandle !== undefined && content.status === undefined;
    try {
      return isReady(content.spec.source.snapshotHandle === undefined ? this.#make(content) : this.#find(content));
    } catch (error) {
      if (!(error instanceof Unmade)) throw error;
      const reason = isNew ? "SnapshotCreationFailed" : "SnapshotContentCheckandUpdateFailed";
      const message = `Failed to ${isNew ? "create snapshot" : "check and update snapshot content"}: ${error.message}`;
      this.#fail(name, reason, message);
      this.say("E", "snapshot_controller_base.go:299", `could not sync content ${JSON.stringify(name)}: ${error.message}`);
      return false;
    }
  }

  #isOurs({ spec }: Content): boolean {
    if (spec.driver !== driverName) return false;
    const found = this.#classes.get(spec.volumeSnapshotClassName ?? "");
    return found === undefined || found.driver === driverName;
  }

  #make(content: Content): Content {
    const { name, annotations } = content.metadata;
    this.say(
      "I",
      "snapshot_controller.go:339",
      `createSnapshotWrapper: Creating snapshot for content ${name} through the plugin ...`,
    );
    const parameters = this.#parametersOf(content);
    const marked = annotations?.[marks.beingCreated] === undefined ? this.#mark(content, "yes") : content;
    const { volumeHandle = "" } = content.spec.source;
    try {
      const snapshotName = `snapshot-${content.spec.volumeSnapshotRef.uid}`;
      const made = driverOf(this.options.self).createSnapshot(snapshotName, volumeHandle, parameters);
      return this.#mark(this.#tell(marked, made), null);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.isFinal) this.#mark(marked, null);
      throw new Unmade(`failed to take snapshot of the volume ${volumeHandle}: ${JSON.stringify(error.message)}`);
    }
  }

  /** Without what is meant for the snapshotter itself. Throws Unmade. */
  #parametersOf({ metadata, spec }: Content): NonNullable<VolumeSnapshotClass["parameters"]> {
    const { volumeSnapshotClassName: name } = spec;
    const found = this.#classes.get(name ?? "");
    if (found === undefined) {
      const cause = name === undefined ? `failed to take snapshot ${metadata.name} without a snapshot class` : noClass(name);
      throw new Unmade(`failed to get input parameters to create snapshot for content ${metadata.name}: ${JSON.stringify(cause)}`);
    }
    const { parameters = {} } = found;
    const reserved = Object.keys(parameters).find((key) => key.startsWith(ownParameters));
    if (reserved === undefined) return parameters;
    const cause = `found unknown parameter key "${reserved}" with reserved namespace ${ownParameters}`;
    throw new Unmade(`failed to remove CSI Parameters of prefixed keys: ${cause}`);
  }

  /** One that was there before. */
  #find(content: Content): Content {
    const handle = content.spec.source.snapshotHandle ?? "";
    const { name } = content.metadata;
    const className = content.spec.volumeSnapshotClassName;
    if (className !== undefined && this.#classes.get(className) === undefined)
      throw new Unmade(`failed to get snapshot class ${className} for snapshot content ${name}: ${noClass(className)}`);
    let fault: string | undefined = `can not find snapshot for snapshotID ${handle}`;
    try {
      const found = driverOf(this.options.self).findSnapshot(handle);
      if (found !== undefined) return this.#tell(content, found);
    } catch (error) {
      fault = callFault(error);
      if (fault === undefined) throw error;
    }
    throw new Unmade(`failed to list snapshot for content ${name}: ${JSON.stringify(fault)}`);
  }

  #tell(content: Content, { handle, createdMs, sizeBytes, isReady: isReadyNow }: MadeSnapshot): Content {
    const { error, ...status } = content.status ?? {};
    const told = {
      snapshotHandle: handle,
      creationTime: BigInt(createdMs) * 1_000_000n,
      restoreSize: sizeBytes,
      ...status,
      ...(error === undefined || isReadyNow ? {} : { error }),
      readyToUse: isReadyNow,
    };
    return this.options.client.updateStatus(volumeSnapshotContents, { ...content, status: told });
  }

  #mark(content: Content, value: "yes" | null): Content {
    const patch = { metadata: { annotations: { [marks.beingCreated]: value } } };
    return this.options.client.patch(volumeSnapshotContents, { namespace: "", name: content.metadata.name }, "merge", patch);
  }

  /** The same fault once. */
  #fail(name: string, reason: string, message: string): void {
    const { client, simulation } = this.options;
    const content = client.get(volumeSnapshotContents, { namespace: "", name });
    if (content.status?.error?.message === message) return;
    const status = { ...content.status, readyToUse: false, error: { message, time: formatTime(simulation.nowMs) } };
    this.#events.warning(client.updateStatus(volumeSnapshotContents, { ...content, status }), reason, message);
  }

  /** A retained one goes without its snapshot. */
  #remove(content: Content): boolean {
    const { client } = this.options;
    const { snapshotHandle: handle, ...status } = content.status ?? {};
    let left: Stored<VolumeSnapshotContent> = content;
    if (content.spec.deletionPolicy === "Delete" && handle !== undefined) {
      try {
        driverOf(this.options.self).deleteSnapshot(handle);
      } catch (error) {
        const fault = callFault(error);
        if (fault === undefined) throw error;
        this.#events.warning(content, "SnapshotDeleteError", "Failed to delete snapshot");
        this.say(
          "E",
          "snapshot_controller_base.go:299",
          `could not sync content ${JSON.stringify(content.metadata.name)}: failed to delete snapshot ${JSON.stringify(content.metadata.name)}, err: failed to delete snapshot content ${content.metadata.name}: ${JSON.stringify(fault)}`,
        );
        return false;
      }
      const { readyToUse: _ready, creationTime: _time, restoreSize: _size, ...cleared } = status;
      left = client.updateStatus(volumeSnapshotContents, { ...content, status: cleared });
    }
    const kept = left.metadata.finalizers?.filter((each) => each !== finalizers.content) ?? [];
    if (kept.length === (left.metadata.finalizers ?? []).length) return true;
    client.update(volumeSnapshotContents, { ...left, metadata: { ...left.metadata, finalizers: kept } });
    return true;
  }
}

/** Not what this program has written itself (ShouldEnqueueContentChange). */
function isMeant({ metadata, spec }: Content, previous: Content): boolean {
  return (
    spec !== previous.spec ||
    metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    metadata.annotations?.[marks.beingDeleted] !== previous.metadata.annotations?.[marks.beingDeleted]
  );
}

/** Nobody has it any more, and nothing of it is on its way. */
function isToGo({ metadata, spec }: Content): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  if (spec.source.snapshotHandle !== undefined && (spec.volumeSnapshotRef.uid ?? "") === "") return true;
  return metadata.annotations?.[marks.beingCreated] === undefined && metadata.annotations?.[marks.beingDeleted] !== undefined;
}
