// kubectl auth reconcile: roles and bindings of files, merged by what they mean into what the server has
// (component-helpers/auth/rbac/reconciliation).

import { ApiError } from "#cluster/api/errors.ts";
import type { PolicyRule, RbacV1Subject } from "#cluster/api/generated/types.ts";
import { uncoveredRules } from "#cluster/api/policy-rules.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import { pathOf, type ResourceInfo } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, asKind, isObject, type JsonObject, objectAt, textAt } from "../../documents.ts";
import { isNotFound, KubectlError, throwAll } from "../../errors.ts";
import { type Manifest, readManifests } from "../../resources/manifests.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { dryRunOf } from "../write-options.ts";

const groupVersion = "rbac.authorization.k8s.io/v1";
const roleKinds: ReadonlySet<string> = new Set(["Role", "ClusterRole"]);
const bindingKinds: ReadonlySet<string> = new Set(["RoleBinding", "ClusterRoleBinding"]);
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";
const maxTries = 3;

type Operation = "none" | "create" | "update" | "recreate";

/** What is to be done to one object, and what was missing or too much. */
interface Plan {
  readonly object: JsonObject;
  readonly operation: Operation;
  readonly isProtected: boolean;
  readonly missingRules: readonly PolicyRule[];
  readonly extraRules: readonly PolicyRule[];
  readonly missingSubjects: readonly RbacV1Subject[];
  readonly extraSubjects: readonly RbacV1Subject[];
}

const nothingToTell = { isProtected: false, missingRules: [], extraRules: [], missingSubjects: [], extraSubjects: [] } as const;

export const authReconcile: Command = {
  path: "auth reconcile",
  *run(context) {
    const { flags } = context;
    const files = flags.list("filename");
    if (files.length === 0 && flags.text("kustomize") === "") throw new KubectlError("must specify one of -f and -k");
    if (flags.text("kustomize") !== "") {
      throw new KubectlError("auth reconcile -k is not part of this release of the embedded kubectl");
    }
    if (context.args.length > 0) throw new KubectlError("no arguments are allowed");
    if (dryRunOf(context) === "server") throw new KubectlError("--dry-run=server for command reconcile is not supported yet");
    const { documents } = yield* readManifests(context, files, flags.bool("recursive"));
    const failures: Error[] = [];
    for (const document of documents) {
      if (document instanceof KubectlError) {
        failures.push(document);
        continue;
      }
      try {
        yield* reconcile(context, document);
      } catch (error) {
        if (!(error instanceof KubectlError) && !(error instanceof ApiError)) throw error;
        failures.push(error);
      }
    }
    throwAll(failures);
  },
};

