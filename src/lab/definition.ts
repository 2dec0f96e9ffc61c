// What a lab is, as its author writes it (`labs/<id>/lab.yaml`, one text file a language beside it), read and checked.
// A mistake is reported with file, line and what is expected.

import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { type AddonName, addonNames } from "#world/cluster-shape.ts";

export interface LabDefinition {
  readonly id: string;
  /** Workers beside the control-plane node; 3 unless stated. */
  readonly nodes: number;
  /** What the cluster has beyond what kubeadm gives it; none unless stated. */
  readonly addons: readonly AddonName[];
  /** Files for the learner's home directory: name → content. */
  readonly files: { readonly [name: string]: string };
  /** Commands run on the workstation before the learner comes. */
  readonly setup: string;
  /** 4 to 8; none in a sandbox (`sandbox: true`), where there is nothing to pass. */
  readonly steps: readonly StepDefinition[];
}

export interface StepDefinition {
  readonly id: string;
  readonly checks: readonly CheckDefinition[];
  /** Values followed while the step is open, at every write to the cluster; read as `observed.name`. */
  readonly observe: { readonly [name: string]: ObservationDefinition };
  /** Values kept when the step passes, for later steps: name → CEL expression, read as `recorded.name`. */
  readonly record: { readonly [name: string]: string };
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
}

/** What a value came to at its least or its most. */
export interface ObservationDefinition {
  /** A CEL expression, a number; while it cannot be evaluated nothing is observed. */
  readonly value: string;
  readonly keep: "least" | "most";
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
  /** From a nudge to almost the answer. */
  readonly hints: readonly string[];
  /** Why the solution does it. */
  readonly solution: string;
  /** What is missing, by check; `{name}` stands for a value of the check. */
  readonly missing: { readonly [check: string]: string };
}

/** A mistake in a lab's file; the message begins with path and line. */
export class LabFileError extends Error {}

class Reader {
  readonly #path: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(path: string, text: string) {
    this.#path = path;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = this.#document.errors[0];
    if (error !== undefined) throw new LabFileError(`${path}:${this.#lines.linePos(error.pos[0]).line}: ${error.message}`);
  }

  get root(): Field {
    return new Field(this, this.#document.contents, "the file");
  }

  fail(node: Node | null | undefined, message: string): never {
    const line = node?.range ? this.#lines.linePos(node.range[0]).line : 1;
    throw new LabFileError(`${this.#path}:${line}: ${message}`);
  }
}

/** One place in the file, with the name that messages use. */
class Field {
  readonly #reader: Reader;
  readonly #node: Node | null | undefined;
  readonly #name: string;
  /** Of a key that is absent: the map that lacks it, at whose line complaints are made. */
  readonly #lackingMap: Field | undefined;

  constructor(reader: Reader, node: Node | null | undefined, name: string, lackingMap?: Field) {
    this.#reader = reader;
    this.#node = node;
    this.#name = name;
    this.#lackingMap = lackingMap;
  }

  get present(): boolean {
    return this.#node !== null && this.#node !== undefined;
  }

