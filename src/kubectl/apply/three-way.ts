// The patch that turns a live object into what a manifest asks for, without touching what others set.

import { createThreeWayMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { createThreeWayStrategicPatch } from "#cluster/api/patch/strategic-diff.ts";
import { isKnownType } from "#cluster/api/schema.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import type { JsonObject } from "../documents.ts";
import { textAt } from "../documents.ts";

export interface ApplyPatch {
  readonly type: "strategic" | "merge";
  readonly patch: JsonObject;
}

/** Strategic for built-in kinds, a JSON merge patch for all others. Throws PatchError. */
export function applyPatch(original: JsonObject, modified: JsonObject, live: JsonObject): ApplyPatch {
  const type = schemaTypeOf(textAt(live, "apiVersion"), textAt(live, "kind"));
  if (type === undefined) return { type: "merge", patch: createThreeWayMergePatch(original, modified, live) };
  return { type: "strategic", patch: createThreeWayStrategicPatch(type, original, modified, live) };
}

/** The generated type of a kind: v1's have the kind's name, other versions put theirs before it. */
export function schemaTypeOf(apiVersion: string, kind: string): string | undefined {
  if (kind === "Event") return apiVersion === "v1" ? "CoreV1Event" : "EventsV1Event";
  const [group = "", version = group] = apiVersion.split("/");
  const isBuiltIn = !apiVersion.includes("/") || !group.includes(".") || group.endsWith(".k8s.io");
  const name = version === "v1" ? kind : `${asciiUpperCase(version.charAt(0))}${version.slice(1)}${kind}`;
  return isBuiltIn && isKnownType(name) ? name : undefined;
}
