// Which of the names that a CustomResourceDefinition asks for are free in its group (apiextensions-apiserver,
// pkg/controller/status/naming_controller.go).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { deepEqual } from "#cluster/api/equality.ts";
import type { CustomResourceDefinitionNames } from "#cluster/api/generated/types.ts";
import { type CrdCondition, conditionOf, withCondition } from "#cluster/resources/apiextensions/crd-conditions.ts";
import type { Crd } from "#cluster/resources/apiextensions/custom-resource.ts";

export interface Naming {
  readonly names: CustomResourceDefinitionNames;
  readonly conditions: readonly CrdCondition[];
}

const installing = {
  type: "Established",
  status: "False",
  reason: "Installing",
  message: "the initial names have been accepted",
};
const notAccepted = { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };

/** `all`: every definition, this one included. */
export function acceptNames(crd: Crd, all: readonly Crd[], nowMs: number): Naming {
  const used = namesOfGroup(crd.spec.group, all);
  const wanted = crd.spec.names;
  const accepted = crd.status?.acceptedNames ?? { plural: "", kind: "" };
  const names: { -readonly [name in keyof CustomResourceDefinitionNames]: CustomResourceDefinitionNames[name] } = { ...accepted };
  let conflict: { readonly reason: string; readonly message: string } | undefined;
  const take = (name: "plural" | "singular" | "kind" | "listKind", reason: string, taken: ReadonlySet<string>): void => {
    const value = wanted[name] ?? "";
    if (value === (accepted[name] ?? "") || !taken.has(value)) names[name] = value;
    else conflict = { reason, message: `${JSON.stringify(value)} is already in use` };
  };
  take("plural", "PluralConflict", used.resources);
  take("singular", "SingularConflict", used.resources);
  const refused = shortNameConflicts(wanted.shortNames ?? [], accepted.shortNames ?? [], used.resources);
  if (refused.length > 0) conflict = { reason: "ShortNamesConflict", message: aggregateText(refused) };
  else if (!deepEqual(wanted.shortNames, accepted.shortNames)) setOrDrop(names, "shortNames", wanted.shortNames);
  take("kind", "KindConflict", used.kinds);
  take("listKind", "ListKindConflict", used.kinds);
  setOrDrop(names, "categories", wanted.categories);
  return { names, conditions: conditionsAfter(crd, conflict, nowMs) };
}

function setOrDrop(
  names: { -readonly [name in keyof CustomResourceDefinitionNames]: CustomResourceDefinitionNames[name] },
  name: "shortNames" | "categories",
  value: readonly string[] | undefined,
): void {
  if (value === undefined) delete names[name];
  else names[name] = value;
}

function shortNameConflicts(wanted: readonly string[], own: readonly string[], used: ReadonlySet<string>): readonly string[] {
  return wanted.filter((name) => !own.includes(name) && used.has(name)).map((name) => `${JSON.stringify(name)} is already in use`);
}

function namesOfGroup(group: string, all: readonly Crd[]): { readonly resources: Set<string>; readonly kinds: Set<string> } {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status } of all) {
    const names = status?.acceptedNames;
    if (spec.group !== group || names === undefined) continue;
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])]) if (name) resources.add(name);
    for (const kind of [names.kind, names.listKind]) if (kind) kinds.add(kind);
  }
  return { resources, kinds };
}

function conditionsAfter(
  crd: Crd,
  conflict: { readonly reason: string; readonly message: string } | undefined,
  nowMs: number,
): readonly CrdCondition[] {
  const namesAccepted =
    conflict === undefined
      ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
      : { type: "NamesAccepted", status: "False", ...conflict };
  const old = conditionOf(crd, "Established");
  let established = old ?? notAccepted;
  if (old?.status !== "True" && conflict === undefined) established = installing;
  const conditions = withCondition(crd.status?.conditions ?? [], namesAccepted, nowMs);
  return withCondition(conditions, established, nowMs);
}
