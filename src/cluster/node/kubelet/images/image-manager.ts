// Gets a container's image onto the node by its pull policy, one pull at a time, with back-off, and tells what it does in
// the events that everyone reads (kubelet's images.EnsureImageExists).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Container } from "#cluster/api/generated/types.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { RegistryCredentials } from "#cluster/images/image.ts";
import { parseReference } from "#cluster/images/reference.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeResult, StoredImage } from "../../runtime/cri.ts";
import { BackOff } from "../back-off.ts";
import type { StoredPod } from "../pod-spec.ts";
import { call, type Task } from "../task.ts";

export type ImageOutcome =
  | { readonly ok: true; readonly image: StoredImage }
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly retryAtMs: number | undefined };

export interface ImageManagerOptions {
  readonly simulation: Simulation;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  /** 1 pulls one image after the other (the default of serializeImagePulls). */
  readonly maxParallelPulls: number;
}

interface Waiting {
  readonly start: () => void;
}

export class ImageManager {
  readonly #options: ImageManagerOptions;
  readonly #backOff = new BackOff({ initialMs: 10_000, maximumMs: 300_000 });
  readonly #lastErrors = new Map<string, string>();
  readonly #queue: Waiting[] = [];
  #pulling = 0;

  constructor(options: ImageManagerOptions) {
    this.#options = options;
  }

  /** `fieldPath` is where events about the container point. */
  *ensure(
    pod: StoredPod,
    container: Container,
    fieldPath: string,
    credentials: (image: string) => readonly RegistryCredentials[],
  ): Task<ImageOutcome> {
    const { runtime, recorder } = this.#options;
    const image = container.image ?? "";
    const parsed = parseReference(image);
    if (!parsed.ok) {
      const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${parsed.message}`;
      recorder.warning(pod, "InspectFailed", message, fieldPath);
      return { ok: false, reason: "InvalidImageName", message, retryAtMs: undefined };
    }
    const present = runtime.findImage(image);
    const policy = container.imagePullPolicy ?? "IfNotPresent";
    if (policy === "Never" || (policy === "IfNotPresent" && present !== undefined)) {
      return this.#withoutPull(pod, image, fieldPath, present);
    }
    const key = `${pod.metadata.uid}_${image}`;
    const retryAtMs = this.#backOff.readyAfterUpdate(key, this.#options.simulation.nowMs);
    if (retryAtMs !== undefined) {
      const message = `Back-off pulling image "${image}"`;
      recorder.normal(pod, "BackOff", message, fieldPath);
      const cause = this.#lastErrors.get(key);
      return {
        ok: false,
        reason: "ImagePullBackOff",
        message: cause === undefined ? message : `${message}: ErrImagePull: ${cause}`,
        retryAtMs,
      };
    }
    return yield* this.#pull(pod, image, fieldPath, key, credentials(image));
  }

  forgetPod(uid: string): void {
    this.#backOff.forget(`${uid}_`);
    for (const key of this.#lastErrors.keys()) if (key.startsWith(`${uid}_`)) this.#lastErrors.delete(key);
  }

  #withoutPull(pod: StoredPod, image: string, fieldPath: string, present: StoredImage | undefined): ImageOutcome {
    const { recorder } = this.#options;
    if (present !== undefined) {
      recorder.normal(
        pod,
        "Pulled",
        `Container image "${image}" already present on machine and can be accessed by the pod`,
        fieldPath,
      );
      return { ok: true, image: present };
    }
    const message = `Container image "${image}" is not present with pull policy of Never`;
    recorder.warning(pod, "ErrImageNeverPull", message, fieldPath);
    return { ok: false, reason: "ErrImageNeverPull", message, retryAtMs: undefined };
  }

  *#pull(
    pod: StoredPod,
    image: string,
    fieldPath: string,
    key: string,
    credentials: readonly RegistryCredentials[],
  ): Task<ImageOutcome> {
    const { simulation, recorder } = this.#options;
    recorder.normal(pod, "Pulling", `Pulling image "${image}"`, fieldPath);
    const queuedMs = simulation.nowMs;
    const { result, startedMs } = yield* this.#queued(image, credentials);
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

  /** Waits for its turn, then tries the credentials one after the other. */
  *#queued(
    image: string,
    credentials: readonly RegistryCredentials[],
  ): Task<{ readonly result: RuntimeResult<StoredImage>; readonly startedMs: number }> {
    if (this.#pulling >= this.#options.maxParallelPulls) {
      yield (resume) => {
        this.#queue.push({ start: resume });
      };
    }
    this.#pulling += 1;
    const startedMs = this.#options.simulation.nowMs;
    try {
      let result: RuntimeResult<StoredImage> = { ok: false, message: "" };
      for (const credential of credentials.length === 0 ? [undefined] : credentials) {
        result = yield* call((done) => this.#options.runtime.pullImage(image, credential, done));
        if (result.ok) break;
      }
      return { result, startedMs };
    } finally {
      this.#pulling -= 1;
      this.#options.simulation.after(0, () => {
        if (this.#pulling < this.#options.maxParallelPulls) this.#queue.shift()?.start();
      });
    }
  }
}
