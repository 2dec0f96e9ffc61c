// kubectl auth can-i and kubectl auth whoami.

import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, isObject, objectAt, textAt, valueAt } from "../documents.ts";
import { ExitError, isNotFound, KubectlError } from "../errors.ts";
import { namedPrinter } from "../printers/object-printer.ts";
import { TabWriter } from "../printers/tab-writer.ts";

const resourceVerbs = new Set(
  "get list watch create update patch delete deletecollection use bind impersonate * approve sign escalate attest".split(" "),
);
const pathVerbs = new Set("get put post head options delete patch *".split(" "));

function* reviewOf(context: Context): Sys<JsonValue> {
  const { flags, args } = context;
  const [verb = "", target = "", name = ""] = args;
  const subresource = flags.text("subresource");
  if (target.startsWith("/")) {
    if (subresource !== "") throw new KubectlError("--subresource can not be used with NonResourceURL");
    if (!pathVerbs.has(verb)) yield* context.err(`Warning: verb '${verb}' is not a known verb\n\n`);
    return { nonResourceAttributes: { verb, path: target } };
  }
  const slash = target.indexOf("/");
  const type = slash < 0 ? target : target.slice(0, slash);
  const mapping = type === "*" ? undefined : yield* context.discovery().find(type);
  const namespace = flags.bool("all-namespaces") ? "" : context.namespace().name;
  if (mapping === undefined && type !== "*" && !["users", "groups"].includes(type)) {
    yield* context.err(`Warning: the server doesn't have a resource type '${type.split(".")[0] ?? ""}'\n\n`);
  }
  if (mapping !== undefined && !mapping.namespaced && !flags.bool("all-namespaces") && namespace !== "") {
    const group = mapping.group === "" ? "" : ` in group '${mapping.group}'`;
    yield* context.err(`Warning: resource '${mapping.plural}' is not namespace scoped${group}\n\n`);
  }
  if (!resourceVerbs.has(verb)) yield* context.err(`Warning: verb '${verb}' is not a known verb\n\n`);
  return {
    resourceAttributes: {
      ...(namespace === "" ? {} : { namespace }),
      verb,
      ...(mapping === undefined ? {} : { group: mapping.group }),
      resource: mapping?.plural ?? type,
      ...(subresource === "" ? {} : { subresource }),
      ...(slash < 0 ? (name === "" ? {} : { name }) : { name: target.slice(slash + 1) }),
    },
  };
}

function* listRules(context: Context): Sys<void> {
  const answer = yield* context.client().json({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace: context.namespace().name } },
  });
  const writer = new TabWriter();
  if (!context.flags.bool("no-headers")) writer.row(["Resources", "Non-Resource URLs", "Resource Names", "Verbs"]);
  const list = (rule: JsonValue, field: string) => `[${arrayAt(rule, field).join(" ")}]`;
  for (const rule of arrayAt(answer, "status", "resourceRules")) {
    for (const resource of arrayAt(rule, "resources")) {
      const group = arrayAt(rule, "apiGroups")[0];
      const name = group === "" || group === undefined ? String(resource) : `${String(resource)}.${String(group)}`;
      writer.row([name, "[]", list(rule, "resourceNames"), list(rule, "verbs")]);
    }
  }
  for (const rule of arrayAt(answer, "status", "nonResourceRules"))
    writer.row(["", list(rule, "nonResourceURLs"), "[]", list(rule, "verbs")]);
  yield* context.out(writer.flush());
}

const canI: Command = {
  path: "auth can-i",
  *run(context) {
    const { flags, args } = context;
    if (flags.bool("list")) return yield* listRules(context);
    if (args.length < 2 || args.length > 3) {
      throw new KubectlError(
        "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
      );
    }
    if (flags.bool("no-headers")) throw new KubectlError("--no-headers cannot be set without --list specified");
    const answer = yield* context.client().json({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: yield* reviewOf(context) },
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
    let answer: JsonValue;
    try {
      answer = yield* context.client().json({
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
    } catch (error) {
      if (isNotFound(error)) throw new KubectlError("the selfsubjectreviews API is not enabled in the cluster");
      throw error;
    }
    const printer = namedPrinter(context);
    if (printer !== undefined && isObject(answer)) return yield* context.out(printer(answer));
    const user = objectAt(answer, "status", "userInfo");
    const writer = new TabWriter();
    writer.row(["ATTRIBUTE", "VALUE"]);
    const list = (value: JsonValue | undefined) => `[${(Array.isArray(value) ? value : []).join(" ")}]`;
    if (textAt(user, "username") !== "") writer.row(["Username", textAt(user, "username")]);
    if (textAt(user, "uid") !== "") writer.row(["UID", textAt(user, "uid")]);
    if (arrayAt(user, "groups").length > 0) writer.row(["Groups", list(valueAt(user, "groups"))]);
    const extra = objectAt(user, "extra");
    for (const key of Object.keys(extra).sort()) writer.row([`Extra: ${key}`, list(extra[key])]);
    yield* context.out(writer.flush());
  },
};

export const authCommands: readonly Command[] = [canI, whoAmI];
