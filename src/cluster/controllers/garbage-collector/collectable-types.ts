// The kinds whose objects are collected with their owners, and deleted with their namespace: all that are stored, but events, which are
// many and short-lived and have no owners. Custom kinds come on top: the client knows which there are.

import * as kinds from "#cluster/api/kinds.ts";
import type { ResourceType } from "#cluster/api/objects.ts";

/** Requests rather than objects, or second views of a stored kind. */
const notStored: ReadonlySet<string> = new Set([
  "bindings",
  "componentstatuses",
  "scales",
  "evictions",
  "tokenreviews",
  "selfsubjectreviews",
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
  "localsubjectaccessreviews",
  "selfsubjectrulesreviews",
  "events",
]);

export const collectableTypes: readonly ResourceType<unknown>[] = kinds.builtInTypes.filter(
  (type) => !notStored.has(type.plural) && !(type.plural === "horizontalpodautoscalers" && type.version === "v1"),
);
