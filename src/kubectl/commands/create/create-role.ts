// kubectl create role and clusterrole: a rule for each API group that the resources belong to.

import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { AggregateFailure, KubectlError } from "../../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

const resourceVerbs = [
  ...["*", "get", "delete", "list", "create", "update", "patch", "watch", "proxy"],
  ...["deletecollection", "use", "bind", "escalate", "impersonate"],
];
const urlVerbs = ["*", "get", "post", "put", "delete", "patch", "head", "options"];
const rbac = "rbac.authorization.k8s.io";
/** Verbs that mean something for these types only, as `plural.group`. */
const specialVerbs: { readonly [verb: string]: readonly string[] } = {
  use: ["podsecuritypolicies.policy", "podsecuritypolicies.extensions"],
  bind: [`roles.${rbac}`, `clusterroles.${rbac}`],
  escalate: [`roles.${rbac}`, `clusterroles.${rbac}`],
  impersonate: ["users.", "serviceaccounts.", "groups.", "userextras.authentication.k8s.io"],
};

interface Target {
  readonly resource: string;
  readonly group: string;
  readonly subresource: string;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/** `deployments.apps/scale` */
function targetOf(text: string): Target {
  const [named = "", subresource = ""] = text.split(/\/(.*)/s);
  const [resource = "", group = ""] = named.split(/\.(.*)/s);
  return { resource, group, subresource };
}

function targetsOf(context: Context): readonly Target[] {
  const words = context.flags.list("resource");
  const star = words.indexOf("*");
  return (star < 0 ? words : words.slice(0, star + 1)).map(targetOf);
}

function verbsOf(context: Context): readonly string[] {
  const verbs = context.flags.list("verb");
  return verbs.includes("*") ? ["*"] : unique(verbs);
}

/** The plural names and groups that the server knows. Throws for a type that it lacks. */
function* resolved(context: Context, targets: readonly Target[], verbs: readonly string[]): Sys<readonly Target[]> {
  const found: Target[] = [];
  let all = false;
  for (const target of targets) {
    const { resource, group, subresource } = target;
    if (resource === "") throw new KubectlError("resource must be specified if apiGroup/subresource specified");
    all ||= resource === "*";
    const mapping =
      resource === "*" ? undefined : yield* context.discovery().find(group === "" ? resource : `${resource}.${group}`);
    const known = mapping === undefined ? target : { resource: mapping.plural, group: mapping.group, subresource };
    let isSpecial = false;
    for (const verb of all ? [] : verbs) {
      const types = specialVerbs[verb];
      if (types === undefined) continue;
      if (!types.includes(`${known.resource}.${known.group}`))
        throw new KubectlError(`can not perform '${verb}' on '${known.resource}' in group '${known.group}'`);
      isSpecial = true;
    }
    if (mapping === undefined && !all && !isSpecial) {
      // Upstream's mapper gives a list of one error, which is printed without `error: `.
      const inGroup = group === "" ? "" : ` in group ${JSON.stringify(group)}`;
      const message = `the server doesn't have a resource type ${JSON.stringify(resource)}${inGroup}`;
      throw new AggregateFailure([new KubectlError(message)], true);
    }
    found.push(known);
  }
  return found;
}

function rulesOf(
  targets: readonly Target[],
  verbs: readonly string[],
  names: readonly string[],
  urls: readonly string[],
): readonly JsonObject[] {
  const byGroup = new Map<string, string[]>();
  for (const { resource, group, subresource } of targets) {
    const text = subresource === "" ? resource : `${resource}/${subresource}`;
    const resources = byGroup.get(group) ?? [];
    if (!resources.includes(text)) resources.push(text);
    byGroup.set(group, resources);
  }
  const rules = [...byGroup.keys()].sort().map(
    (group): JsonObject => ({
      verbs,
      apiGroups: [group],
      resources: byGroup.get(group) ?? [],
      ...(names.length === 0 ? {} : { resourceNames: names }),
    }),
  );
  return urls.length === 0 ? rules : [...rules, { verbs, nonResourceURLs: urls }];
}

function* warnOfVerbs(context: Context, verbs: readonly string[]): Sys<void> {
  for (const verb of verbs) {
    if (!resourceVerbs.includes(verb)) yield* context.err(`Warning: '${verb}' is not a standard resource verb\n`);
  }
}

export const createRole: Command = {
  path: "create role",
  *run(context) {
    const name = nameArgument(context);
    const verbs = verbsOf(context);
    const targets = targetsOf(context);
    if (verbs.length === 0) throw new KubectlError("at least one verb must be specified");
    yield* warnOfVerbs(context, verbs);
    if (targets.length === 0) throw new KubectlError("at least one resource must be specified");
    const known = yield* resolved(context, targets, verbs);
    const role: JsonObject = {
      kind: "Role",
      apiVersion: `${rbac}/v1`,
      metadata: metadataFor(context, name),
      rules: rulesOf(known, verbs, unique(context.flags.list("resource-name")), []),
    };
    yield* createObject(context, role, "");
  },
};

function checkUrls(urls: readonly string[], verbs: readonly string[]): void {
  const wrong = urls.length === 0 ? undefined : verbs.find((verb) => !urlVerbs.includes(verb));
  if (wrong !== undefined) throw new KubectlError(`invalid verb: '${wrong}' for nonResourceURL`);
  for (const url of urls) {
    if (url === "*") continue;
    if (!url.startsWith("/")) throw new KubectlError("nonResourceURL should start with /");
    if (url.slice(0, -1).includes("*"))
      throw new KubectlError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
}

export const createClusterRole: Command = {
  path: "create clusterrole",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const verbs = verbsOf(context);
    const targets = targetsOf(context);
    const names = unique(flags.list("resource-name"));
    const urls = unique(flags.list("non-resource-url"));
    const aggregation = flags.list("aggregation-rule").map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const head = { kind: "ClusterRole", apiVersion: `${rbac}/v1`, metadata: { name } };
    if (aggregation.length > 0) {
      if (urls.length + verbs.length + targets.length + names.length > 0)
        throw new KubectlError("aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames");
      const selectors = [{ matchLabels: Object.fromEntries(aggregation) }];
      return yield* createObject(context, { ...head, rules: null, aggregationRule: { clusterRoleSelectors: selectors } }, "");
    }
    if (verbs.length === 0) throw new KubectlError("at least one verb must be specified");
    if (targets.length === 0 && urls.length === 0) throw new KubectlError("one of resource or nonResourceURL must be specified");
    if (targets.length > 0) yield* warnOfVerbs(context, verbs);
    const known = yield* resolved(context, targets, verbs);
    checkUrls(urls, verbs);
    yield* createObject(context, { ...head, rules: rulesOf(known, verbs, names, urls) }, "");
  },
};
