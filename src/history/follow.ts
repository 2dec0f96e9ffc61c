// How a Pod came to run, step by step, read off the recorder: the request that asked for it, the controllers that made
// it of its owner, the scheduler's choice, the kubelet's work. Only what was recorded is told.

import { type KubeObject, keyOf } from "#cluster/api/objects.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import type { StoredObjects } from "#world/happenings.ts";
import { changesBetween } from "./changes.ts";
import { apiServer, componentOf } from "./components.ts";
import { componentOfEntry, type EventFields, eventSubject, eventsTable, isEvent, writtenObject } from "./entry-views.ts";
import { refOf } from "./object-keys.ts";
import { isSameRef } from "./object-ref.ts";
import type { Component, FollowStep, FollowStepKind, FollowView, HistoryAsked, ObjectRef } from "./questions.ts";
import type { HistoryEntry, Recorder, WriteEntry } from "./recorder.ts";

const podsOffered = 50;

/** `chosen`: the Pod to follow, where it is one of the object's; otherwise its newest. */
export function followView(
  objects: StoredObjects,
  recorder: Recorder,
  { object, pod: chosen }: HistoryAsked<"follow">,
): FollowView {
  const entries = [...recorder.entries.from(0)];
  const births = birthsByUid(entries);
  const pods = podsOf(object, births);
  const pod = (chosen === undefined ? undefined : pods.find((birth) => isSameRef(writtenObject(birth), chosen))) ?? pods[0];
  const chain = pod === undefined ? chainOfObject(object, births) : chainTo(pod, births);
  const steps = [...madeBy(objects, entries, chain), ...(pod === undefined ? [] : placedAndRun(entries, pod))];
  return {
    steps,
    pod: pod === undefined ? undefined : writtenObject(pod),
    pods: pods.slice(0, podsOffered).map(writtenObject),
  };
}

/** The write that created each object. */
function birthsByUid(entries: readonly HistoryEntry[]): ReadonlyMap<string, WriteEntry> {
  const births = new Map<string, WriteEntry>();
  for (const entry of entries) {
    if (entry.kind === "write" && entry.write.previous === undefined && !entry.write.deleted && entry.resource !== eventsTable)
      births.set(uidOf(entry.write.object), entry);
  }
  return births;
}

function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? "";
}

function ownerUid(object: KubeObject): string {
  return controllerOf(object)?.uid ?? "";
}

/** The Pod itself, or the Pods that the object owns, however far down; newest first. */
function podsOf(object: ObjectRef, births: ReadonlyMap<string, WriteEntry>): readonly WriteEntry[] {
  const pods = [...births.values()].filter((birth) => birth.resource === "pods").reverse();
  return pods.filter((pod) => chainTo(pod, births).some((birth) => isSameRef(writtenObject(birth), object)));
}

/** The births of a Pod's owners and of the Pod, topmost first; what was made before recording began is not there. */
function chainTo(pod: WriteEntry, births: ReadonlyMap<string, WriteEntry>): readonly WriteEntry[] {
  const chain = [pod];
  for (let uid = ownerUid(pod.write.object); uid !== ""; uid = ownerUid(chain[0]?.write.object ?? pod.write.object)) {
    const owner = births.get(uid);
    if (owner === undefined || chain.includes(owner)) break;
    chain.unshift(owner);
  }
  return chain;
}

function chainOfObject(object: ObjectRef, births: ReadonlyMap<string, WriteEntry>): readonly WriteEntry[] {
  const birth = [...births.values()].reverse().find((entry) => isSameRef(writtenObject(entry), object));
  return birth === undefined ? [] : [birth];
}

