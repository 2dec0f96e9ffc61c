// Starts one container: back-off, image, configuration, create, start, postStart hook; each with its event and, when it
// fails, the reason that the waiting state shows (kuberuntime's startContainer).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Container } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer, RuntimeResult, StoredImage } from "../runtime/cri.ts";
import { containerConfig } from "./container-config.ts";
import { ConfigError } from "./environment.ts";
import { containerFieldPath } from "./field-path.ts";
import type { ImageVolumes } from "./image-volumes.ts";
import { lateImageVolumes } from "./late-image-volumes.ts";
import type { KubeletParts } from "./parts.ts";
import { killContainer } from "./pod-killer.ts";
import { podLabel, type StoredPod } from "./pod-spec.ts";
import { imageCredentials } from "./pull-secrets.ts";
import { call, type Task } from "./task.ts";

export type StartResult =
  | { readonly ok: true }
  /** `readyAtMs` is set when only a back-off stands in the way. */
  | { readonly ok: false; readonly readyAtMs: number | undefined };

interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly readyAtMs?: number | undefined;
}

class Starter {
  readonly parts: KubeletParts;
  readonly pod: StoredPod;
  readonly spec: Container;
  readonly imageVolumes: ImageVolumes | undefined;
  readonly fieldPath: string;

  constructor(parts: KubeletParts, pod: StoredPod, spec: Container, imageVolumes: ImageVolumes | undefined) {
    this.imageVolumes = imageVolumes;
    this.parts = parts;
    this.pod = pod;
    this.spec = spec;
    this.fieldPath = containerFieldPath(pod, spec.name);
  }

  *start(kind: "init" | "app" | "ephemeral"): Task<StartResult> {
    const key = `${this.pod.metadata.uid}/${this.spec.name}`;
    const failure = yield* this.#attempt(kind);
    if (failure === undefined) {
      this.parts.startFailures.delete(key);
      return { ok: true };
    }
    this.parts.startFailures.set(key, { reason: failure.reason, message: failure.message });
    this.parts.journal.startFailed(this.pod, this.spec.name, failure.reason, failure.message);
    return { ok: false, readyAtMs: failure.readyAtMs };
  }

