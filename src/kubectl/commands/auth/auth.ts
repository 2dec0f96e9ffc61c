// kubectl auth can-i and kubectl auth whoami.

import { ApiError } from "#cluster/api/errors.ts";
import type { PolicyRule } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import type { ResourceInfo } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, asKind, isObject, objectAt, textAt, valueAt } from "../../documents.ts";
import { ExitError, isNotFound, KubectlError } from "../../errors.ts";
import { namedPrinter } from "../../printers/object-printer.ts";
import { ruleColumns, ruleRows } from "../../printers/policy-rules.ts";
import { TabWriter } from "../../printers/tab-writer.ts";
import { authReconcile } from "./auth-reconcile.ts";

const resourceVerbs = new Set(
  "get list watch create update patch delete deletecollection use bind impersonate * approve sign escalate attest".split(" "),
);
const pathVerbs = new Set("get put post head options delete patch *".split(" "));
/** What can be impersonated and is no resource that the server lists. */
const unlistedTypes = new Set(["users", "groups"]);

function* warn(context: Context, message: string): Sys<void> {
  yield* context.err(`${context.client().warningLabel()} ${message}\n`);
}

/** What `TYPE` names; undefined for `*` and for a type that the server has not, which is warned of. */
function* typeOf(context: Context, word: string): Sys<ResourceInfo | undefined> {
  if (word === "*") return undefined;
  const lower = asciiLowerCase(word);
  const found = yield* context.discovery().find(lower);
  if (found !== undefined || unlistedTypes.has(lower)) return found;
  const dot = lower.indexOf(".");
  const inGroup = dot < 0 ? "" : ` in group '${lower.slice(dot + 1)}'`;
  yield* warn(context, `the server doesn't have a resource type '${dot < 0 ? lower : lower.slice(0, dot)}'${inGroup}\n`);
  return undefined;
}

function* reviewOf(context: Context, verb: string, target: string): Sys<JsonValue> {
  const { flags } = context;
  const subresource = flags.text("subresource");
  if (target.startsWith("/")) {
    if (subresource !== "") throw new KubectlError("--subresource can not be used with NonResourceURL");
    if (!pathVerbs.has(verb)) yield* warn(context, `verb '${verb}' is not a known verb\n`);
    return { nonResourceAttributes: { verb, path: target } };
  }
  const [word = "", ...rest] = target.split("/");
  const name = rest.join("/");
  const type = yield* typeOf(context, word);
  const allNamespaces = flags.bool("all-namespaces");
  const namespace = allNamespaces ? "" : context.namespace().name;
  if (!allNamespaces) {
    if (type !== undefined && !type.namespaced) {
      const inGroup = type.group === "" ? "" : ` in group '${type.group}'`;
      yield* warn(context, `resource '${type.plural}' is not namespace scoped${inGroup}\n`);
    }
    if (!resourceVerbs.has(verb)) yield* warn(context, `verb '${verb}' is not a known verb\n`);
  }
  return {
    resourceAttributes: {
      ...(namespace === "" ? {} : { namespace }),
      verb,
      ...(type === undefined || type.group === "" ? {} : { group: type.group }),
      resource: type?.plural ?? word,
      ...(subresource === "" ? {} : { subresource }),
      ...(name === "" ? {} : { name }),
    },
  };
}

function* listRules(context: Context): Sys<void> {
  const { flags } = context;
  if (context.args.length > 0) throw new KubectlError("list option must be specified with no arguments");
  if (flags.bool("quiet") || flags.bool("all-namespaces") || flags.text("subresource") !== "") {
    throw new KubectlError("list option can't be specified with neither quiet, all-namespaces nor subresource options");
  }
  const answer = yield* context.client().json({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace: context.namespace().name } },
  });
  const status = objectAt(answer, "status");
  if (status["incomplete"] === true) yield* warn(context, `the list may be incomplete: ${textAt(status, "evaluationError")}`);
  const rules = asKind<readonly PolicyRule[]>([...arrayAt(status, "resourceRules"), ...arrayAt(status, "nonResourceRules")]);
  const writer = new TabWriter();
  if (!flags.bool("no-headers")) writer.row(ruleColumns);
  for (const row of ruleRows(rules)) writer.row(row);
  yield* context.out(writer.flush());
}

const canI: Command = {
  path: "auth can-i",
  *run(context) {
    const { flags, args } = context;
    if (flags.bool("list")) return yield* listRules(context);
    const [verb, target, more] = args;
    if (verb === undefined || target === undefined || more !== undefined) {
      throw new KubectlError(
        "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
      );
    }
    const spec = yield* reviewOf(context, verb, target);
    if (flags.bool("no-headers")) throw new KubectlError("--no-headers cannot be set without --list specified");
    const answer = yield* context.client().json({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec },
    });
    const status = objectAt(answer, "status");
    const allowed = status["allowed"] === true;
    const reasons = [textAt(status, "reason"), textAt(status, "evaluationError")].filter((text) => text !== "");
    if (!flags.bool("quiet")) yield* context.out(allowed ? "yes\n" : `no${reasons.map((text) => ` - ${text}`).join("")}\n`);
    if (!allowed) throw new ExitError(1);
  },
};

const whoAmI: Command = {
  path: "auth whoami",
  *run(context) {
    const answer = yield* askWhoIAm(context);
    const printer = namedPrinter(context, { inOrder: true });
    if (printer !== undefined && isObject(answer)) return yield* context.out(printer(answer));
    const user = objectAt(answer, "status", "userInfo");
    const writer = new TabWriter();
    writer.row(["ATTRIBUTE", "VALUE"]);
    const values = (value: JsonValue | undefined) => `[${(Array.isArray(value) ? value : []).join(" ")}]`;
    if (textAt(user, "username") !== "") writer.row(["Username", textAt(user, "username")]);
    if (textAt(user, "uid") !== "") writer.row(["UID", textAt(user, "uid")]);
    if (arrayAt(user, "groups").length > 0) writer.row(["Groups", values(valueAt(user, "groups"))]);
    const extra = objectAt(user, "extra");
    for (const key of Object.keys(extra).sort()) writer.row([`Extra: ${key}`, values(extra[key])]);
    yield* context.out(writer.flush());
  },
};

function* askWhoIAm(context: Context): Sys<JsonValue> {
  const notEnabled = "the selfsubjectreviews API is not enabled in the cluster";
  try {
    return yield* context.client().json({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    });
  } catch (error) {
    if (isNotFound(error)) throw new KubectlError(notEnabled);
    if (error instanceof ApiError && error.reason === "Forbidden") {
      throw new KubectlError(`${notEnabled} or you do not have permission to call it`);
    }
    throw error;
  }
}

export const authCommands: readonly Command[] = [canI, authReconcile, whoAmI];