/** From the request to the Pod's own creation. */
function madeBy(objects: StoredObjects, entries: readonly HistoryEntry[], chain: readonly WriteEntry[]): readonly FollowStep[] {
  const [top, ...rest] = chain;
  const last = chain.at(-1);
  if (top === undefined || last === undefined) return [];
  let cause = lastCause(entries, top, last.sequence);
  const steps = [...requestSteps(objects, cause)];
  for (const [index, birth] of rest.entries()) {
    const owner = chain[index] as WriteEntry;
    const made = birth === last ? birth : lastCause(entries, birth, last.sequence);
    // An owner that was there already and has not been written since had nothing to do with it.
    if (made.sequence < cause.sequence) continue;
    cause = made;
    steps.push(controllerStep(owner, made));
  }
  return steps;
}

/** The latest write before `sequence` that changed what an object asks for: its creation, or a change of its spec. */
function lastCause(entries: readonly HistoryEntry[], birth: WriteEntry, sequence: number): WriteEntry {
  let cause = birth;
  for (const entry of entries) {
    if (entry.sequence <= birth.sequence || entry.sequence >= sequence) continue;
    if (entry.kind !== "write" || entry.resource !== birth.resource || entry.write.key !== birth.write.key) continue;
    if (entry.write.previous?.["spec"] !== entry.write.object["spec"]) cause = entry;
  }
  return cause;
}

function step(
  kind: FollowStepKind,
  entry: HistoryEntry,
  object: ObjectRef,
  values: FollowStep["values"],
  component: Component = componentOfEntry(entry),
): FollowStep {
  return { step: kind, timeMs: entry.timeMs, sequence: entry.sequence, component, object, values };
}

function requestSteps(objects: StoredObjects, entry: WriteEntry): readonly FollowStep[] {
  const { request, write } = entry;
  if (request === undefined) return [];
  const object = writtenObject(entry);
  const { user, verb, userAgent, admission } = request;
  const name = `${write.object.kind} ${object.name}`;
  const inside = { ...entry, sequence: 0 };
  return [
    step("request", inside, object, { client: componentOf(request).name, userAgent, verb, name, changed: changedWords(entry) }),
    step("authentication", inside, object, { user: user.name, groups: user.groups.join(", ") }, apiServer),
    step(
      "authorization",
      inside,
      object,
      { user: user.name, verb, resource: entry.resource, reason: objects.reasonOf(request) },
      apiServer,
    ),
    step(
      "admission",
      inside,
      object,
      { mutating: names(admission?.mutating), validating: names(admission?.validating) },
      apiServer,
    ),
    step("storage", entry, object, { name, version: write.object.metadata.resourceVersion ?? "" }, apiServer),
  ];
}

function names(plugins: readonly { readonly name: string }[] = []): string {
  return plugins.map(({ name }) => name).join(", ");
}

/** `spec.replicas: 1 → 3`; "" for a creation. */
function changedWords({ write: { previous, object } }: WriteEntry): string {
  if (previous === undefined) return "";
  const { changes } = changesBetween(previous["spec"], object["spec"], 3);
  return changes
    .map(({ path, before, after }) => `spec.${path}: ${before === "" ? "–" : before} → ${after === "" ? "–" : after}`)
    .join(", ");
}

const controllerSteps: { readonly [kind: string]: FollowStepKind } = {
  Deployment: "deploymentController",
  ReplicaSet: "replicaSetController",
};

function controllerStep(owner: WriteEntry, made: WriteEntry): FollowStep {
  const { kind } = owner.write.object;
  return step(controllerSteps[kind ?? ""] ?? "controller", made, writtenObject(made), {
    owner: `${kind} ${owner.write.object.metadata.name ?? ""}`,
    made: `${made.write.object.kind} ${made.write.object.metadata.name ?? ""}`,
    changed: changedWords(made),
  });
}

