// Removes images that no container uses: those that were not used for too long, and when the disk is full as many as it takes, those
// unused for longest first (pkg/kubelet/images/image_gc_manager.go).

import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Machine } from "../../host/machine.ts";
import type { ContainerRuntime, StoredImage } from "../../runtime/cri.ts";

/** As in the kubelet's configuration. */
export interface ImageGcPolicy {
  /** imageGCHighThresholdPercent, default 85; 100 turns the rule off. */
  readonly highThresholdPercent?: number;
  /** imageGCLowThresholdPercent, default 80. */
  readonly lowThresholdPercent?: number;
  /** imageMinimumGCAge, default 120. */
  readonly minimumAgeSeconds?: number;
  /** imageMaximumGCAge; 0 (default): no image is too old. */
  readonly maximumAgeSeconds?: number;
}

export interface ImageGcOptions {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly policy: ImageGcPolicy;
  /** After each round. */
  readonly onCollected: () => void;
}

const periodMs = 300_000;
const gibibyte = 1024 ** 3;

interface ImageRecord {
  readonly firstSeenMs: number;
  /** 0: never since the kubelet started. */
  lastUsedMs: number;
}

type Candidate = ImageRecord & { readonly image: StoredImage };

export class ImageGarbageCollector {
  readonly #options: ImageGcOptions;
  readonly #records = new Map<string, ImageRecord>();
  readonly #policy: Required<ImageGcPolicy>;
  #startedMs = 0;
  #failedBefore = false;
  #timer: Timer | undefined;

  constructor(options: ImageGcOptions) {
    this.#options = options;
    const { highThresholdPercent = 85, lowThresholdPercent = 80, minimumAgeSeconds = 120, maximumAgeSeconds = 0 } = options.policy;
    this.#policy = { highThresholdPercent, lowThresholdPercent, minimumAgeSeconds, maximumAgeSeconds };
  }

  /** What was used when is not known from before. */
  start(): void {
    this.#startedMs = this.#options.simulation.nowMs;
    this.#detect();
    this.#later();
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  #later(): void {
    this.#timer = this.#options.simulation.after(
      periodMs,
      () => {
        this.#later();
        this.#collect();
        this.#options.onCollected();
      },
      { background: true },
    );
  }

  /** Images that may go, the longest unused first. */
  #detect(): readonly Candidate[] {
    const { runtime, simulation } = this.#options;
    const used = usedReferences(runtime);
    const images = runtime.images();
    const there = new Set(images.map(({ reference }) => reference));
    for (const reference of this.#records.keys()) if (!there.has(reference)) this.#records.delete(reference);
    const candidates: Candidate[] = [];
    for (const image of images) {
      const known = this.#records.get(image.reference);
      const record = known ?? { firstSeenMs: simulation.nowMs, lastUsedMs: 0 };
      if (known === undefined) this.#records.set(image.reference, record);
      if (used.has(image.reference)) record.lastUsedMs = simulation.nowMs;
      else if (!image.pinned) candidates.push({ ...record, image });
    }
    return candidates.sort((a, b) => a.lastUsedMs - b.lastUsedMs || a.firstSeenMs - b.firstSeenMs);
  }

  /** The disk is wanted for other things: all images that may go (DeleteUnusedImages). */
  removeUnused(): void {
    this.#free(this.#detect(), Number.POSITIVE_INFINITY);
  }

  #collect(): void {
    const { highThresholdPercent, lowThresholdPercent } = this.#policy;
    const left = this.#removeOld(this.#detect());
    const capacity = this.#options.machine.diskBytes;
    const available = Math.max(0, this.#options.machine.disk.roomBytes);
    const usedPercent = 100 - Math.floor((available * 100) / capacity);
    if (highThresholdPercent === 100 || usedPercent < highThresholdPercent) {
      this.#failedBefore = false;
      return;
    }
    const wanted = Math.floor((capacity * (100 - lowThresholdPercent)) / 100) - available;
    const freed = this.#free(left, wanted);
    if (freed < wanted) this.#complain(usedPercent, capacity, freed);
    else this.#failedBefore = false;
  }

  /** Nothing is too old before the kubelet itself has run for so long. */
  #removeOld(candidates: readonly Candidate[]): readonly Candidate[] {
    const { nowMs } = this.#options.simulation;
    const maximumMs = this.#policy.maximumAgeSeconds * 1000;
    if (maximumMs === 0 || nowMs - this.#startedMs <= maximumMs) return candidates;
    return candidates.filter((candidate) => {
      const unusedMs = nowMs - Math.max(candidate.lastUsedMs, candidate.firstSeenMs);
      return unusedMs <= maximumMs || !this.#remove(candidate);
    });
  }

  #free(candidates: readonly Candidate[], wanted: number): number {
    let freed = 0;
    for (const candidate of candidates) {
      if (freed >= wanted) break;
      if (this.#remove(candidate)) freed += candidate.image.image.sizeBytes;
    }
    return freed;
  }

  /** False for one that has just come: its Pod may be about to start. */
  #remove({ image, firstSeenMs }: Candidate): boolean {
    const { simulation, runtime } = this.#options;
    if (simulation.nowMs - firstSeenMs < this.#policy.minimumAgeSeconds * 1000) return false;
    runtime.removeImage(image.reference);
    this.#records.delete(image.reference);
    return true;
  }

  #complain(usedPercent: number, capacity: number, freed: number): void {
    const { recorder, machine } = this.#options;
    const subject = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } };
    const message = `Insufficient free disk space on the node's image filesystem (${usedPercent}% of ${(capacity / gibibyte).toFixed(1)} GiB used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.`;
    recorder.warning(subject, "FreeDiskSpaceFailed", message);
    // The first failure may be one of figures that are not there yet.
    if (this.#failedBefore) recorder.warning(subject, "ImageGCFailed", message);
    this.#failedBefore = true;
  }
}

/** Images of all containers that are there, running or dead. */
function usedReferences(runtime: ContainerRuntime): ReadonlySet<string> {
  const used = new Set<string>();
  for (const uid of runtime.podUids())
    for (const { config } of runtime.containersOf(uid)) {
      used.add(config.image.reference);
      for (const { image } of config.imageMounts ?? []) used.add(image.reference);
    }
  return used;
}
