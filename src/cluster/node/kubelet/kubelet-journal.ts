// The kubelet's lines in its node's journal, with --v=3 (`/etc/default/kubelet`); `kubelet-journal-words.ts` has their words.

import type { Client } from "#cluster/client/client.ts";
import { EventRecorder, type EventSubject } from "#cluster/client/event-recorder.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Journal, JournalForm } from "../host/journal.ts";
import { lateJournalWords } from "../host/late-journal-words.ts";
import type { RuntimeContainer, Sandbox } from "../runtime/cri.ts";
import type { kubeletForms } from "./kubelet-journal-words.ts";
import type { StoredPod } from "./pod-spec.ts";
import type { StartRefusal } from "./start/start-refusal.ts";

type Step = keyof typeof kubeletForms;

/** Put into words when they are read, by code that comes with who reads. */
const forms = new Map<Step, JournalForm>();

function formOf(step: Step): JournalForm {
  let form = forms.get(step);
  if (form === undefined) {
    form = (entry) => lateJournalWords.code.kubeletForms[step](entry);
    forms.set(step, form);
  }
  return form;
}

/** Of what is told of every pod: put together when it is read. */
function nameParts({ metadata }: EventSubject): readonly [string, string] {
  return [metadata?.namespace ?? "", metadata?.name ?? ""];
}

function nameOf({ metadata }: EventSubject): string {
  return `${metadata?.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata?.name ?? ""}`;
}

/** Values of `containerKeys`. */
function valuesOf(pod: StoredPod, { id, config }: RuntimeContainer): readonly string[] {
  return [nameOf(pod), pod.metadata.uid, config.name, `containerd://${id}`];
}

export class KubeletJournal {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** It ends with these words. */
  refused({ stage, message }: StartRefusal): void {
    this.#write(stage, message);
  }

  started(version: string, runtimeVersion: string): void {
    this.#write("version", version);
    this.#write("syncNode");
    this.#write("staticPath", "/etc/kubernetes/manifests");
    this.#write("apiSource");
    this.#write("runtime", "containerd", runtimeVersion.replace("containerd://", "v"), "v1");
    this.#write("started");
    this.#write("listening", "0.0.0.0", "10250");
    this.#write("mainLoop");
  }

  cgroupsWarned(warning: string): void {
    this.#write("cgroups", warning);
  }

  manifestRefused(path: string, problem: string): void {
    this.#write("manifest", problem, path);
  }

  /** `before`: under this name, by whomever. */
  registered(node: string, before: boolean): void {
    this.#write("registering", node);
    if (before) this.#write("registeredBefore", node);
    this.#write("registered", node);
  }

  /** What looks for the Node right after the start has not found it in its copy. */
  notListed(node: string): void {
    this.#write("notListed", `node ${JSON.stringify(node)} not found`);
  }

  lateReady(): void {
    this.#write("lateReady");
  }

  /** The status has no Node to be written to: looked for once in the kubelet's copy, then four times at the API server. */
  nodeMissing(node: string): void {
    const getting = `error getting node ${JSON.stringify(node)}:`;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      this.#write("statusRetry", `${getting} ${attempt === 0 ? "node" : "nodes"} ${JSON.stringify(node)} not found`);
    }
    this.#write("statusFailed", "update node status exceeds retry count");
  }

  sync(change: "ADD" | "DELETE" | "REMOVE", source: "api" | "file", pod: StoredPod): void {
    this.#write(change, source, ...nameParts(pod));
  }

  /** What came up or ended in the time since `sinceMs`. */
  noticed(pod: StoredPod, containers: readonly RuntimeContainer[], sandboxes: readonly Sandbox[], sinceMs: number): void {
    for (const { id, startedMs, finishedMs } of containers) {
      if (startedMs > sinceMs) this.#lifecycle(pod, "ContainerStarted", id);
      if (finishedMs > sinceMs) this.#lifecycle(pod, "ContainerDied", id);
    }
    for (const { id, createdMs } of sandboxes) if (createdMs > sinceMs) this.#lifecycle(pod, "ContainerStarted", id);
  }

  #lifecycle(pod: StoredPod, type: string, id: string): void {
    this.#write("pleg", ...nameParts(pod), pod.metadata.uid, type, id);
  }

  startFailed(pod: StoredPod, container: string, reason: string, message: string): void {
    const error = `failed to "StartContainer" for ${JSON.stringify(container)} with ${reason}: ${JSON.stringify(message)}`;
    this.#write("syncFailed", error, nameOf(pod), pod.metadata.uid);
  }

  killing(pod: StoredPod, container: RuntimeContainer, graceSeconds: number): void {
    this.#write("killing", ...valuesOf(pod, container), String(graceSeconds));
  }

  execHookFailed(pod: StoredPod, container: string, command: readonly string[], output: string, error: string): void {
    this.#write("execHook", JSON.stringify(command), container, nameOf(pod), output, error);
  }

  httpHookFailed(pod: StoredPod, container: string, path: string, error: string): void {
    this.#write("httpHook", path, container, nameOf(pod), error);
  }

  unknownHook(error: string): void {
    this.#write("unknownHook", error);
  }

  postStartFailed(pod: StoredPod, container: RuntimeContainer, error: string): void {
    this.#write("postStartFailed", error, ...valuesOf(pod, container));
  }

  preStop(outcome: "running" | "completed" | "notCompleted", pod: StoredPod, container: RuntimeContainer, graceSeconds = 0): void {
    const values = valuesOf(pod, container);
    if (outcome === "running") this.#write("preStopRunning", ...values);
    else if (outcome === "completed") this.#write("preStopCompleted", ...values);
    else this.#write("preStopNotCompleted", ...values, String(graceSeconds));
  }

  preStopFailed(pod: StoredPod, container: RuntimeContainer, error: string): void {
    this.#write("preStopFailed", error, ...valuesOf(pod, container));
  }

  removed(container: RuntimeContainer): void {
    this.#write("removed", container.id);
  }

  event(type: string, subject: EventSubject, reason: string, message: string, fieldPath: string): void {
    const { kind = "", apiVersion = "" } = subject;
    this.#write("event", ...nameParts(subject), fieldPath, kind, apiVersion, type, reason, message);
    const [, probe, output] = (reason === "Unhealthy" && /^(\w+) probe failed: (.*)$/su.exec(message)) || [];
    if (probe === undefined || output === undefined) return;
    const container = /\{(.*)\}/u.exec(fieldPath)?.[1] ?? "";
    this.#write("probeFailed", probe, nameOf(subject), subject.metadata?.uid ?? "", container, "failure", output);
  }

  #write(step: Step, ...values: readonly string[]): void {
    this.#journal.write("kubelet", formOf(step), ...values);
  }
}

/** Tells events to the API, and logs them. */
export class LoggingRecorder extends EventRecorder {
  readonly #journal: KubeletJournal;

  constructor(simulation: Simulation, client: Client, host: string, journal: KubeletJournal) {
    super(simulation, client, { component: "kubelet", host });
    this.#journal = journal;
  }

  override normal(subject: EventSubject, reason: string, message: string, fieldPath = ""): void {
    this.#journal.event("Normal", subject, reason, message, fieldPath);
    super.normal(subject, reason, message, fieldPath);
  }

  override warning(subject: EventSubject, reason: string, message: string, fieldPath = ""): void {
    this.#journal.event("Warning", subject, reason, message, fieldPath);
    super.warning(subject, reason, message, fieldPath);
  }
}
