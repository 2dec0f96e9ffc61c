// kubectl taint: taints of nodes, by key, value and effect.

import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { type Info, select } from "../resources/selection.ts";
import { patchObject } from "../resources/writing.ts";
import { dryRunOf } from "./write-options.ts";

interface Taint {
  readonly key: string;
  readonly value: string;
  /** "" in a removal: all effects. */
  readonly effect: string;
}

interface Changes {
  readonly add: readonly Taint[];
  readonly remove: readonly Taint[];
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export const taint: Command = {
  path: "taint",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    const { resources, specs } = splitTaints(context.args);
    if (resources.length === 0) throw new KubectlError("one or more resources must be specified as <resource> <name>");
    if (specs.length === 0) throw new KubectlError("at least one taint update is required");
    const changes = parseTaints(context, specs);
    const [type = "", ...names] = resources;
    const mapping = yield* context.discovery().require(asciiLowerCase(type));
    if (mapping.kind !== "Node") {
      throw new KubectlError(`invalid resource type ${asciiLowerCase(type)}, only node types are supported`);
    }
    check(context, changes, names);
    const selector = flags.text("selector");
    const all = flags.bool("all");
    const found = yield* select(context, {
      args: all || selector !== "" ? ["nodes"] : names.map((name) => `node/${name}`),
      namespace: context.namespace().name,
      labelSelector: selector,
      all,
      continueOnError: true,
    });
    const errors: Error[] = [...found.errors];
    for (const info of found.infos) {
      try {
        const { operation, taints } = changed(info, changes, flags.bool("overwrite"));
        const print = makeObjectPrinter(context, operation);
        const patch: JsonObject = { spec: { taints: taints.length === 0 ? null : taints } };
        const object =
          dryRun === "client"
            ? withValue(info.object ?? {}, ["spec", "taints"], taints.length === 0 ? undefined : taints)
            : yield* patchObject(context, info, "strategic", patch, { dryRun });
        yield* context.out(print(object));
      } catch (error) {
        if (!isOwnError(error)) throw error;
        errors.push(error);
      }
    }
    throwAll(errors);
  },
};

function splitTaints(args: readonly string[]): { readonly resources: readonly string[]; readonly specs: readonly string[] } {
  const isTaint = (word: string): boolean => /[=:]/.test(word) || word.endsWith("-");
  const first = args.findIndex(isTaint);
  if (first < 0) return { resources: args, specs: [] };
  const stray = args.slice(first).find((word) => !isTaint(word));
  if (stray !== undefined) throw new KubectlError(`all resources must be specified before taint changes: ${stray}`);
  return { resources: args.slice(0, first), specs: args.slice(first) };
}

function parseTaints(context: Context, specs: readonly string[]): Changes {
  const add: Taint[] = [];
  const remove: Taint[] = [];
  const parse = (spec: string): Taint => {
    const parsed = parseTaint(spec);
    if (typeof parsed === "string") throw context.usageError(parsed);
    return parsed;
  };
  for (const spec of specs) {
    if (spec.endsWith("-")) {
      remove.push({ ...parse(spec.slice(0, -1)), value: "" });
      continue;
    }
    const one = parse(spec);
    if (one.effect === "") throw context.usageError(`invalid taint spec: ${spec}`);
    if (add.some(({ key, effect }) => key === one.key && effect === one.effect)) {
      throw context.usageError(`duplicated taints with the same key and effect: {${one.key} ${one.value} ${one.effect} <nil>}`);
    }
    add.push(one);
  }
  return { add, remove };
}

/** `key=value:effect`, `key:effect` or `key`; a sentence when it is none of them. */
function parseTaint(spec: string): Taint | string {
  const [body = "", effect = "", ...rest] = spec.split(":");
  if (rest.length > 0) return `invalid taint spec: ${spec}`;
  const hasEffect = spec.includes(":");
  if (hasEffect && !effects.includes(effect)) return `invalid taint effect: ${effect}, unsupported taint effect`;
  const [key = "", value = "", ...more] = hasEffect ? body.split("=") : [body];
  if (more.length > 0) return `invalid taint spec: ${spec}`;
  const reasons = value === "" ? [] : labelValueReasons(value);
  const problems = reasons.length > 0 ? reasons : qualifiedNameReasons(key);
  return problems.length > 0 ? `invalid taint spec: ${spec}, ${problems.join("; ")}` : { key, value, effect };
}

function check({ flags }: Context, { add, remove }: Changes, names: readonly string[]): void {
  const conflicts = add.flatMap((added) =>
    remove.filter(({ key, effect }) => key === added.key && (effect === "" || effect === added.effect)),
  );
  if (conflicts.length > 0) {
    const texts = conflicts.map(({ key, effect }) => `${key}=${effect}`);
    throw new KubectlError(`can not both modify and remove the following taint(s) in the same command: ${texts.join(", ")}`);
  }
  if (flags.bool("all") && flags.text("selector") !== "") {
    throw new KubectlError("setting 'all' parameter with a non empty selector is prohibited");
  }
  if (!flags.bool("all") && flags.text("selector") === "" && names.length === 0) {
    throw new KubectlError("at least one resource name must be specified since 'all' parameter is not set");
  }
}

function changed(
  info: Info,
  { add, remove }: Changes,
  overwrite: boolean,
): { readonly operation: string; readonly taints: readonly JsonObject[] } {
  const old = arrayAt(info.object, "spec", "taints").filter((one): one is JsonObject => isObject(one));
  const isSame = (one: JsonValue, key: string, effect: string): boolean =>
    textAt(one, "key") === key && (effect === "" || textAt(one, "effect") === effect);
  const existing = add.filter(({ key, effect }) => old.some((one) => isSame(one, key, effect)));
  if (!overwrite && existing.length > 0) {
    const keys = existing.map(({ key }) => key).join(",");
    throw new KubectlError(`node ${info.name} already has ${keys} taint(s) with same effect(s) and --overwrite is false`);
  }
  const added = add.map(({ key, value, effect }): JsonObject => ({ effect, key, ...(value === "" ? {} : { value }) }));
  let taints = [...added, ...old.filter((one) => !add.some(({ key, effect }) => isSame(one, key, effect)))];
  const grew = taints.length !== old.length;
  const problems: Error[] = [];
  let removed = false;
  for (const { key, effect } of remove) {
    const left = taints.filter((one) => !isSame(one, key, effect));
    removed = left.length !== taints.length;
    if (!removed) problems.push(new KubectlError(`taint ${JSON.stringify(effect === "" ? key : `${key}:${effect}`)} not found`));
    taints = left;
  }
  throwAll(problems);
  if ((grew && removed) || overwrite) return { operation: "modified", taints };
  return { operation: grew ? "tainted" : "untainted", taints };
}
