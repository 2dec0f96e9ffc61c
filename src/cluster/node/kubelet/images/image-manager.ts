// Gets a container's image onto the node by its pull policy, with back-off, and tells what it does in the events that everyone
// reads (kubelet's images.EnsureImageExists).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Container } from "#cluster/api/generated/types.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { parseReference } from "#cluster/images/reference.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeResult, StoredImage } from "../../runtime/cri.ts";
import { BackOff } from "../back-off.ts";
import type { StoredPod } from "../pod-spec.ts";
import { call, type Task } from "../task.ts";
import { KeyringError, type TrackedCredentials } from "./keyring.ts";
import { type PullRecords, repositoryOfImage } from "./pull-records.ts";
import { PullThrottle, type ThrottleRates } from "./pull-throttle.ts";

export type ImageOutcome =
  | { readonly ok: true; readonly image: StoredImage }
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly retryAtMs: number | undefined };

export interface ImageManagerOptions {
  readonly simulation: Simulation;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly records: PullRecords;
  /** 1 pulls one image after the other (the default of serializeImagePulls). */
  readonly maxParallelPulls: number;
  /** registryPullQPS and registryBurst. */
  readonly throttle: ThrottleRates;
}

/** The credentials that a pod has for a repository, in the order in which they are tried. Throws KeyringError. */
export type CredentialLookup = (repository: string) => Task<readonly TrackedCredentials[]>;

interface Waiting {
  readonly start: () => void;
}

interface Pulled {
  readonly result: RuntimeResult<StoredImage>;
  readonly startedMs: number;
  /** Those that worked; undefined without any. */
  readonly used: TrackedCredentials | undefined;
}

export class ImageManager {
  readonly #options: ImageManagerOptions;
  readonly #backOff = new BackOff({ initialMs: 10_000, maximumMs: 300_000 });
  readonly #throttle: PullThrottle;
  readonly #lastErrors = new Map<string, string>();
  readonly #queue: Waiting[] = [];
  #pulling = 0;

  constructor(options: ImageManagerOptions) {
    this.#options = options;
    this.#throttle = new PullThrottle(options.simulation, options.throttle);
  }

