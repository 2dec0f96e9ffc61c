// A storage service outside the cluster: its volumes live here, and follow their attachment to whichever node mounts them.

import { SysError } from "#sim/errors.ts";
import { FileSystem } from "#sim/filesystem/file-system.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { Simulation } from "#sim/simulation.ts";
import { copyFiles } from "./copy-files.ts";
import { type MadeSnapshot, type MadeVolume, type NewVolume, type Parameters, RpcError } from "./driver-api.ts";

const gibibyte = 1024 ** 3;
/** Sizes are whole ones of these. */
const unitBytes = gibibyte;
/** No volume is larger. */
const largestBytes = 16_384 * gibibyte;
/** How long a snapshot is on its way to where volumes can be made from it. */
const uploadMs = 2_000;
/** What can be chosen of a volume, and changed: from … to. */
const attributeRanges: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["iops", [3_000, 16_000]],
  /** MiB in a second. */
  ["throughput", [125, 1_000]],
]);
const sharedModes: ReadonlySet<string> = new Set(["ReadWriteMany", "ReadOnlyMany"]);

interface StoredVolume extends MadeVolume {
  sizeBytes: number;
  readonly name: string;
  /** More than one node may have it. */
  readonly isShared: boolean;
  readonly files: FileSystem;
  /** Their IDs. */
  readonly attachedTo: Set<string>;
}

interface StoredSnapshot {
  readonly handle: string;
  readonly name: string;
  readonly createdMs: number;
  readonly sizeBytes: number;
  readonly files: FileSystem;
}

export class StorageService {
  readonly #simulation: Simulation;
  readonly #kernel: Kernel;
  readonly #volumes = new Map<string, StoredVolume>();
  readonly #snapshots = new Map<string, StoredSnapshot>();
  #made = 0;

  constructor(simulation: Simulation, kernel: Kernel) {
    this.#simulation = simulation;
    this.#kernel = kernel;
  }

  create({ name, sizeBytes, accessModes, volumeMode, parameters, attributes = {}, source }: NewVolume): MadeVolume {
    const known = [...this.#volumes.values()].find((volume) => volume.name === name);
    if (known !== undefined) return known;
    if (volumeMode === "Block") throw new RpcError("InvalidArgument", "cannot have block access type");
    refuseParameters(parameters);
    checkAttributes(attributes);
    const wholeBytes = wholeUnits(sizeBytes);
    const content = source === undefined ? undefined : this.#contentOf(source, wholeBytes);
    this.#made += 1;
    const handle = `vol-${this.#simulation.random.uuid()}`;
    const files = this.#newFiles(`/dev/vd${lettersOf(this.#made)}`, wholeBytes, content);
    const isShared = accessModes.some((mode) => sharedModes.has(mode));
    const made: StoredVolume = { handle, name, sizeBytes: wholeBytes, isShared, files, attachedTo: new Set() };
    this.#volumes.set(handle, made);
    return made;
  }

  #newFiles(source: string, limitBytes: number, content: FileSystem | undefined): FileSystem {
    const { nowMs } = this.#simulation;
    const files = new FileSystem({ type: "ext4", source, limitBytes, nowMs, backing: this.#kernel.backing.files });
    if (content !== undefined) this.#copy(content, files);
    return files;
  }

  #copy(from: FileSystem, to: FileSystem): void {
    try {
      copyFiles(from, to);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      to.discard();
      throw new RpcError("ResourceExhausted", "no room for another copy of the volume");
    }
  }

  #contentOf(source: NonNullable<NewVolume["source"]>, sizeBytes: number): FileSystem {
    const from = "volume" in source ? this.#known(source.volume) : this.#knownSnapshot(source.snapshot);
    if (sizeBytes >= from.sizeBytes) return from.files;
    throw new RpcError("OutOfRange", `requested capacity ${sizeBytes} is less than ${from.sizeBytes} of ${from.handle}`);
  }

