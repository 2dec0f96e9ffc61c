// kubectl label and kubectl annotate: changes to a map in the metadata of many objects.

import { labelValueReasons } from "#cluster/api/names.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { objectAt, textAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { splitPairs } from "../resources/pairs.ts";
import { recordedCommand } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { operationText, patchObject } from "../resources/writing.ts";
import { changeCauseAnnotation } from "../rollout/revisions.ts";
import { dryRunOf } from "./write-options.ts";

interface Subject {
  readonly field: "labels" | "annotations";
  readonly word: "label" | "annotation";
}

interface Changes {
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

const labels: Subject = { field: "labels", word: "label" };
const annotations: Subject = { field: "annotations", word: "annotation" };

function readLabels(pairs: readonly string[]): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    const [key = "", value = "", ...more] = pair.split("=");
    if (pair.includes("=")) {
      if (more.length > 0) throw new KubectlError(`invalid label spec: ${pair}`);
      const reasons = labelValueReasons(value);
      if (reasons.length > 0) throw new KubectlError(`invalid label value: ${JSON.stringify(pair)}: ${reasons.join(";")}`);
      set.set(key, value);
    } else remove.push(pair.slice(0, -1));
  }
  if (remove.some((key) => set.has(key))) throw new KubectlError("can not both modify and remove a label in the same command");
  return { set, remove };
}

function readAnnotations(pairs: readonly string[]): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals > 0) set.set(pair.slice(0, equals), pair.slice(equals + 1));
    else remove.push(pair.slice(0, -1));
  }
  const both = remove.filter((key) => set.has(key));
  if (both.length > 0) {
    throw new KubectlError(`can not both modify and remove the following annotation(s) in the same command: ${both.join(", ")}`);
  }
  return { set, remove };
}

function check(context: Context, { word }: Subject, resources: readonly string[], changes: Changes): void {
  const { flags } = context;
  const files = flags.list("filename").length > 0 || flags.text("kustomize") !== "";
  const example = word === "label" ? ["pod.yaml", "pod.json"] : ["rsrc.yaml", "rsrc.json"];
  if (flags.bool("list") && flags.text("output") !== "")
    throw new KubectlError("--list and --output may not be specified together");
  if (flags.bool("all") && flags.text("selector") !== "") {
    throw new KubectlError("cannot set --all and --selector at the same time");
  }
  if (flags.bool("all") && flags.text("field-selector") !== "") {
    throw new KubectlError("cannot set --all and --field-selector at the same time");
  }
  if (flags.bool("local")) {
    if (dryRunOf(context) === "server") {
      throw new KubectlError("cannot specify --local and --dry-run=server - did you mean --dry-run=client?");
    }
    if (resources.length > 0) {
      throw new KubectlError(`can only use local files by -f ${example[0]} or --filename=${example[1]} when --local=true is set`);
    }
    if (!files) throw new KubectlError(`one or more files must be specified as -f ${example[0]} or --filename=${example[1]}`);
  } else if (resources.length === 0 && !files) {
    throw new KubectlError("one or more resources must be specified as <resource> <name> or <resource>/<name>");
  }
  if (changes.set.size === 0 && changes.remove.length === 0 && !flags.bool("list")) {
    throw new KubectlError(`at least one ${word} update is required`);
  }
}

function checkOverwrites(context: Context, subject: Subject, info: Info, changes: Changes): void {
  if (context.flags.bool("overwrite")) return;
  const problems = [...changes.set].flatMap(([key, value]) => {
    const current = textAt(info.object, "metadata", subject.field, key);
    const exists = Object.hasOwn(objectAt(info.object, "metadata", subject.field), key);
    // The cause of a change may always be written anew.
    if (subject === annotations && key === changeCauseAnnotation) return [];
    return exists && current !== value ? [`'${key}' already has a value (${current})`] : [];
  });
  if (subject === annotations && problems.length > 0) {
    throw new KubectlError(`--overwrite is false but found the following declared annotation(s): ${problems.join("; ")}`);
  }
  throwAll(problems.map((problem) => new KubectlError(`${problem}, and --overwrite is false`)));
}

