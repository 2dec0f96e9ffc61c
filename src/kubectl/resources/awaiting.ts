// Waiting for one object to meet a condition, or to be gone.

import { notFound } from "#cluster/api/errors.ts";
import type { Sys } from "#sim/program.ts";
import { groupVersion, pathOf } from "../client/discovery.ts";
import type { Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, textAt } from "../documents.ts";
import { isNotFound, KubectlError } from "../errors.ts";
import { fetchObject, type Info } from "./selection.ts";

function timedOut(info: Info): KubectlError {
  return new KubectlError(`timed out waiting for the condition on ${info.mapping.plural}/${info.name}`);
}

/** Follows one object from a list on: `judge` answers true when done; it gets undefined when the object is not there. */
function* follow(
  context: Context,
  info: Info,
  deadlineMs: number,
  judge: (object: JsonObject | undefined) => boolean,
  meanwhile?: (object: JsonObject) => Sys<void>,
): Sys<void> {
  const request = { method: "GET" as const, path: pathOf(info.mapping, info.namespace) };
  const fieldSelector = `metadata.name=${info.name}`;
  for (;;) {
    const list = yield* context.client().json({ ...request, query: { fieldSelector } });
    const [item] = arrayAt(list, "items");
    const typed = { apiVersion: groupVersion(info.mapping), kind: info.mapping.kind };
    if (judge(isObject(item) ? { ...typed, ...item } : undefined)) return;
    if (isObject(item) && meanwhile !== undefined) yield* meanwhile(item);
    const query = { fieldSelector, watch: true, resourceVersion: textAt(list, "metadata", "resourceVersion") };
    const end = yield* context.client().watch(
      { ...request, query },
      function* (type, object) {
        if (type === "ERROR" || type === "BOOKMARK" || !isObject(object)) return true;
        if (judge(type === "DELETED" ? undefined : object)) return false;
        if (type !== "DELETED" && meanwhile !== undefined) yield* meanwhile(object);
        return true;
      },
      deadlineMs,
    );
    if (end === "stopped") return;
    if (end === "timeout" || context.self.nowMs >= deadlineMs) throw timedOut(info);
  }
}

/** Until the object is gone, or is another of the same name. */
export function* awaitDeletion(
  context: Context,
  info: Info,
  uid: string | undefined,
  timeoutMs: number,
  deadlineMs: number,
): Sys<JsonObject> {
  let live: JsonObject;
  try {
    live = yield* fetchObject(context, info);
  } catch (error) {
    if (isNotFound(error)) return info.object ?? {};
    throw error;
  }
  const isOther = (object: JsonObject | undefined) =>
    object === undefined || (uid !== undefined && textAt(object, "metadata", "uid") !== uid);
  if (isOther(live)) return live;
  if (timeoutMs === 0) throw new KubectlError(`condition not met for ${info.mapping.plural}/${info.name}`);
  yield* follow(context, info, deadlineMs, isOther);
  return live;
}

/** Until `isMet` holds; the object as it is then. NotFound when it is not there. `meanwhile` sees each state in which it does not hold. */
export function* awaitCondition(
  context: Context,
  info: Info,
  isMet: (object: JsonObject) => boolean,
  { timeoutMs, deadlineMs }: { readonly timeoutMs: number; readonly deadlineMs: number },
  meanwhile?: (object: JsonObject) => Sys<void>,
): Sys<JsonObject> {
  if (timeoutMs === 0) {
    const object = yield* fetchObject(context, info);
    if (isMet(object)) return object;
    throw new KubectlError(`condition not met for ${info.mapping.plural}/${info.name}`);
  }
  let met: JsonObject | undefined;
  const judge = (object: JsonObject | undefined): boolean => {
    if (object === undefined) throw notFound({ group: info.mapping.group, resource: info.mapping.plural }, info.name);
    if (isMet(object)) met = object;
    return met !== undefined;
  };
  yield* follow(context, info, deadlineMs, judge, meanwhile);
  return met ?? {};
}
