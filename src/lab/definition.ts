// What a lab is, as its author writes it (`labs/<id>/lab.yaml`, one text file a language beside it), read and checked.
// A mistake is reported with file, line and what is expected.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { taggedName } from "#cluster/images/registry.ts";
import {
  fields,
  type JsonSchema,
  listOf,
  lowerCaseWords,
  mapOf,
  meaning,
  oneOf,
  optional,
  required,
  type Shape,
  text,
  textLike,
  wholeNumber,
  yes,
} from "#reading/shapes.ts";
import { type Field, Reader } from "#reading/yaml-fields.ts";
import { type ClusterWish, controlPlaneNames, workerName, workersOf } from "#world/cluster-shape.ts";
import type { TrafficClient } from "#world/traffic.ts";
import { clusterKeys, imagesOf } from "./cluster-definition.ts";
import type { ExamRules } from "./exam.ts";
import { checkHosts } from "./host-definition.ts";
import { type PictureWish, pictureWishes } from "./picture-definition.ts";

export type { PictureWish } from "./picture-definition.ts";

export interface LabDefinition {
  readonly id: string;
  readonly cluster: ClusterWish;
  /** What the picture shows beyond nodes, Pods, their owners and Services. */
  readonly picture: readonly PictureWish[];
  /** Steady clients, from the learner's coming to the end of the last step. */
  readonly traffic: readonly TrafficClient[];
  /** How the author wants it held as an exam; a capstone always says. */
  readonly exam?: ExamRules | undefined;
  /** The end of a part of the course: its steps are tasks, solved in any order, without hints. */
  readonly capstone?: true | undefined;
  /** Files for the learner's home directory: name → content. */
  readonly files: { readonly [name: string]: string };
  /** Commands run on the workstation before the learner comes. */
  readonly setup: string;
  /** 4 to 8, 6 to 8 in a capstone; none in a sandbox (`sandbox: true`), where there is nothing to pass. */
  readonly steps: readonly StepDefinition[];
}

export interface StepDefinition {
  readonly id: string;
  readonly checks: readonly CheckDefinition[];
  /** Values followed while the step is open, at every write to the cluster; read as `observed.name`. */
  readonly observe: { readonly [name: string]: ObservationDefinition };
  /** Values kept when the step passes, for later steps: name → CEL expression, read as `recorded.name`. */
  readonly record: { readonly [name: string]: string };
  /** Tags that name other images from the step's opening on: full name → full name of an image. */
  readonly tags?: { readonly [name: string]: string } | undefined;
  /** What happens to the power of nodes when the step opens: the plug is pulled or put back, or the machine is reset. */
  readonly power?: { readonly [node: string]: "off" | "on" | "reset" } | undefined;
  /** What happens to the cables of nodes when the step opens. */
  readonly cables?: { readonly [node: string]: "cut" | "mend" } | undefined;
  /** How long lists and watches are held up from the step's opening on: `component/resource` → duration, "0s" for no longer. */
  readonly watches?: { readonly [copy: string]: string } | undefined;
  /** Of a capstone's task: what it counts. */
  readonly points?: number | undefined;
  /** Of a capstone's task: slug of the lesson to read again. */
  readonly lesson?: string | undefined;
  /** Commands that reach the step's goal. */
  readonly solution: string;
  /** Other commands that reach it and count as much. */
  readonly ways: readonly string[];
  /** What people try that must not pass. */
  readonly wrong: readonly WrongAttempt[];
}

export interface CheckDefinition {
  readonly id: string;
  /** A CEL expression that is true when the check holds; an error in it counts as "not yet". */
  readonly that: string;
  /** Values for the text that says what is missing: name → CEL expression. */
  readonly values: { readonly [name: string]: string };
  /** It must have come true in this time: from the step's opening, or from when `since` came true. */
  readonly withinMs?: number | undefined;
  /** A CEL expression; without it: the step's opening. */
  readonly since?: string | undefined;
  /** It must have been true for this long without a break. */
  readonly forMs?: number | undefined;
}