  snapshot(name: string, volumeHandle: string, parameters: Parameters): MadeSnapshot {
    const known = [...this.#snapshots.values()].find((each) => each.name === name);
    if (known !== undefined) return this.#told(known);
    refuseParameters(parameters);
    const { files, sizeBytes } = this.#known(volumeHandle);
    const handle = `snap-${this.#simulation.random.uuid()}`;
    const copy = this.#newFiles(handle, sizeBytes, files);
    const createdMs = this.#simulation.nowMs;
    const made = { handle, name, createdMs, sizeBytes, files: copy };
    this.#snapshots.set(handle, made);
    return this.#told(made);
  }

  findSnapshot(handle: string): MadeSnapshot | undefined {
    const found = this.#snapshots.get(handle);
    return found === undefined ? undefined : this.#told(found);
  }

  /** One that is gone already is no fault. */
  deleteSnapshot(handle: string): void {
    this.#snapshots.get(handle)?.files.discard();
    this.#snapshots.delete(handle);
  }

  #told({ handle, createdMs, sizeBytes }: StoredSnapshot): MadeSnapshot {
    return { handle, createdMs, sizeBytes, isReady: this.#simulation.nowMs >= createdMs + uploadMs };
  }

  /** Its file system stays as it is until `growFiles`. */
  expand(handle: string, sizeBytes: number): number {
    const volume = this.#known(handle);
    volume.sizeBytes = Math.max(volume.sizeBytes, wholeUnits(sizeBytes));
    return volume.sizeBytes;
  }

  /** What they change nobody measures here. */
  modify(handle: string, attributes: Parameters): void {
    this.#known(handle);
    checkAttributes(attributes);
  }

  growFiles(handle: string, node: string): void {
    this.filesOn(handle, node).limitBytes = this.#known(handle).sizeBytes;
  }

  /** One that is gone already is no fault. */
  delete(handle: string): void {
    const volume = this.#volumes.get(handle);
    if (volume === undefined) return;
    const [node] = volume.attachedTo;
    if (node !== undefined) throw new RpcError("FailedPrecondition", `volume ${handle} is attached to node ${node}`);
    volume.files.discard();
    this.#volumes.delete(handle);
  }

  /** `limit`: how many a node takes; 0: any number. */
  attach(handle: string, node: string, limit: number): void {
    const volume = this.#known(handle);
    if (volume.attachedTo.has(node)) return;
    const [other] = volume.attachedTo;
    if (!volume.isShared && other !== undefined)
      throw new RpcError("FailedPrecondition", `volume ${handle} is attached to node ${other}`);
    const count = [...this.#volumes.values()].filter(({ attachedTo }) => attachedTo.has(node)).length;
    if (limit > 0 && count >= limit) throw new RpcError("ResourceExhausted", `node ${node} has ${count} volumes attached already`);
    volume.attachedTo.add(node);
  }

  detach(handle: string, node: string): void {
    this.#volumes.get(handle)?.attachedTo.delete(node);
  }

  filesOn(handle: string, node: string): FileSystem {
    const volume = this.#known(handle);
    if (!volume.attachedTo.has(node)) throw new RpcError("NotFound", `volume ${handle} is not attached to node ${node}`);
    return volume.files;
  }

  #knownSnapshot(handle: string): StoredSnapshot {
    const snapshot = this.#snapshots.get(handle);
    if (snapshot === undefined) throw new RpcError("NotFound", `snapshot ${handle} not found`);
    return snapshot;
  }

  #known(handle: string): StoredVolume {
    const volume = this.#volumes.get(handle);
    if (volume === undefined) throw new RpcError("NotFound", `volume ${handle} not found`);
    return volume;
  }
}

/** The service knows none. */
function refuseParameters(parameters: Parameters): void {
  const [unknown] = Object.keys(parameters);
  if (unknown !== undefined) throw new RpcError("InvalidArgument", `unknown parameter ${JSON.stringify(unknown)}`);
}

function checkAttributes(attributes: Parameters): void {
  for (const [name, value] of Object.entries(attributes)) {
    const range = attributeRanges.get(name);
    if (range === undefined) throw new RpcError("InvalidArgument", `unknown attribute ${JSON.stringify(name)}`);
    const [least, most] = range;
    const number = /^\d{1,9}$/u.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new RpcError(
        "InvalidArgument",
        `${name} must be a whole number from ${least} to ${most}, got ${JSON.stringify(value)}`,
      );
  }
}

/** Throws RpcError for more than a volume can be. */
function wholeUnits(sizeBytes: number): number {
  const wholeBytes = Math.max(1, Math.ceil(sizeBytes / unitBytes)) * unitBytes;
  if (wholeBytes > largestBytes)
    throw new RpcError("OutOfRange", `requested capacity ${wholeBytes} exceeds maximum allowed ${largestBytes}`);
  return wholeBytes;
}

/** Of a device: `a` is the node's own disk, `b` the first one, `aa` comes after `z`. */
function lettersOf(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : `${lettersOf(Math.floor(index / 26) - 1)}${letter}`;
}
