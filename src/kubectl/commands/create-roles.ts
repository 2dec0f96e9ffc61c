// kubectl create role and clusterrole: one rule for each group of the resources that are named.

import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { KubectlError } from "../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";
const resourceVerbs = new Set(
  "* get delete list create update patch watch proxy deletecollection use bind escalate impersonate".split(" "),
);
const urlVerbs = new Set("* get post put delete patch head options".split(" "));
const roleTypes = ["roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io"] as const;
/** Verbs that are for certain resources only. */
const specialVerbs: { readonly [verb: string]: readonly string[] } = {
  use: ["podsecuritypolicies.policy", "podsecuritypolicies.extensions"],
  bind: roleTypes,
  escalate: roleTypes,
  impersonate: ["users", "serviceaccounts", "groups", "userextras.authentication.k8s.io"],
};

interface NamedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

export const createRole: Command = {
  path: "create role",
  *run(context) {
    const name = nameArgument(context);
    const verbs = verbsOf(context);
    const resources = resourcesOf(context);
    if (verbs.length === 0) throw new KubectlError("at least one verb must be specified");
    yield* warnOfVerbs(context, verbs);
    if (resources.length === 0) throw new KubectlError("at least one resource must be specified");
    const rules = yield* rulesFor(context, verbs, resources);
    yield* createObject(context, { apiVersion, kind: "Role", metadata: metadataFor(context, name), rules }, "");
  },
};

export const createClusterRole: Command = {
  path: "create clusterrole",
  *run(context) {
    const name = nameArgument(context);
    const aggregation = context.flags.text("aggregation-rule");
    const fields = aggregation === "" ? { rules: yield* clusterRules(context) } : aggregationOf(context, aggregation);
    yield* createObject(context, { apiVersion, kind: "ClusterRole", metadata: { name }, ...fields }, "");
  },
};

function aggregationOf(context: Context, selector: string): { readonly [field: string]: JsonValue } {
  if (["non-resource-url", "verb", "resource", "resource-name"].some((flag) => context.flags.list(flag).length > 0)) {
    throw new KubectlError("aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames");
  }
  const matchLabels: { [label: string]: string } = {};
  for (const pair of selector.split(",")) {
    const equals = pair.indexOf("=");
    if (equals < 0) throw new KubectlError(`malformed pair, expect string=string`);
    matchLabels[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
  }
  return { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] }, rules: null };
}

function* clusterRules(context: Context): Sys<JsonValue> {
  const verbs = verbsOf(context);
  const resources = resourcesOf(context);
  const urls = [...new Set(context.flags.list("non-resource-url"))];
  if (verbs.length === 0) throw new KubectlError("at least one verb must be specified");
  if (resources.length === 0 && urls.length === 0) throw new KubectlError("one of resource or nonResourceURL must be specified");
  if (resources.length > 0) yield* warnOfVerbs(context, verbs);
  const rules = resources.length === 0 ? [] : yield* rulesFor(context, verbs, resources);
  if (urls.length === 0) return rules;
  for (const verb of verbs) if (!urlVerbs.has(verb)) throw new KubectlError(`invalid verb: '${verb}' for nonResourceURL`);
  for (const url of urls) {
    if (url !== "*" && !url.startsWith("/")) throw new KubectlError("nonResourceURL should start with /");
    if (url.slice(0, -1).includes("*")) {
      throw new KubectlError("nonResourceURL only supports wildcard matches when '*' is at the end");
    }
  }
  return [...rules, { nonResourceURLs: urls, verbs }];
}

/** A star stands for all. */
function verbsOf(context: Context): readonly string[] {
  const verbs = context.flags.list("verb");
  return verbs.includes("*") ? ["*"] : [...new Set(verbs)];
}

function resourcesOf(context: Context): readonly NamedResource[] {
  const words = context.flags.list("resource");
  if (words.includes("*")) return [{ group: "", resource: "*", subresource: "" }];
  return words.map((word) => {
    const [name = "", ...rest] = word.split("/");
    const [resource = "", ...group] = name.split(".");
    return { group: group.join("."), resource, subresource: rest.join("/") };
  });
}

function* warnOfVerbs(context: Context, verbs: readonly string[]): Sys<void> {
  for (const verb of verbs) {
    if (!resourceVerbs.has(verb)) yield* context.err(`Warning: '${verb}' is not a standard resource verb\n`);
  }
}

/** Rules by group; short names as the server's full ones. */
function* rulesFor(context: Context, verbs: readonly string[], resources: readonly NamedResource[]): Sys<readonly JsonValue[]> {
  const byGroup = new Map<string, string[]>();
  for (const named of resources) {
    if (named.resource === "") throw new KubectlError("resource must be specified if apiGroup/subresource specified");
    const { group, resource } = yield* completed(context, named, verbs);
    const full = named.subresource === "" ? resource : `${resource}/${named.subresource}`;
    const known = byGroup.get(group) ?? [];
    byGroup.set(group, known.includes(full) ? known : [...known, full]);
  }
  const names = [...new Set(context.flags.list("resource-name"))];
  return [...byGroup.keys()].sort().map((group) => ({
    apiGroups: [group],
    ...(names.length === 0 ? {} : { resourceNames: names }),
    resources: byGroup.get(group) ?? [],
    verbs,
  }));
}

/** Throws for a resource that the server has not, unless the verb is for things that no server lists. */
function* completed(
  context: Context,
  { group, resource }: NamedResource,
  verbs: readonly string[],
): Sys<{ readonly group: string; readonly resource: string }> {
  if (resource === "*") return { group, resource };
  const found = yield* context.discovery().find(group === "" ? resource : `${resource}.${group}`);
  const known = found === undefined ? { group, resource } : { group: found.group, resource: found.plural };
  const qualified = known.group === "" ? known.resource : `${known.resource}.${known.group}`;
  let isSpecial = false;
  for (const verb of verbs) {
    const allowed = specialVerbs[verb];
    if (allowed === undefined) continue;
    if (!allowed.includes(qualified)) {
      throw new KubectlError(`can not perform '${verb}' on '${known.resource}' in group '${known.group}'`);
    }
    isSpecial = true;
  }
  if (found === undefined && !isSpecial) {
    throw new KubectlError(`the server doesn't have a resource type ${JSON.stringify(resource)}`);
  }
  return known;
}