/** What a value came to at its least or its most, or whether it has always been true. */
export interface ObservationDefinition {
  /**
   * A CEL expression. For least and most a number; while it cannot be evaluated nothing is observed. For always a condition;
   * it is observed from when it first holds, and broken when it does not hold or cannot be evaluated.
   */
  readonly value: string;
  readonly keep: "least" | "most" | "always";
  /** A CEL expression: while it holds, the observation begins anew, so that a spoilt attempt can be made again. "": never. */
  readonly afresh: string;
}

export interface WrongAttempt {
  readonly id: string;
  readonly commands: string;
  /** Checks of the step that must stay unmet, and no others. */
  readonly fails: readonly string[];
}

/** A lab's texts in one language; Markdown where a learner reads sentences. */
export interface LabTexts {
  readonly title: string;
  readonly goal: string;
  readonly steps: { readonly [id: string]: StepTexts };
}

export interface StepTexts {
  readonly title: string;
  readonly task: string;
  /** From a nudge to almost the answer; none in a capstone. */
  readonly hints: readonly string[];
  /** Why the solution does it. */
  readonly solution: string;
  /** What is missing, by check; `{name}` stands for a value of the check. */
  readonly missing: { readonly [check: string]: string };
}

const id = textLike(lowerCaseWords);
const expressions = mapOf(text);

const duration = meaning(text, (value, field): number => {
  const parsed = parseGoDuration(value);
  return "ms" in parsed && parsed.ms > 0 ? parsed.ms : field.fail(`must be a duration such as 30s or 2m, not "${value}"`);
});

interface CheckFile extends Pick<CheckDefinition, "id" | "that" | "values" | "since"> {
  readonly within: number | undefined;
  readonly for: number | undefined;
}

const check: Shape<CheckDefinition> = meaning(
  fields<CheckFile>({
    id: required(id, "Names the check in the texts and in wrong attempts."),
    that: required(text, "A CEL expression that is true when the check holds."),
    values: optional(expressions, "Values for the sentence that says what is missing: name to CEL expression.", {}),
    within: optional(duration, "It must have come true in this time from the step's opening, or from `since`.", undefined),
    since: optional(text, "A CEL expression: `within` counts from when it came true.", undefined),
    for: optional(duration, "It must have been true for this long without a break.", undefined),
  }),
  ({ within, since, for: forMs, ...plain }, field) => {
    if (since !== undefined && within === undefined) return field.at("since").fail('counts for "within", which is not there');
    return { ...plain, ...(within === undefined ? {} : { withinMs: within, since }), ...(forMs === undefined ? {} : { forMs }) };
  },
);

const observation = fields<ObservationDefinition>({
  value: required(text, "A CEL expression: a number for least and most, a condition for always."),
  keep: required(oneOf(["least", "most", "always"]), "What is kept of all its values."),
  afresh: optional(text, "A CEL expression: while it holds, the observation begins anew.", ""),
});

const wrongAttempt = fields<WrongAttempt>({
  id: required(id, "Names the attempt in the proofs."),
  commands: required(text, "What people try."),
  fails: required(listOf(text), "Checks of the step that stay unmet, and no others."),
});