  *#attempt(kind: "init" | "app" | "ephemeral"): Task<Failure | undefined> {
    const { uid } = this.pod.metadata;
    const previous = this.parts.runtime.containersOf(uid).find((each) => each.config.name === this.spec.name);
    const waiting = kind === "ephemeral" ? undefined : this.#crashBackOff(previous);
    if (waiting !== undefined) return waiting;
    const failed = this.imageVolumes && lateImageVolumes.code.failedVolume(this.spec, this.imageVolumes);
    if (failed !== undefined) {
      this.#warn(`Error: ${failed.reason}`);
      return { reason: failed.reason, message: failed.message, readyAtMs: failed.retryAtMs };
    }
    const image = yield* this.parts.images.ensure(this.pod, this.spec, this.fieldPath, (repository) =>
      imageCredentials(this.parts, this.pod, repository),
    );
    if (!image.ok) {
      this.#warn(`Error: ${image.reason}`);
      return { reason: image.reason, message: image.message, readyAtMs: image.retryAtMs };
    }
    return yield* this.#create(image.image, this.#attemptAfter(previous), kind);
  }

  #crashBackOff(previous: RuntimeContainer | undefined): Failure | undefined {
    if (previous === undefined || previous.state !== "exited") return undefined;
    const { crashBackOff, recorder, simulation } = this.parts;
    const key = `${this.pod.metadata.uid}/${this.spec.name}/${this.spec.image}/${JSON.stringify(this.spec.resources ?? {})}`;
    const readyAtMs = crashBackOff.readyAt(key, previous.finishedMs, simulation.nowMs);
    if (readyAtMs === undefined) {
      crashBackOff.next(key, previous.finishedMs, simulation.nowMs);
      return undefined;
    }
    const label = podLabel(this.pod);
    recorder.warning(this.pod, "BackOff", `Back-off restarting failed container ${this.spec.name} in pod ${label}`, this.fieldPath);
    const delay = formatGoDuration(crashBackOff.delayMs(key));
    const message = `back-off ${delay} restarting failed container=${this.spec.name} pod=${label}`;
    return { reason: "CrashLoopBackOff", message, readyAtMs };
  }

  /** Where the runtime has no record of an earlier one, the log files and the status tell how many there were. */
  #attemptAfter(previous: RuntimeContainer | undefined): number {
    if (previous !== undefined) return previous.config.attempt + 1;
    const { containerStatuses = [], initContainerStatuses = [] } = this.parts.statuses.get(this.pod);
    const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === this.spec.name);
    return Math.max(status?.restartCount ?? 0, this.parts.logs.attempts(this.pod, this.spec.name));
  }

  *#create(image: StoredImage, attempt: number, kind: "init" | "app" | "ephemeral"): Task<Failure | undefined> {
    const { parts, pod, spec } = this;
    const { runtime, recorder } = parts;
    const sandbox = runtime.sandboxesOf(pod.metadata.uid)[0];
    if (sandbox === undefined) return { reason: "RunContainerError", message: "sandbox is gone" };
    let config: ReturnType<typeof containerConfig>;
    try {
      config = containerConfig(parts, { pod, spec, sandbox, image, attempt, imageVolumes: this.imageVolumes });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#warn(`Error: ${error.message}`);
      return { reason: "CreateContainerConfigError", message: error.message };
    }
    const created = yield* call<RuntimeResult<RuntimeContainer>>((done) => runtime.createContainer(sandbox.id, config, done));
    if (!created.ok) {
      // What there are logs of counts as started once.
      parts.logs.removeFiles(config.logFile.path);
      this.#warn(`Error: ${created.message}`);
      return { reason: "CreateContainerError", message: created.message };
    }
    // Of the dead ones the newest are kept (containerDeletor): the log of the first is what `kubectl logs --previous` shows.
    const own = runtime.containersOf(pod.metadata.uid).filter((each) => each.config.name === spec.name);
    for (const old of own.slice(1 + parts.keptDead)) {
      runtime.removeContainer(old.id);
      parts.logs.remove(old);
      parts.journal.removed(old);
    }
    parts.logs.link(pod, created.value);
    recorder.normal(pod, "Created", "Container created", this.fieldPath);
    const started = yield* call<RuntimeResult<RuntimeContainer>>((done) => runtime.startContainer(created.value.id, done));
    if (!started.ok) {
      this.#warn(`Error: ${started.message}`);
      return { reason: "RunContainerError", message: started.message };
    }
    recorder.normal(pod, "Started", "Container started", this.fieldPath);
    if (kind !== "ephemeral") parts.probes.containerStarted(pod, started.value, spec);
    return yield* this.#postStart(started.value);
  }

  *#postStart(container: RuntimeContainer): Task<Failure | undefined> {
    const { parts, pod, spec } = this;
    if (spec.lifecycle?.postStart === undefined) return undefined;
    const problem = yield* parts.hooks.runPostStart(pod, container, spec);
    if (problem === undefined) return undefined;
    parts.recorder.warning(pod, "FailedPostStartHook", "PostStartHook failed", this.fieldPath);
    const graceSeconds = Number(pod.spec?.terminationGracePeriodSeconds ?? 30);
    yield* killContainer(parts, pod, container, spec, { graceSeconds, message: "FailedPostStartHook" });
    return { reason: "PostStartHookError", message: problem };
  }

  #warn(message: string): void {
    this.parts.recorder.warning(this.pod, "Failed", message, this.fieldPath);
  }
}

export function startContainer(
  parts: KubeletParts,
  pod: StoredPod,
  spec: Container,
  kind: "init" | "app" | "ephemeral",
  imageVolumes: ImageVolumes | undefined,
): Task<StartResult> {
  return new Starter(parts, pod, spec, imageVolumes).start(kind);
}
