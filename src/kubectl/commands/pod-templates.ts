// What `set env` and `set resources` share: the objects with Pod templates, the containers they change, and the patch.

import { ApiError } from "#cluster/api/errors.ts";
import { createTwoWayStrategicPatch } from "#cluster/api/patch/strategic-diff.ts";
import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { withRecord } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { asTyped } from "../resources/typed.ts";
import { patchObject, writingPrinter } from "../resources/writing.ts";
import { dryRunOf } from "./write-options.ts";

const lists = ["containers", "initContainers"] as const;

export interface TemplateChange {
  /** Chosen once: what comes from standard input comes once. */
  readonly infos: readonly Info[];
  /** Behind the object's name: `env updated`. */
  readonly operation: string;
  /** Behind `failed to patch`, before the refusal. */
  readonly failure: string;
  /** --record is heeded. */
  readonly records: boolean;
  /** The container as it shall be. Throws KubectlError where it cannot be. */
  readonly change: (container: JsonObject) => JsonObject;
  /** Called for objects without a container that `--containers` names. */
  readonly onNoContainer: (info: Info) => Sys<void>;
}

/** The objects that the resources on the command line mean. */
export function* selectTemplates(context: Context, resources: readonly string[]): Sys<readonly Info[]> {
  const local = context.flags.bool("local");
  const found = yield* select(context, {
    ...selectionFromFlags(context, resources),
    continueOnError: true,
    latest: !local,
    local,
  });
  throwAll(found.errors);
  return found.infos;
}

/** Does a pattern with `*` and `?` (--containers) mean this container? */
export function containerMatches(pattern: string, container: JsonObject): boolean {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped}$`).test(textAt(container, "name"));
}

/** The containers of an object that --containers means, init containers last. */
export function chosenContainers(context: Context, info: Info): readonly JsonObject[] {
  const path = podSpecPaths[info.mapping.kind] ?? [];
  const pattern = context.flags.text("containers");
  return lists
    .flatMap((list) => arrayAt(info.object, ...path, list))
    .filter(isObject)
    .filter((container) => containerMatches(pattern, container));
}

/** Changes the containers of every object, and says so of those that are different then. */
export function* changeTemplates(context: Context, task: TemplateChange): Sys<void> {
  const failures: Error[] = [];
  for (const info of task.infos) {
    try {
      yield* changeOne(context, info, task);
    } catch (error) {
      if (!isOwnError(error)) throw error;
      failures.push(error);
    }
  }
  throwAll(failures);
}

function* changeOne(context: Context, info: Info, task: TemplateChange): Sys<void> {
  const { kind, plural } = info.mapping;
  const path = podSpecPaths[kind];
  const label = `${plural}/${info.name}`;
  if (path === undefined) {
    throw new KubectlError(`error: ${label} the object is not a pod or does not have a pod template: *v1.${kind}\n`);
  }
  const before = info.object ?? {};
  if (chosenContainers(context, info).length === 0) return yield* task.onNoContainer(info);
  const after = changed(context, before, path, task, label);
  const patch = createTwoWayStrategicPatch(kind, before, task.records ? withRecord(context, after) : after);
  if (Object.keys(patch).length === 0) return;
  const dryRun = dryRunOf(context);
  const print = writingPrinter(context, task.operation);
  if (dryRun === "client" || context.flags.bool("local")) return yield* context.out(print(asTyped(after)));
  try {
    yield* context.out(print(yield* patchObject(context, info, "strategic", patch, { dryRun })));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new KubectlError(`failed to patch ${task.failure} ${error.message}`);
  }
}

function changed(
  context: Context,
  object: JsonObject,
  path: readonly string[],
  { change }: TemplateChange,
  label: string,
): JsonObject {
  const pattern = context.flags.text("containers");
  let result = object;
  for (const list of lists) {
    const containers = arrayAt(object, ...path, list);
    if (containers.length === 0) continue;
    try {
      const next = containers.map((container) =>
        isObject(container) && containerMatches(pattern, container) ? change(container) : container,
      );
      result = withValue(result, [...path, list], next);
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      throw new KubectlError(`error: ${label} ${error.message}\n`);
    }
  }
  return result;
}