  /** `fieldPath` is where events about the container point; undefined: they are about the Pod. */
  *ensure(pod: StoredPod, container: Container, fieldPath: string | undefined, lookup: CredentialLookup): Task<ImageOutcome> {
    const { runtime, recorder } = this.#options;
    const image = container.image ?? "";
    const parsed = parseReference(image);
    if (!parsed.ok) {
      const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${parsed.message}`;
      recorder.warning(pod, "InspectFailed", message, fieldPath);
      return { ok: false, reason: "InvalidImageName", message, retryAtMs: undefined };
    }
    const policy = container.imagePullPolicy ?? "IfNotPresent";
    const present = policy === "Always" ? undefined : runtime.findImage(image);
    try {
      if (present !== undefined && (yield* this.#mayUse(image, present, lookup))) {
        const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
        recorder.normal(pod, "Pulled", message, fieldPath);
        return { ok: true, image: present };
      }
      // Who may not have an image is not told that it is there.
      if (policy === "Never") {
        const message = `Container image "${image}" is not present with pull policy of Never`;
        recorder.warning(pod, "ErrImageNeverPull", message, fieldPath);
        return { ok: false, reason: "ErrImageNeverPull", message, retryAtMs: undefined };
      }
      return yield* this.#pull(pod, image, fieldPath, yield* lookup(repositoryOfImage(image)));
    } catch (error) {
      if (!(error instanceof KeyringError)) throw error;
      return { ok: false, reason: error.message, message: error.message, retryAtMs: undefined };
    }
  }

  *#mayUse(image: string, { id }: StoredImage, lookup: CredentialLookup): Task<boolean> {
    const { records } = this.#options;
    const access = records.access(image, id);
    return access === "asks" ? records.grants(image, id, yield* lookup(repositoryOfImage(image))) : access === "granted";
  }

  forgetPod(uid: string): void {
    this.#backOff.forget(`${uid}_`);
    for (const key of this.#lastErrors.keys()) if (key.startsWith(`${uid}_`)) this.#lastErrors.delete(key);
  }

  #waits(pod: StoredPod, image: string, fieldPath: string | undefined, key: string): ImageOutcome | undefined {
    const retryAtMs = this.#backOff.readyAfterUpdate(key, this.#options.simulation.nowMs);
    if (retryAtMs === undefined) return undefined;
    const message = `Back-off pulling image "${image}"`;
    this.#options.recorder.normal(pod, "BackOff", message, fieldPath);
    const cause = this.#lastErrors.get(key);
    const whole = cause === undefined ? message : `${message}: ErrImagePull: ${cause}`;
    return { ok: false, reason: "ImagePullBackOff", message: whole, retryAtMs };
  }

  *#pull(
    pod: StoredPod,
    image: string,
    fieldPath: string | undefined,
    credentials: readonly TrackedCredentials[],
  ): Task<ImageOutcome> {
    const { simulation, recorder, records } = this.#options;
    const key = `${pod.metadata.uid}_${image}`;
    const waiting = this.#waits(pod, image, fieldPath, key);
    if (waiting !== undefined) return waiting;
    recorder.normal(pod, "Pulling", `Pulling image "${image}"`, fieldPath);
    const queuedMs = simulation.nowMs;
    records.pullBegins(image);
    let pulled: Pulled | undefined;
    try {
      pulled = yield* this.#queued(image, credentials);
    } finally {
      records.pullEnds(image, pulled?.result.ok === true ? pulled.result.value.id : undefined, pulled?.used);
    }
    const { result, startedMs } = pulled;
    const nowMs = simulation.nowMs;
    if (!result.ok) {
      recorder.warning(pod, "Failed", `Failed to pull image "${image}": ${result.message}`, fieldPath);
      this.#backOff.next(key, nowMs, nowMs);
      this.#lastErrors.set(key, result.message);
      return { ok: false, reason: "ErrImagePull", message: result.message, retryAtMs: undefined };
    }
    this.#lastErrors.delete(key);
    const took = formatGoDuration(nowMs - startedMs);
    const waited = formatGoDuration(nowMs - queuedMs);
    const size = result.value.image.sizeBytes;
    recorder.normal(
      pod,
      "Pulled",
      `Successfully pulled image "${image}" in ${took} (${waited} including waiting). Image size: ${size} bytes.`,
      fieldPath,
    );
    return { ok: true, image: result.value };
  }

  /** Whoever gives up while it waits makes way for those behind. */
  *#turn(): Task<void> {
    let waiting: Waiting | undefined;
    try {
      yield (start) => {
        waiting = { start };
        this.#queue.push(waiting);
      };
    } finally {
      const index = waiting === undefined ? -1 : this.#queue.indexOf(waiting);
      if (index >= 0) this.#queue.splice(index, 1);
    }
  }

  /** Waits for its turn, then tries the credentials one after the other. */
  *#queued(image: string, credentials: readonly TrackedCredentials[]): Task<Pulled> {
    if (this.#pulling >= this.#options.maxParallelPulls) {
      yield* this.#turn();
    }
    this.#pulling += 1;
    const startedMs = this.#options.simulation.nowMs;
    try {
      if (!this.#throttle.tryToTake()) return { result: { ok: false, message: "pull QPS exceeded" }, startedMs, used: undefined };
      const failures = new Set<string>();
      for (const used of credentials.length === 0 ? [undefined] : credentials) {
        const result = yield* call<RuntimeResult<StoredImage>>((done) => this.#options.runtime.pullImage(image, used, done));
        if (result.ok) return { result, startedMs, used };
        failures.add(result.message);
      }
      const message = failures.size === 1 ? [...failures].join() : `[${[...failures].join(", ")}]`;
      return { result: { ok: false, message }, startedMs, used: undefined };
    } finally {
      this.#pulling -= 1;
      this.#options.simulation.after(0, () => {
        if (this.#pulling < this.#options.maxParallelPulls) this.#queue.shift()?.start();
      });
    }
  }
}