function* reconcile(context: Context, { object }: Manifest): Sys<void> {
  const apiVersion = textAt(object, "apiVersion");
  const kind = textAt(object, "kind");
  if (!apiVersion.startsWith("rbac.authorization.k8s.io/")) return;
  if (apiVersion !== groupVersion) {
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    throw new KubectlError(`only rbac.authorization.k8s.io/v1 is supported: not *${version}.${kind}`);
  }
  if (!roleKinds.has(kind) && !bindingKinds.has(kind)) return;
  const type = yield* context.discovery().forKind(apiVersion, kind);
  if (type === undefined)
    throw new KubectlError(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  const expected = type.namespaced ? inNamespace(object, context.namespace().name) : object;
  yield* tell(context, yield* carryOut(context, type, expected));
}

function inNamespace(object: JsonObject, fallback: string): JsonObject {
  const metadata = objectAt(object, "metadata");
  return { ...object, metadata: { ...metadata, namespace: textAt(metadata, "namespace") || fallback } };
}

/** Plans and writes; plans again when somebody else was faster. */
function* carryOut(context: Context, type: ResourceInfo, expected: JsonObject): Sys<Plan> {
  const name = textAt(expected, "metadata", "name");
  const namespace = textAt(expected, "metadata", "namespace");
  for (let tries = 1; ; tries += 1) {
    const existing = yield* find(context, pathOf(type, namespace, name));
    const plan = planFor(context, expected, existing);
    if (plan.isProtected || dryRunOf(context) === "client" || plan.operation === "none") return plan;
    try {
      return { ...plan, object: yield* write(context, type, plan, existing) };
    } catch (error) {
      const isRace = error instanceof ApiError && (error.reason === "Conflict" || error.reason === "AlreadyExists");
      if (!isRace || tries === maxTries) throw error;
    }
  }
}

function* find(context: Context, path: string): Sys<JsonObject | undefined> {
  try {
    const answer = yield* context.client().json({ method: "GET", path });
    return isObject(answer) ? answer : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function* write(context: Context, type: ResourceInfo, plan: Plan, existing: JsonObject | undefined): Sys<JsonObject> {
  const { object, operation } = plan;
  const namespace = textAt(object, "metadata", "namespace");
  const path = pathOf(type, namespace, textAt(object, "metadata", "name"));
  const client = context.client();
  if (operation === "update") return asObject(yield* client.json({ method: "PUT", path, body: object }));
  if (operation === "recreate") {
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: textAt(existing, "metadata", "uid") } };
    yield* client.json({ method: "DELETE", path, body });
  } else if (type.namespaced) yield* ensureNamespace(context, namespace);
  return asObject(yield* client.json({ method: "POST", path: pathOf(type, namespace), body: object }));
}

function asObject(answer: JsonValue): JsonObject {
  return isObject(answer) ? answer : {};
}

/** Whoever may not see or make namespaces finds out when the object is written. */
function* ensureNamespace(context: Context, name: string): Sys<void> {
  const client = context.client();
  try {
    if ((yield* find(context, `/api/v1/namespaces/${name}`)) !== undefined) return;
    yield* client.json({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || (error.reason !== "Forbidden" && error.reason !== "AlreadyExists")) throw error;
  }
}

function planFor(context: Context, expected: JsonObject, existing: JsonObject | undefined): Plan {
  const isRole = roleKinds.has(textAt(expected, "kind"));
  if (existing === undefined) {
    return {
      ...nothingToTell,
      object: expected,
      operation: "create",
      missingRules: isRole ? rulesOf(expected) : [],
      missingSubjects: isRole ? [] : subjectsOf(expected),
    };
  }
  const isProtected = textAt(existing, "metadata", "annotations", autoUpdate) === "false";
  const merged = withMetadataOf(expected, existing);
  const base = { ...nothingToTell, object: merged, isProtected, operation: merged === existing ? "none" : "update" } as const;
  return isRole
    ? planRole(base, expected, existing, context.flags.bool("remove-extra-permissions"))
    : planBinding(base, expected, existing, context.flags.bool("remove-extra-subjects"));
}

function planRole(base: Plan, expected: JsonObject, existing: JsonObject, removesExtra: boolean): Plan {
  const wanted = rulesOf(expected);
  const held = rulesOf(existing);
  const bothAggregate = isObject(expected["aggregationRule"]) && isObject(existing["aggregationRule"]);
  const missingRules = uncoveredRules(held, wanted);
  const extraRules = bothAggregate ? [] : uncoveredRules(wanted, held);
  const told = { ...base, missingRules, extraRules };
  if (missingRules.length === 0 && (!removesExtra || extraRules.length === 0)) return told;
  const rules = removesExtra ? wanted : [...held, ...missingRules];
  return { ...told, object: { ...base.object, rules: rules as JsonValue }, operation: "update" };
}

function planBinding(base: Plan, expected: JsonObject, existing: JsonObject, removesExtra: boolean): Plan {
  if (!isSame(objectAt(expected, "roleRef"), objectAt(existing, "roleRef"))) {
    return { ...base, object: expected, operation: "recreate" };
  }
  const wanted = subjectsOf(expected);
  const held = subjectsOf(existing);
  const missingSubjects = without(wanted, held);
  const extraSubjects = without(held, wanted);
  const told = { ...base, missingSubjects, extraSubjects };
  if (missingSubjects.length === 0 && (!removesExtra || extraSubjects.length === 0)) return told;
  const subjects = removesExtra ? wanted : [...held, ...missingSubjects];
  return { ...told, object: { ...base.object, subjects: subjects as JsonValue }, operation: "update" };
}

/** `existing` with the labels and annotations that it lacks; the same object when it lacks none. */
function withMetadataOf(expected: JsonObject, existing: JsonObject): JsonObject {
  let metadata = objectAt(existing, "metadata");
  for (const field of ["labels", "annotations"]) {
    const own = objectAt(metadata, field);
    const wanted = objectAt(expected, "metadata", field);
    if (Object.keys(wanted).some((key) => own[key] === undefined)) metadata = { ...metadata, [field]: { ...wanted, ...own } };
  }
  return metadata === existing["metadata"] ? existing : { ...existing, metadata };
}

function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return asKind(arrayAt(role, "rules"));
}

function subjectsOf(binding: JsonObject): readonly RbacV1Subject[] {
  return asKind(arrayAt(binding, "subjects"));
}

function without(subjects: readonly RbacV1Subject[], others: readonly RbacV1Subject[]): readonly RbacV1Subject[] {
  return subjects.filter((subject) => !others.some((other) => isSame(subject, other)));
}

function isSame(a: object, b: object): boolean {
  const fields: readonly string[] = ["apiGroup", "kind", "name", "namespace"];
  const value = (object: object, field: string): unknown => (object as { readonly [field: string]: unknown })[field] ?? "";
  return fields.every((field) => value(a, field) === value(b, field));
}

function* tell(context: Context, plan: Plan): Sys<void> {
  const { flags } = context;
  yield* context.out(writingPrinter(context, "reconciled")(plan.object));
  if (plan.operation === "none") return;
  const caveat = plan.isProtected ? ", but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)" : "";
  yield* context.err(`\treconciliation required ${plan.operation}${caveat}\n`);
  yield* tellEach(context, "missing subjects added", plan.missingSubjects.map(goSubject));
  if (flags.bool("remove-extra-subjects")) yield* tellEach(context, "extra subjects removed", plan.extraSubjects.map(goSubject));
  yield* tellEach(context, "missing rules added", plan.missingRules.map(goRule));
  if (flags.bool("remove-extra-permissions")) yield* tellEach(context, "extra rules removed", plan.extraRules.map(goRule));
}

function* tellEach(context: Context, what: string, lines: readonly string[]): Sys<void> {
  if (lines.length > 0) yield* context.err(`\t${what}:\n${lines.map((line) => `\t\t${line}\n`).join("")}`);
}

/** As Go's %+v prints them. */
function goRule({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): string {
  const list = (words: readonly string[]): string => `[${words.join(" ")}]`;
  return `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;
}

function goSubject({ kind, apiGroup = "", name, namespace = "" }: RbacV1Subject): string {
  return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
}