const step: Shape<StepDefinition> = meaning(
  fields<StepDefinition>({
    id: required(id, "Names the step in the texts."),
    observe: optional(mapOf(observation), "Values followed while the step is open, read as observed.name.", {}),
    checks: required(listOf(check), "All must hold for the step to pass."),
    record: optional(expressions, "Values kept when the step passes, read later as recorded.name.", {}),
    tags: optional(
      mapOf(text),
      "Tags that move when the step's turn comes: image name to the image that it names from then on.",
      undefined,
    ),
    power: optional(
      mapOf(oneOf(["off", "on", "reset"])),
      "What happens to the power of nodes when the step's turn comes: node to off, on or reset.",
      undefined,
    ),
    cables: optional(
      mapOf(oneOf(["cut", "mend"])),
      "What happens to the network of nodes when the step's turn comes: node to cut or mend.",
      undefined,
    ),
    watches: optional(
      mapOf(text),
      "How long a component's lists and watches of a resource are held up from the step's turn on: component/resource to a duration.",
      undefined,
    ),
    points: optional(wholeNumber(1, 100), "What a capstone's task counts.", undefined),
    lesson: optional(id, "The lesson to read again, by its slug; of a capstone's task.", undefined),
    solution: required(text, "Commands that reach the step's goal."),
    ways: optional(listOf(text), "Other right ways; each passes the step too.", []),
    wrong: required(listOf(wrongAttempt), "What people try that must not pass."),
  }),
  (read, field) => {
    if (read.checks.length === 0) return field.at("checks").fail("must name at least one check");
    if (read.wrong.length === 0) return field.at("wrong").fail("must hold at least one wrong attempt");
    const names = read.checks.map((each) => each.id);
    for (const [index, attempt] of field.at("wrong").list().entries()) {
      checkFails(read.wrong[index]?.fails ?? [], attempt.at("fails"), names);
    }
    return read;
  },
);

function checkFails(fails: readonly string[], field: Field, checks: readonly string[]): void {
  if (fails.length === 0) field.fail("must name the checks that stay unmet");
  for (const [index, name] of fails.entries()) {
    if (!checks.includes(name)) field.list()[index]?.fail(`names "${name}", which is no check of this step`);
  }
}

interface LabFile extends Omit<LabDefinition, "id" | "files" | "cluster" | "capstone">, Required<ClusterWish> {
  readonly sandbox: boolean;
  readonly capstone: boolean;
  /** Names of files in the lab's `files/`. */
  readonly files: readonly string[];
}

const trafficClient = fields<TrafficClient>({
  name: required(textLike({ pattern: /^[a-z][a-zA-Z0-9]*$/, expected: "a word" }), "Names the client in checks: traffic.name."),
  from: required(text, 'Where it is: "workstation", a node (a client among its Pods) or "namespace/pod".'),
  url: required(text, "What it asks for."),
  everyMs: required(wholeNumber(50, 60_000), "Milliseconds between two requests."),
});

const labFile = fields<LabFile>({
  sandbox: optional(yes, "A cluster to type into, without steps.", false),
  capstone: optional(yes, "The end of a part: its steps are tasks, solved in any order, each with points, without hints.", false),
  ...clusterKeys,
  picture: optional(
    pictureWishes,
    "What the cluster picture shows beyond nodes, Pods, their owners and Services: configmaps, secrets/shop, crontabs.stable.example.com.",
    [],
  ),
  files: optional(listOf(text), "Files for the learner's home directory, from the lab's files folder.", []),
  traffic: optional(listOf(trafficClient), "Steady clients in the cluster, from the learner's coming on.", []),
  exam: optional(
    fields<ExamRules>({
      minutes: required(wholeNumber(1, 600), "Minutes by the clock on the wall."),
      pass: required(wholeNumber(1, 100), "Percent of the steps that must have passed."),
    }),
    "How it is held as an exam; five minutes a step and 66 percent unless stated.",
    undefined,
  ),
  setup: optional(text, "Commands run before the learner comes.", ""),
  steps: optional(listOf(step), "4 to 8 steps, 6 to 8 in a capstone; none in a sandbox.", []),
});

