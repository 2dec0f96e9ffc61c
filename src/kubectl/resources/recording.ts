// --record (deprecated): the command line in the annotation that rollout history shows as CHANGE-CAUSE.

import type { Context } from "../context.ts";
import { type JsonObject, textAt, withValue } from "../documents.ts";

const changeCause = "kubernetes.io/change-cause";

/** `kubectl apply --filename=web.yaml --record=true`; undefined without --record. */
export function recordedCommand({ flags, command, args }: Context): string | undefined {
  if (!flags.has("record") || !flags.bool("record")) return undefined;
  const given = flags.given().map(([name, value]) => `--${name}=${value}`);
  return ["kubectl", command.path, ...args, ...given].join(" ");
}

/** A merge patch that records the command; undefined where nothing is to be recorded. */
export function recordPatch(context: Context, object: JsonObject): JsonObject | undefined {
  const text = recordedCommand(context);
  if (text === undefined || textAt(object, "metadata", "annotations", changeCause) === text) return undefined;
  return { metadata: { annotations: { [changeCause]: text } } };
}

/** The object with the command in its annotations, where --record asks for it. */
export function withRecord(context: Context, object: JsonObject): JsonObject {
  const text = recordedCommand(context);
  return text === undefined ? object : withValue(object, ["metadata", "annotations", changeCause], text);
}