/** From the scheduler's first look to Ready, and what went wrong between. */
function placedAndRun(entries: readonly HistoryEntry[], birth: WriteEntry): readonly FollowStep[] {
  const uid = uidOf(birth.write.object);
  const pod = refOf("pods", keyOf(birth.write.object));
  const steps: FollowStep[] = [];
  let refusal = "";
  let isReady = false;
  for (const entry of entries) {
    if (entry.sequence <= birth.sequence) continue;
    const found = stepOf(entry, uid, pod);
    if (found === undefined) continue;
    if (found.step === "status") {
      if (isReady) continue;
      isReady = true;
    }
    // The same refusal again and again says nothing new.
    if (found.step === "refusedPlace") {
      if (found.values["message"] === refusal) continue;
      refusal = found.values["message"] ?? "";
    }
    if (isReady && found.step !== "status") continue;
    // The scheduler notes what it decided once it is done: after the binding that follows from it.
    if (found.step === "decision" && steps.at(-1)?.step === "binding") steps.splice(-1, 0, found);
    else steps.push(found);
  }
  return steps;
}

function stepOf(entry: HistoryEntry, uid: string, pod: ObjectRef): FollowStep | undefined {
  switch (entry.kind) {
    case "decision":
      return entry.decision.podUid === uid ? decisionStep(entry, pod) : undefined;
    case "runtime":
      return entry.act.pod.podUid === uid ? runtimeStep(entry, pod) : undefined;
    case "write":
      return isEvent(entry) ? eventStep(entry, uid, pod) : podStep(entry, uid, pod);
    case "refusal":
      return undefined;
  }
}

function decisionStep(entry: HistoryEntry & { readonly kind: "decision" }, pod: ObjectRef): FollowStep {
  const { outcome, nodeName, message, feasible, refused, totalNodes } = entry.decision;
  const counts = { nodes: String(totalNodes), feasible: String(feasible.length), refused: String(refused.size) };
  return outcome === "scheduled"
    ? step("decision", entry, pod, { node: nodeName, ...counts })
    : step("refusedPlace", entry, pod, { message, ...counts });
}

function runtimeStep(entry: HistoryEntry & { readonly kind: "runtime" }, pod: ObjectRef): FollowStep | undefined {
  const { act, container, detail } = entry.act;
  const values = { node: entry.nodeName, container, detail };
  if (act === "sandboxReady") return step("sandbox", entry, pod, values);
  if (act === "created") return step("created", entry, pod, values);
  if (act === "started") return step("started", entry, pod, values);
  if (act === "sandboxStopped") return undefined;
  return step("warning", entry, pod, { ...values, message: `${container === "" ? "" : `${container}: `}${detail}` });
}

function eventStep(entry: WriteEntry, uid: string, pod: ObjectRef): FollowStep | undefined {
  const event = entry.write.object as KubeObject & EventFields;
  if (eventSubject(event).uid !== uid) return undefined;
  const message = event.message ?? event.note ?? "";
  if (event.reason === "Pulling") return step("pulling", entry, pod, { message });
  if (event.reason === "Pulled") return step("pulled", entry, pod, { message });
  // The scheduler's own words come with its decisions.
  if (event.type !== "Warning" || event.reason === "FailedScheduling") return undefined;
  return step("warning", entry, pod, { message: `${event.reason ?? ""}: ${message}` });
}

interface PodFields {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function podStep(entry: WriteEntry, uid: string, pod: ObjectRef): FollowStep | undefined {
  const { object, previous } = entry.write;
  if (entry.resource !== "pods" || uidOf(object) !== uid || previous === undefined) return undefined;
  const [before, after] = [previous as PodFields, object as PodFields];
  const node = after.spec?.nodeName ?? "";
  if (node !== "" && (before.spec?.nodeName ?? "") === "") return step("binding", entry, pod, { node });
  const isReady = (fields: PodFields): boolean =>
    fields.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
  const ended = after.status?.phase === "Succeeded" || after.status?.phase === "Failed";
  if ((isReady(after) && !isReady(before)) || (ended && before.status?.phase !== after.status?.phase))
    return step("status", entry, pod, { phase: after.status?.phase ?? "", ip: after.status?.podIP ?? "" });
  return undefined;
}