/** Reads `lab.yaml`. `files` holds the lab's `files/` folder by name; every name that the lab lists must be there. */
export function readLab(labId: string, path: string, source: string, files: { readonly [name: string]: string }): LabDefinition {
  const root = new Reader(path, source).root;
  const { sandbox, capstone, picture, files: names, setup, traffic, exam, steps, ...cluster } = labFile.read(root);
  const absent = names.findIndex((name) => files[name] === undefined);
  root.at("files").list()[absent]?.fail(`names "${names[absent]}", which is not in the lab's files folder`);
  if (sandbox && steps.length > 0) return root.at("sandbox").fail(`is true, and a sandbox has no steps, not ${steps.length}`);
  const fewest = capstone ? 6 : 4;
  if (!sandbox && (steps.length < fewest || steps.length > 8))
    return root.fail(`must have ${fewest} to 8 steps, not ${steps.length}`);
  const ids = steps.map((each) => each.id);
  const twice = ids.find((each, index) => ids.indexOf(each) !== index);
  if (twice !== undefined) return root.fail(`has two steps with the id "${twice}"`);
  checkNames(cluster, root.at("nodes"));
  checkCloud(cluster, root);
  checkPlaces(traffic, cluster, root.at("traffic"));
  checkSlowImages(cluster, root.at("images").at("slow"));
  checkHosts(cluster.hosts ?? [], imagesOf(cluster), root.at("hosts"));
  checkTags(steps, cluster, root.at("steps"));
  checkMachines(steps, cluster, root.at("steps"));
  if (capstone && exam === undefined) root.fail('must say "exam": a capstone has a clock');
  for (const field of root.at("steps").list()) (capstone ? checkTask : checkStep)(field);
  return {
    id: labId,
    ...(capstone ? { capstone } : {}),
    cluster,
    picture,
    traffic,
    exam,
    files: Object.fromEntries(names.map((name) => [name, files[name] as string])),
    setup,
    steps,
  };
}

/** A task does not wait for another one, nor does it hang on one. */
function checkTask(field: Field): void {
  for (const key of ["points", "lesson"]) if (!field.at(key).present) field.fail(`must say "${key}": it is a capstone's task`);
  for (const key of ["record", "tags", "power", "cables", "watches"])
    if (field.at(key).present) field.at(key).fail("must not be there: a capstone's tasks are solved in any order");
}

function checkStep(field: Field): void {
  for (const key of ["points", "lesson"]) if (field.at(key).present) field.at(key).fail("is said of a capstone's tasks");
}

function nodesOf({ nodes, controlPlane }: ClusterWish): readonly string[] {
  return [...controlPlaneNames(controlPlane), ...workersOf(nodes).map(workerName)];
}

function checkCloud({ cloud, nodes }: ClusterWish, root: Field): void {
  const workers = workersOf(nodes).map(workerName);
  const wrong = cloud?.uninitialized?.find((name) => !workers.includes(name));
  if (wrong !== undefined)
    root
      .at("cloud")
      .at("uninitialized")
      .fail(`names "${wrong}", which is no worker: there are ${workers.join(", ")}`);
}

/** A worker may not have the name of a further control-plane node. */
function checkNames(cluster: ClusterWish, field: Field): void {
  const names = nodesOf(cluster);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) field.fail(`has two nodes with the name "${twice}"`);
}

function checkPlaces(traffic: readonly TrafficClient[], cluster: ClusterWish, field: Field): void {
  const places = ["workstation", ...nodesOf(cluster)];
  for (const [index, { from }] of traffic.entries()) {
    if (places.includes(from) || /^[^/]+\/[^/]+$/.test(from)) continue;
    field
      .list()
      [index]?.at("from")
      .fail(`must be one of ${places.join(", ")}, or "namespace/pod", not "${from}"`);
  }
}

function checkSlowImages(cluster: ClusterWish, field: Field): void {
  const known = imagesOf(cluster);
  for (const [name, value] of field.entries())
    if (!known.has(taggedName(name) ?? "")) value.fail(`names the image "${name}", which is in no registry`);
}

function checkTags(steps: readonly StepDefinition[], cluster: ClusterWish, field: Field): void {
  const known = imagesOf(cluster);
  for (const [index, { tags }] of steps.entries()) {
    const place = field.list()[index]?.at("tags");
    if (tags === undefined || place === undefined) continue;
    if (index === 0) place.fail("must not be there: what tags name at the start is said by registries");
    for (const [name, value] of place.entries()) {
      const unknown = [name, tags[name] ?? ""].find((each) => !known.has(taggedName(each) ?? ""));
      if (unknown !== undefined) value.fail(`names the image "${unknown}", which is in no registry`);
    }
  }
}

