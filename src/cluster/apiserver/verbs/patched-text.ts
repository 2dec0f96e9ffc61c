// What a patched object looks like in a refusal: the objects that the patch reaches into are written with sorted fields, the rest as it
// was (evanphx/json-patch, which Go's server uses, keeps unread parts as they are).

import { compareBytes, jsonText } from "#cluster/api/json-write.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";

/** `patch`: a merge patch, or the operations of a JSON patch. */
export function patchedText(patched: JsonValue, patch: JsonValue): string {
  return jsonText(shown(patched, Array.isArray(patch) ? reachOf(patch) : patch));
}

function shown(value: JsonValue, reached: JsonValue | undefined): JsonValue {
  if (reached === undefined || !isObject(reached)) return value;
  if (Array.isArray(value)) return value.map((item, index) => shown(item, reached[String(index)]));
  if (!isObject(value)) return value;
  const fields = Object.entries(value) as (readonly [string, JsonValue])[];
  return Object.fromEntries(
    fields.sort(([left], [right]) => compareBytes(left, right)).map(([name, field]) => [name, shown(field, reached[name])]),
  );
}

/** The containers that operations open, as a tree: `/a/b` opens the root and `a`. */
function reachOf(operations: readonly JsonValue[]): JsonObject {
  const root: Reached = {};
  for (const operation of operations)
    for (const pointer of isObject(operation) ? [operation["path"], operation["from"]] : []) {
      if (typeof pointer !== "string") continue;
      let at = root;
      for (const part of pointer.split("/").slice(1, -1)) at = at[part.replaceAll("~1", "/").replaceAll("~0", "~")] ??= {};
    }
  return root;
}

interface Reached {
  [part: string]: Reached;
}