function changed(
  info: Info,
  { field }: Subject,
  changes: Changes,
): { readonly added: number; readonly removed: number; readonly info: Info } {
  const current = objectAt(info.object, "metadata", field);
  const added = [...changes.set].filter(([key, value]) => current[key] !== value);
  const removed = changes.remove.filter((key) => Object.hasOwn(current, key));
  let object = info.object ?? {};
  for (const [key, value] of changes.set) object = withValue(object, ["metadata", field, key], value);
  for (const key of removed) object = withValue(object, ["metadata", field, key], undefined);
  return { added: added.length, removed: removed.length, info: { ...info, object } };
}

function operationOf(subject: Subject, added: number, removed: number): string {
  if (subject === annotations) return "annotated";
  if (added > 0 && removed > 0) return "modified";
  if (added > 0) return "labeled";
  return removed > 0 ? "unlabeled" : "not labeled";
}

function* listOf(context: Context, { field }: Subject, info: Info, single: boolean): Sys<void> {
  const indent = single ? "" : " ";
  if (!single) yield* context.out(`Listing ${field} for ${info.mapping.kind}.${info.mapping.group}/${info.name}:\n`);
  const values = objectAt(info.object, "metadata", field);
  for (const key of Object.keys(values).sort()) yield* context.out(`${indent}${key}=${String(values[key])}\n`);
}

function* changeOne(context: Context, subject: Subject, info: Info, changes: Changes): Sys<void> {
  const { flags } = context;
  const dryRun = dryRunOf(context);
  const local = dryRun === "client" || flags.bool("local");
  if (!local && subject === labels) {
    for (const key of changes.remove) {
      if (!Object.hasOwn(objectAt(info.object, "metadata", "labels"), key)) {
        yield* context.out(`label ${JSON.stringify(key)} not found.\n`);
      }
    }
  }
  checkOverwrites(context, subject, info, changes);
  const result = changed(info, subject, changes);
  let { object } = result.info;
  const cause = recordedCommand(context);
  if (!local && (subject === annotations || result.added > 0 || result.removed > 0 || cause !== undefined)) {
    const values: { [key: string]: JsonValue } = Object.fromEntries(changes.set);
    for (const key of changes.remove) values[key] = null;
    const version = flags.text("resource-version");
    const recorded = cause === undefined ? {} : { [changeCauseAnnotation]: cause };
    const metadata = {
      ...(cause === undefined ? {} : { annotations: recorded }),
      [subject.field]: subject === annotations ? { ...values, ...recorded } : values,
      ...(version === "" ? {} : { resourceVersion: version }),
    };
    const answer = yield* patchObject(context, info, "merge", { metadata }, { dryRun });
    if (subject === annotations) object = answer;
  }
  const printer = makeObjectPrinter(context, operationText(operationOf(subject, result.added, result.removed), dryRun));
  yield* context.out(printer(object ?? {}));
}

function changeCommand(path: string, subject: Subject): Command {
  return {
    path,
    *run(context) {
      const { flags } = context;
      const { resources, pairs } = splitPairs(context.args, subject.word);
      const changes = subject === labels ? readLabels(pairs) : readAnnotations(pairs);
      check(context, subject, resources, changes);
      const local = flags.bool("local");
      const found = yield* select(context, {
        ...selectionFromFlags(context, resources),
        all: false,
        typeAloneSelectsAll: flags.bool("all"),
        continueOnError: true,
        latest: !local,
        local,
      });
      if (!found.singleItem && flags.text("resource-version") !== "") {
        throw new KubectlError("--resource-version may only be used with a single resource");
      }
      const errors = [...found.errors];
      for (const info of found.infos) {
        try {
          if (flags.bool("list")) yield* listOf(context, subject, changed(info, subject, changes).info, found.singleItem);
          else yield* changeOne(context, subject, info, changes);
        } catch (error) {
          if (!isOwnError(error)) throw error;
          errors.push(error);
        }
      }
      throwAll(errors);
    },
  };
}

export const label = changeCommand("label", labels);
export const annotate = changeCommand("annotate", annotations);
