// Kinds without a describer of their own: every field, indented as nested, with its name in words.

import type { KubeObject } from "#cluster/api/objects.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { once } from "#sim/late.ts";
import { classOf, isOf, lowerCase, upperCase } from "#sim/unicode.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";

const shownAbove = new Set([
  ".metadata.managedFields",
  ".metadata.name",
  ".metadata.namespace",
  ".metadata.labels",
  ".metadata.annotations",
]);
const acronyms = new Set(["API", "URL", "UID", "GUID"]);

export const describeGeneric: Describer<KubeObject> = function* (object, lookup) {
  const { metadata } = object;
  const subject = { name: metadata.name ?? "", namespace: metadata.namespace ?? "", kind: object.kind, uid: metadata.uid ?? "" };
  const events = yield* lookup.events(subject);
  const out = new Description();
  out.field("Name", subject.name);
  out.field("Namespace", subject.namespace);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  describeFields(out, object, "", 0);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

function describeFields(out: Description, fields: object, path: string, level: number): void {
  for (const [name, value] of Object.entries(fields).sort(([a], [b]) => compareTexts(a, b))) {
    const here = `${path}.${name}`;
    if (shownAbove.has(here)) continue;
    if (Array.isArray(value)) {
      out.line(`${label(name)}:`, level);
      for (const item of value) {
        if (typeof item === "object" && item !== null) describeFields(out, item, here, level + 1);
        else out.line(String(item), level + 1);
      }
    } else if (typeof value === "object" && value !== null) {
      out.line(`${label(name)}:`, level);
      describeFields(out, value, here, level + 1);
    } else out.field(label(name), value === null ? "<nil>" : value, level);
  }
}

const camelWords = once(() => {
  const [upper, lower] = [`[${classOf("Lu")}]`, `[${classOf("Ll")}]`];
  return new RegExp(`${upper}{3,}${lower}+|${upper}(?=${upper}${lower})|${upper}{2,}|${upper}?${lower}+|${upper}|-`, "gu");
});

/**
 * `creationTimestamp` → `Creation Timestamp`; names with other characters than letters and hyphens stay as they are. Camel case is
 * taken apart at every capital; two or more capitals stay with the word after them (`nonResourceURLs` → `Non Resource URLs`).
 */
function label(name: string): string {
  if (!Array.from(name).every((character) => character === "-" || isOf(character, "L"))) return name;
  const words = name.match(camelWords()) ?? [name];
  return words
    .map((word) => {
      if (acronyms.has(upperCase(word))) return upperCase(word);
      return lowerCase(word) === word ? upperCase(word.charAt(0)) + word.slice(1) : word;
    })
    .join(" ");
}