function checkMachines(steps: readonly StepDefinition[], cluster: ClusterWish, field: Field): void {
  const known = nodesOf(cluster);
  for (const [index, step] of steps.entries()) {
    for (const key of ["power", "cables"] as const) {
      const place = field.list()[index]?.at(key);
      if (step[key] === undefined || place === undefined) continue;
      if (index === 0) place.fail("must not be there: what is amiss at the start is done by setup (virsh)");
      for (const [node, value] of place.entries())
        if (!known.includes(node)) value.fail(`is said of "${node}", which is none of ${known.join(", ")}`);
    }
    checkWatches(step, field.list()[index]?.at("watches"), index === 0);
  }
}

const slowComponents = ["kube-controller-manager", "kube-scheduler"];

function checkWatches({ watches }: StepDefinition, place: Field | undefined, isFirst: boolean): void {
  if (watches === undefined || place === undefined) return;
  if (isFirst) place.fail("must not be there: what lags at the start is said by setup (watch-delay)");
  for (const [copy, value] of place.entries()) {
    const [component = "", resource = "", ...more] = copy.split("/");
    if (!slowComponents.includes(component) || resource === "" || more.length > 0)
      value.fail(`is said of "${copy}", which is no ${slowComponents.map((name) => `${name}/RESOURCE`).join(" and no ")}`);
    const delay = parseGoDuration(watches[copy] ?? "");
    if (!("ms" in delay) || delay.ms < 0) value.fail(`must be a duration such as 10s, or 0s, not "${watches[copy]}"`);
  }
}

/** A step's texts whatever the lab; `readLabTexts` holds them against it. */
const stepTexts = fields<StepTexts>({
  title: required(text, "A few words."),
  task: required(text, "What must be true at the end of the step. Markdown."),
  hints: optional(listOf(text), "Three: where to look; what to use; almost the answer. None in a capstone. Markdown.", []),
  solution: required(text, "Why the solution does it. Markdown."),
  missing: required(mapOf(text), "What is missing: a sentence a check, with its values in braces."),
});

const labTexts = fields<LabTexts>({
  title: required(text, "The lab's title."),
  goal: required(text, "What it is about. Markdown."),
  steps: optional(mapOf(stepTexts), "Texts by step.", {}),
});

/** Reads the texts of one language and holds them against the lab: every step, check and value, no more and no less. */
export function readLabTexts(lab: LabDefinition, path: string, source: string): LabTexts {
  const root = new Reader(path, source).root;
  const texts = labTexts.read(root);
  const steps = root.at("steps").map(lab.steps.map((each) => each.id));
  for (const { id: stepId, checks } of lab.steps) {
    checkHints(texts.steps[stepId]?.hints ?? [], lab, steps.get(stepId) as Field);
    const sentences = (steps.get(stepId) as Field).at("missing").map(checks.map((each) => each.id));
    for (const [checkId, sentence] of sentences) {
      const offered = checks.find((each) => each.id === checkId)?.values ?? {};
      for (const [, name = ""] of sentence.text().matchAll(/\{(\w+)\}/g)) {
        if (offered[name] === undefined) return sentence.fail(`uses {${name}}, which the check does not offer`);
      }
    }
  }
  return { ...texts, steps: Object.fromEntries(lab.steps.map((each) => [each.id, texts.steps[each.id] as StepTexts])) };
}

function checkHints({ length }: readonly string[], { capstone }: LabDefinition, field: Field): void {
  if (capstone === true && length > 0) field.at("hints").fail("must not be there: a capstone has none");
  if (capstone !== true && length !== 3)
    field.at("hints").fail(`must hold three hints, from a nudge to almost the answer, not ${length}`);
}

const draft = "http://json-schema.org/draft-07/schema#";

/** For editors: what `lab.yaml` and the texts beside it may hold, by file name. Told by what reads them. */
export const labSchemas: { readonly [name: string]: JsonSchema } = {
  "lab.schema.json": { $schema: draft, title: "A lab: labs/<id>/lab.yaml", ...labFile.schema },
  "lab-texts.schema.json": { $schema: draft, title: "A lab's texts: labs/<id>/<language>.yaml", ...labTexts.schema },
};
