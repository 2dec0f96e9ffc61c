// What several API servers serve, as one list of aggregated discovery: groups, their versions and resources, each in an order that keeps
// that of every server (apiserver's peer_aggregated_handler.go). Where servers know a resource differently, verbs and subresources add up.

import { isList, isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { compareTexts } from "#sim/compare-texts.ts";

/** `servers`: by identity the entries of each one's /apis. */
export function mergedGroups(servers: ReadonlyMap<string, readonly JsonObject[]>): readonly JsonObject[] {
  const lists = [...servers].sort(([a], [b]) => compareTexts(a, b)).map(([, groups]) => groups);
  return merged(lists, groupName, (a, b) => ({ ...a, versions: mergedVersions(a, b) }));
}

function mergedVersions(a: JsonObject, b: JsonObject): JsonValue {
  return merged([entriesOf(a, "versions"), entriesOf(b, "versions")], ({ version }) => String(version), withResources) as JsonValue;
}

function withResources(a: JsonObject, b: JsonObject): JsonObject {
  const lists = [entriesOf(a, "resources"), entriesOf(b, "resources")];
  return { ...a, resources: merged(lists, ({ resource }) => String(resource), withCapabilities) as JsonValue };
}

function withCapabilities(a: JsonObject, b: JsonObject): JsonObject {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const verbs = [...new Set([a, b].flatMap(({ verbs: each }) => (isList(each) ? each.map(String) : [])))].sort(compareTexts);
  const below = new Map([a, b].flatMap((each) => entriesOf(each, "subresources").map((one) => [String(one["subresource"]), one])));
  const subresources = [...below].sort(([one], [other]) => compareTexts(one, other)).map(([, entry]) => entry);
  return { ...a, verbs, ...(subresources.length === 0 ? {} : { subresources }) };
}

function groupName({ metadata }: JsonObject): string {
  return isObject(metadata) ? String(metadata["name"] ?? "") : "";
}

function entriesOf(object: JsonObject, field: string): readonly JsonObject[] {
  const entries = object[field];
  return isList(entries) ? entries.filter(isObject) : [];
}

function merged(
  lists: readonly (readonly JsonObject[])[],
  nameOf: (entry: JsonObject) => string,
  join: (a: JsonObject, b: JsonObject) => JsonObject,
): readonly JsonObject[] {
  const entries = new Map<string, JsonObject>();
  for (const entry of lists.flat()) {
    const name = nameOf(entry);
    const before = entries.get(name);
    entries.set(name, before === undefined ? entry : join(before, entry));
  }
  return keptOrder(lists.map((list) => list.map(nameOf))).map((name) => entries.get(name) as JsonObject);
}

/** All names, each behind those that stand before it in some list; where lists leave it open or disagree, by their texts. */
export function keptOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const all = new Set(lists.flat());
  const whole = lists.find((list) => list.length === all.size);
  if (whole !== undefined) return whole;
  const before = new Map([...all].map((name) => [name, new Set<string>()]));
  for (const list of lists)
    for (const [index, name] of list.entries()) if (index > 0) before.get(name)?.add(list[index - 1] as string);
  const open = [...all].sort(compareTexts);
  const result: string[] = [];
  while (open.length > 0) {
    const free = open.findIndex((name) => [...(before.get(name) ?? [])].every((other) => result.includes(other)));
    result.push(...open.splice(Math.max(free, 0), 1));
  }
  return result;
}
