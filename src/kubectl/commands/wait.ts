// kubectl wait: until objects meet conditions, exist, or are gone.

import { goText, JsonPath } from "#cluster/api/jsonpath/evaluate.ts";
import { JsonPathError, relaxedExpression } from "#cluster/api/jsonpath/parse.ts";
import { isInt64 } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, type JsonObject, textAt, valueAt } from "../documents.ts";
import { isNotFound, KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { awaitCondition, awaitDeletion } from "../resources/awaiting.ts";
import { type Info, type Selection, select, selectionFromFlags } from "../resources/selection.ts";

/** "Forever", as kubectl means it. */
const weekMs = 7 * 24 * 3_600_000;
const pollMs = 500;

type Condition =
  | { readonly type: "delete" }
  | { readonly type: "create" }
  | { readonly type: "met"; readonly isMet: (object: JsonObject) => boolean };

function statusCondition(text: string): Condition {
  const equals = text.indexOf("=");
  const name = asciiLowerCase(equals < 0 ? text : text.slice(0, equals));
  const wanted = asciiLowerCase(equals < 0 ? "true" : text.slice(equals + 1));
  const isMet = (object: JsonObject): boolean => {
    const condition = arrayAt(object, "status", "conditions").find((item) => asciiLowerCase(textAt(item, "type")) === name);
    if (condition === undefined) return false;
    const generation = valueAt(object, "metadata", "generation");
    const observed = valueAt(condition, "observedGeneration") ?? valueAt(object, "status", "observedGeneration");
    if (isInt64(generation) && isInt64(observed) && observed < generation) return false;
    return asciiLowerCase(textAt(condition, "status")) === wanted;
  };
  return { type: "met", isMet };
}

/** At every `=` that is not one of a pair: pairs belong to the expression. */
function splitAtEquals(text: string): readonly string[] {
  return text
    .replaceAll("==", "\u0000")
    .split("=")
    .map((part) => part.replaceAll("\u0000", "=="));
}

function jsonPathCondition(text: string): Condition {
  const parts = splitAtEquals(text);
  if (parts.length > 2) {
    throw new KubectlError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  }
  const [expression = "", given] = parts;
  const wanted = given?.replace(/^['"]+|['"]+$/g, "");
  if (wanted === "") {
    throw new KubectlError("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3");
  }
  if (expression === "") throw new KubectlError("jsonpath expression cannot be empty");
  let path: JsonPath;
  try {
    path = new JsonPath(relaxedExpression(expression), { allowMissingKeys: true });
  } catch (error) {
    if (error instanceof JsonPathError) throw new KubectlError(error.message);
    throw error;
  }
  const isMet = (object: JsonObject): boolean => {
    const results = path.find(object);
    const [first] = results;
    if (first === undefined || first.length === 0) return false;
    if (results.length > 1) throw new KubectlError("given jsonpath expression matches more than one list");
    if (first.length > 1) throw new KubectlError("given jsonpath expression matches more than one value");
    if (wanted === undefined) return true;
    const [value = null] = first;
    if (typeof value === "object" && value !== null) {
      throw new KubectlError("jsonpath leads to a nested object or list which is not supported");
    }
    return goText(value).trim() === wanted.trim();
  };
  return { type: "met", isMet };
}

function readConditions(texts: readonly string[]): readonly Condition[] {
  if (texts.length === 0) throw new KubectlError("unrecognized condition: []");
  return texts.map((text): Condition => {
    const lower = asciiLowerCase(text);
    if (lower === "delete" || lower === "create") return { type: lower };
    if (text.startsWith("condition=")) return statusCondition(text.slice("condition=".length));
    if (text.startsWith("jsonpath=")) return jsonPathCondition(text.slice("jsonpath=".length));
    throw new KubectlError(`unrecognized condition: ${JSON.stringify(text)}`);
  });
}

function* find(context: Context, ignoreNotFound: boolean): Sys<Selection> {
  const { flags } = context;
  return yield* select(context, {
    ...selectionFromFlags(context),
    all: flags.bool("all"),
    local: flags.bool("local"),
    latest: !flags.bool("local"),
    continueOnError: true,
    ignoreNotFound,
  });
}

function* awaitCreation(context: Context, timeoutMs: number): Sys<void> {
  const deadline = context.self.nowMs + timeoutMs;
  for (;;) {
    try {
      const found = yield* find(context, false);
      // One that is missing is waited for, several are a failure.
      if (found.errors.length > 1 || !found.errors.every(isNotFound)) throwAll(found.errors);
      if (found.infos.length > 0 && found.errors.length === 0) return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (context.self.nowMs + pollMs > deadline) throw new KubectlError("timed out waiting for the condition");
    yield* context.self.sleep(pollMs);
  }
}

function* awaitAll(
  context: Context,
  info: Info,
  conditions: readonly Condition[],
  timeoutMs: number,
  deadlineMs: number,
): Sys<JsonObject> {
  let object = info.object ?? {};
  for (const condition of conditions) {
    if (condition.type === "delete") object = yield* awaitDeletion(context, info, undefined, timeoutMs, deadlineMs);
    else if (condition.type === "met") object = yield* awaitCondition(context, info, condition.isMet, { timeoutMs, deadlineMs });
    yield* context.out(makeObjectPrinter(context, "condition met")(object));
  }
  return object;
}

export const wait: Command = {
  path: "wait",
  *run(context) {
    const { flags } = context;
    const conditions = readConditions(flags.list("for"));
    const given = flags.durationMs("timeout");
    const timeoutMs = given < 0 ? weekMs : given;
    const deadlineMs = context.self.nowMs + timeoutMs;
    if (conditions.some((condition) => condition.type === "create")) yield* awaitCreation(context, timeoutMs);
    const forDelete = conditions.some((condition) => condition.type === "delete");
    const found = yield* find(context, forDelete);
    const errors = [...found.errors];
    for (const info of found.infos) {
      try {
        yield* awaitAll(context, info, conditions, timeoutMs, deadlineMs);
      } catch (error) {
        if (!isOwnError(error)) throw error;
        errors.push(error);
      }
    }
    throwAll(errors);
    if (found.infos.length === 0 && !forDelete) throw new KubectlError("no matching resources found");
  },
};