  fail(message: string): never {
    if (this.#lackingMap !== undefined) return this.#lackingMap.fail(`needs "${this.#name}": ${this.#name} ${message}`);
    return this.#reader.fail(this.#node, `${this.#name} ${message}`);
  }

  /** The fields of a map; any other key is a mistake. */
  map<K extends string>(keys: readonly K[]): { readonly [key in K]: Field } {
    const entries = this.entries();
    for (const [key, field] of entries) {
      if (!(keys as readonly string[]).includes(key)) field.fail(`is not known here; expected ${keys.join(", ")}`);
    }
    const fields = keys.map((key) => [key, entries.get(key) ?? new Field(this.#reader, undefined, key, this)]);
    return Object.fromEntries(fields) as { readonly [key in K]: Field };
  }

  entries(): ReadonlyMap<string, Field> {
    if (!this.present) return new Map();
    if (!isMap(this.#node)) return this.fail("must be a map of names to values");
    return new Map(
      this.#node.items.map((pair) => {
        const key = isScalar(pair.key) ? String(pair.key.value) : "";
        return [key, new Field(this.#reader, pair.value as Node | null, this.#child(key))];
      }),
    );
  }

  list(): readonly Field[] {
    if (!this.present) return [];
    const items = (this.#node as { readonly items?: readonly Node[] }).items;
    if (items === undefined || isMap(this.#node)) return this.fail("must be a list");
    return items.map((item, index) => new Field(this.#reader, item, `${this.#name}[${index}]`));
  }

  text(): string {
    if (!this.present) return this.fail("is missing");
    if (!isScalar(this.#node) || typeof this.#node.value !== "string" || this.#node.value === "")
      return this.fail("must be a text");
    return this.#node.value;
  }

  /** Only `true` can be written; what is not so is left out. */
  yes(): true {
    if (!isScalar(this.#node) || this.#node.value !== true) return this.fail("must be true, or left out");
    return true;
  }

  number(least: number, most: number): number {
    if (!isScalar(this.#node) || typeof this.#node.value !== "number" || this.#node.value < least || this.#node.value > most) {
      return this.fail(`must be a number from ${least} to ${most}`);
    }
    return this.#node.value;
  }

  #child(key: string): string {
    return this.#name === "the file" ? key : `${this.#name}.${key}`;
  }
}

const idPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function readId(field: Field): string {
  const id = field.text();
  return idPattern.test(id) ? id : field.fail(`must be lower-case words joined by hyphens, not "${id}"`);
}

function readTexts(field: Field): { readonly [name: string]: string } {
  return Object.fromEntries([...field.entries()].map(([name, value]) => [name, value.text()]));
}

/** Reads `lab.yaml`. `files` holds the lab's `files/` folder by name; every name that the lab lists must be there. */
export function readLab(id: string, path: string, text: string, files: { readonly [name: string]: string }): LabDefinition {
  const root = new Reader(path, text).root;
  const lab = root.map(["sandbox", "nodes", "addons", "files", "setup", "steps"]);
  const named = lab.files.list().map((field) => {
    const name = field.text();
    return files[name] === undefined
      ? field.fail(`names "${name}", which is not in the lab's files folder`)
      : ([name, files[name]] as const);
  });
  const sandbox = lab.sandbox.present && lab.sandbox.yes();
  const steps = lab.steps.list().map(readStep);
  if (sandbox && steps.length > 0) return lab.sandbox.fail(`is true, and a sandbox has no steps, not ${steps.length}`);
  if (!sandbox && (steps.length < 4 || steps.length > 8)) return root.fail(`must have 4 to 8 steps, not ${steps.length}`);
  const ids = steps.map((step) => step.id);
  const twice = ids.find((step, index) => ids.indexOf(step) !== index);
  if (twice !== undefined) return root.fail(`has two steps with the id "${twice}"`);
  return {
    id,
    nodes: lab.nodes.present ? lab.nodes.number(0, 20) : 3,
    addons: lab.addons.list().map(readAddon),
    files: Object.fromEntries(named),
    setup: lab.setup.present ? lab.setup.text() : "",
    steps,
  };
}

function readAddon(field: Field): AddonName {
  const name = field.text();
  return addonNames.find((each) => each === name) ?? field.fail(`names "${name}", which is none of ${addonNames.join(", ")}`);
}

function readStep(field: Field): StepDefinition {
  const step = field.map(["id", "observe", "checks", "record", "solution", "ways", "wrong"]);
  const checks = step.checks.list().map((check): CheckDefinition => {
    const { id, that, values } = check.map(["id", "that", "values"]);
    return { id: readId(id), that: that.text(), values: readTexts(values) };
  });
  if (checks.length === 0) return step.checks.fail("must name at least one check");
  const wrong = step.wrong.list().map((attempt): WrongAttempt => {
    const { id, commands, fails } = attempt.map(["id", "commands", "fails"]);
    const failing = fails.list().map((entry) => {
      const name = entry.text();
      return checks.some((check) => check.id === name) ? name : entry.fail(`names "${name}", which is no check of this step`);
    });
    if (failing.length === 0) return fails.fail("must name the checks that stay unmet");
    return { id: readId(id), commands: commands.text(), fails: failing };
  });
  if (wrong.length === 0) return step.wrong.fail("must hold at least one wrong attempt");
  const observe = Object.fromEntries([...step.observe.entries()].map(([name, value]) => [name, readObservation(value)]));
  const ways = step.ways.list().map((way) => way.text());
  return { id: readId(step.id), observe, checks, record: readTexts(step.record), solution: step.solution.text(), ways, wrong };
}

function readObservation(field: Field): ObservationDefinition {
  const { value, keep, afresh } = field.map(["value", "keep", "afresh"]);
  const kept = keep.text();
  if (kept !== "least" && kept !== "most") return keep.fail(`must be least or most, not "${kept}"`);
  return { value: value.text(), keep: kept, afresh: afresh.present ? afresh.text() : "" };
}

/** Reads the texts of one language and holds them against the lab: every step, check and value, no more and no less. */
export function readLabTexts(lab: LabDefinition, path: string, text: string): LabTexts {
  const root = new Reader(path, text).root;
  const { title, goal, steps } = root.map(["title", "goal", "steps"]);
  const fields = steps.map(lab.steps.map((step) => step.id));
  const entries = lab.steps.map((step): readonly [string, StepTexts] => {
    const of = (fields[step.id] as Field).map(["title", "task", "hints", "solution", "missing"]);
    const hints = of.hints.list().map((hint) => hint.text());
    if (hints.length !== 3) return of.hints.fail(`must hold three hints, from a nudge to almost the answer, not ${hints.length}`);
    const missing = of.missing.map(step.checks.map((check) => check.id));
    const texts = step.checks.map((check): readonly [string, string] => {
      const field = missing[check.id] as Field;
      const sentence = field.text();
      for (const [, name] of sentence.matchAll(/\{(\w+)\}/g)) {
        if (check.values[name as string] === undefined) return field.fail(`uses {${name}}, which the check does not offer`);
      }
      return [check.id, sentence];
    });
    return [
      step.id,
      { title: of.title.text(), task: of.task.text(), hints, solution: of.solution.text(), missing: Object.fromEntries(texts) },
    ];
  });
  return { title: title.text(), goal: goal.text(), steps: Object.fromEntries(entries) };
}
