// kubectl set selector, serviceaccount and subject: one field of an object, changed by a strategic patch.

import { ApiError } from "#cluster/api/errors.ts";
import { type LabelOperator, type LabelRequirement, parseLabelSelector, SelectorError } from "#cluster/api/labels.ts";
import { createTwoWayStrategicPatch } from "#cluster/api/patch/strategic-diff.ts";
import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, type JsonObject, withValue, writeJson } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { withRecord } from "../../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { asTyped } from "../../resources/typed.ts";
import { patchObject, writingPrinter } from "../../resources/writing.ts";
import { subjectsFromFlags } from "../create/create-binding.ts";
import { dryRunOf } from "../write-options.ts";

interface FieldChange {
  readonly operation: string;
  /** Before the server's refusal; "" for the refusal as it is. */
  readonly failure: string;
  /** --record is heeded. */
  readonly records: boolean;
  readonly change: (info: Info, object: JsonObject) => JsonObject;
  /** With --local, names on the command line are refused; else they are not looked at. */
  readonly refusesNamesLocally: boolean;
  /** Objects that do not change are not mentioned. */
  readonly skipUnchanged: boolean;
}

function* changeField(context: Context, resources: readonly string[], task: FieldChange): Sys<void> {
  const local = context.flags.bool("local");
  const options = {
    ...selectionFromFlags(context, local && !task.refusesNamesLocally ? [] : resources),
    continueOnError: true,
    latest: !local,
    local,
  };
  const { infos, errors } = yield* select(context, options);
  throwAll(errors);
  yield* changeEach(context, infos, task);
}

function* changeEach(context: Context, infos: readonly Info[], task: FieldChange): Sys<void> {
  const failures: Error[] = [];
  for (const info of infos) {
    try {
      yield* changeOne(context, info, task);
    } catch (error) {
      if (!(error instanceof KubectlError || error instanceof ApiError)) throw error;
      failures.push(error);
    }
  }
  throwAll(failures);
}

function* changeOne(context: Context, info: Info, { operation, failure, records, change, skipUnchanged }: FieldChange): Sys<void> {
  const dryRun = dryRunOf(context);
  const before = info.object ?? {};
  const desired = change(info, before);
  const after = records ? withRecord(context, desired) : desired;
  const difference = createTwoWayStrategicPatch(info.mapping.kind, before, after);
  const version = context.flags.has("resource-version") ? context.flags.text("resource-version") : "";
  const patch = version === "" ? difference : withValue(difference, ["metadata", "resourceVersion"], version);
  if (skipUnchanged && Object.keys(patch).length === 0) return;
  const print = writingPrinter(context, operation);
  if (context.flags.bool("local") || dryRun === "client") return yield* context.out(print(asTyped(after)));
  try {
    yield* context.out(print(yield* patchObject(context, info, "strategic", patch, { dryRun })));
  } catch (error) {
    if (!(error instanceof ApiError) || failure === "") throw error;
    throw new KubectlError(`${failure} ${error.message}`);
  }
}

export const setSelector: Command = {
  path: "set selector",
  *run(context) {
    const word = context.args.at(-1);
    dryRunOf(context);
    if (word === undefined) throw new KubectlError("one selector is required");
    const requirements = selectorOf(word);
    yield* changeField(context, context.args.slice(0, -1), {
      operation: "selector updated",
      refusesNamesLocally: true,
      failure: "",
      records: true,
      skipUnchanged: false,
      change: ({ mapping }, object) => {
        if (mapping.kind !== "Service") throw new KubectlError("setting a selector is only supported for Services");
        const expressions = requirements.filter(({ operator }) => !isEquality(operator));
        if (expressions.length > 0) {
          const listed = expressions.map(
            ({ key, operator, values }) => `{${key} ${expressionOperators[operator]} [${values.join(" ")}]}`,
          );
          throw new KubectlError(`match expression [${listed.join(" ")}] not supported on this object`);
        }
        const selector = Object.fromEntries(requirements.map(({ key, values }) => [key, values[0] ?? ""]));
        return withValue(object, ["spec", "selector"], selector);
      },
    });
  },
};

/** How a LabelSelector names the operators of its expressions. */
const expressionOperators: { readonly [operator in LabelOperator]?: string } = {
  in: "In",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

const isEquality = (operator: LabelOperator): boolean => operator === "=" || operator === "==";

/** The requirements of a text that a LabelSelector can hold. */
function selectorOf(word: string): readonly LabelRequirement[] {
  const requirements = requirementsOf(word);
  for (const { operator } of requirements) {
    if (operator === "gt" || operator === "lt") throw new KubectlError(`"${operator}" isn't supported in label selectors`);
    if (operator === "!=") throw new KubectlError(`"${operator}" is not a valid label selector operator`);
  }
  return requirements;
}

function requirementsOf(word: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(word);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new KubectlError(`couldn't parse the selector string ${JSON.stringify(word)}: ${error.message}`);
  }
}

export const setServiceAccount: Command = {
  path: "set serviceaccount",
  *run(context) {
    const name = context.args.at(-1);
    dryRunOf(context);
    if (name === undefined) throw new KubectlError("serviceaccount is required");
    yield* changeField(context, context.args.slice(0, -1), {
      operation: "serviceaccount updated",
      refusesNamesLocally: false,
      failure: "failed to patch ServiceAccountName",
      records: true,
      skipUnchanged: false,
      change: ({ mapping, name: owner }, object) => {
        const path = podSpecPaths[mapping.kind];
        if (path === undefined) {
          const label = `${mapping.plural}/${owner}`;
          throw new KubectlError(`error: ${label} the object is not a pod or does not have a pod template: *v1.${mapping.kind}\n`);
        }
        return withValue(object, [...path, "serviceAccountName"], name);
      },
    });
  },
};

export const setSubject: Command = {
  path: "set subject",
  *run(context) {
    const { flags } = context;
    const local = flags.bool("local");
    dryRunOf(context);
    const options = { ...selectionFromFlags(context), continueOnError: true, latest: !local, local };
    const { infos, errors } = yield* select(context, options);
    throwAll(errors);
    const subjects = subjectsFromFlags(context);
    if (subjects.length === 0) throw new KubectlError("you must specify at least one value of user, group or serviceaccount");
    yield* changeEach(context, infos, {
      operation: "subjects updated",
      refusesNamesLocally: true,
      failure: "failed to patch subjects to rolebinding:",
      records: false,
      skipUnchanged: true,
      change: ({ mapping, name }, object) => {
        if (!mapping.kind.endsWith("RoleBinding")) {
          const label = `${mapping.plural}/${name}`;
          throw new KubectlError(`error: ${label} setting subjects is only supported for RoleBinding/ClusterRoleBinding\n`);
        }
        const old = arrayAt(object, "subjects");
        const known = new Set(old.map(writeJson));
        return withValue(object, ["subjects"], [...old, ...subjects.filter((one) => !known.has(writeJson(one)))]);
      },
    });
  },
};
