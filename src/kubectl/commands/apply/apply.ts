// kubectl apply -f: creates what is missing, patches what is there.

import { ApiError } from "#cluster/api/errors.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import type { Sys } from "#sim/program.ts";
import { lastApplied, lastAppliedAnnotation, withLastApplied } from "../../apply/last-applied.ts";
import { applyPatch } from "../../apply/three-way.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { isObject, type JsonObject, textAt, withoutNulls, writeJson } from "../../documents.ts";
import { asOneEntry, isNotFound, KubectlError, throwAll } from "../../errors.ts";
import { awaitDeletion } from "../../resources/awaiting.ts";
import { withRecord } from "../../resources/recording.ts";
import { fetchObject, type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { withoutVersion, writingPrinter } from "../../resources/writing.ts";
import { propagationOf } from "../delete.ts";
import { type DryRun, dryRunOf, dryRunQuery, fieldValidationOf } from "../write-options.ts";
import { migrated } from "./apply-migration.ts";
import { allowedKinds, checkPruning, prune } from "./apply-prune.ts";

const conflictRetries = 5;
/** How long --force waits for an object to be gone. */
const forceLimitMs = 300_000;

const conflictAdvice = `
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

export const apply: Command = {
  path: "apply",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    checkFlags(context, dryRun);
    const allowed = flags.bool("prune") ? yield* allowedKinds(context) : [];
    const { infos, errors } = yield* select(context, { ...selectionFromFlags(context, []), continueOnError: true });
    const failures: Error[] = [];
    if (infos.length === 0 && errors.length === 0) throw new KubectlError("no objects passed to apply");
    for (const info of infos) {
      try {
        if (flags.bool("server-side")) yield* applyOnServer(context, info, dryRun);
        else yield* applyOne(context, info, dryRun);
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof KubectlError)) throw error;
        failures.push(error);
      }
    }
    throwAll(failures.length === 0 ? errors : [...asOneEntry(errors), ...failures]);
    if (flags.bool("prune")) yield* prune(context, infos, allowed);
  },
};

function checkFlags(context: Context, dryRun: DryRun): void {
  const { flags } = context;
  const serverSide = flags.bool("server-side");
  if (context.args.length > 0) throw context.usageError(`Unexpected args: [${context.args.join(" ")}]`);
  if (flags.list("filename").length === 0 && flags.text("kustomize") === "")
    throw new KubectlError("must specify one of -f and -k");
  if (flags.bool("force-conflicts") && !serverSide) throw new KubectlError("--force-conflicts only works with --server-side");
  if (dryRun === "client" && serverSide) {
    throw new KubectlError("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  }
  if (flags.bool("force") && serverSide) throw new KubectlError("--force cannot be used with --server-side");
  if (flags.bool("force") && dryRun === "server") throw new KubectlError("--dry-run=server cannot be used with --force");
  if (flags.bool("all") && flags.text("selector") !== "") {
    throw new KubectlError("cannot set --all and --selector at the same time");
  }
  if (flags.bool("prune")) checkPruning(context);
  if (flags.text("subresource") !== "" && !serverSide)
    throw new KubectlError("--subresource can only be specified for --server-side");
}

function* applyOne(context: Context, info: Info, dryRun: DryRun): Sys<void> {
  const manifest = info.object ?? {};
  const generated = textAt(manifest, "metadata", "generateName");
  if (info.name === "" && generated !== "") throw new KubectlError(`from ${generated}: cannot use generate name with apply`);
  const modified = withLastApplied(withRecord(context, manifest));
  const live = yield* liveObject(context, info);
  if (live === undefined) {
    yield* create(context, info, modified, dryRun);
    return;
  }
  if (lastApplied(live) === undefined) yield* context.err(missingAnnotationWarning(`${info.mapping.plural}/${info.name}`));
  const { object, changed } = yield* patch(context, info, { live, modified, dryRun });
  yield* context.err(deletionWarning(info, object));
  yield* context.out(writingPrinter(context, changed ? "configured" : "unchanged")(object));
}

function deletionWarning({ name }: Info, object: JsonObject): string {
  const isDeleted = textAt(object, "metadata", "deletionTimestamp") !== "";
  return isDeleted ? `Warning: Detected changes to resource ${name} which is currently being deleted.\n` : "";
}

function missingAnnotationWarning(resource: string): string {
  return (
    `Warning: resource ${resource} is missing the ${lastAppliedAnnotation} annotation which is required by kubectl apply. ` +
    "kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. " +
    "The missing annotation will be patched automatically.\n"
  );
}

function* liveObject(context: Context, info: Info): Sys<JsonObject | undefined> {
  try {
    if (info.name === "") throw new KubectlError("resource name may not be empty");
    return yield* fetchObject(context, info);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw withSource(`retrieving current configuration of:\n${describeInfo(info)}\nfrom server for:`, info, error);
  }
}

function* create(context: Context, info: Info, modified: JsonObject, dryRun: DryRun): Sys<void> {
  let object = withoutNulls(modified) as JsonObject;
  if (dryRun !== "client") {
    try {
      const answer = yield* context.client().json({
        method: "POST",
        path: pathOf(info.mapping, info.namespace),
        query: { fieldManager: managerOf(context), fieldValidation: fieldValidationOf(context), ...dryRunQuery(dryRun) },
        body: withoutVersion(object),
      });
      if (isObject(answer)) object = answer;
    } catch (error) {
      throw withSource("creating", info, error);
    }
  }
  yield* context.out(writingPrinter(context, "created")(object));
}

interface PatchTask {
  readonly live: JsonObject;
  readonly modified: JsonObject;
  readonly dryRun: DryRun;
}

/** Sends the three-way patch; after a conflict it is made anew of the object as it then is. */
function* patch(context: Context, info: Info, task: PatchTask): Sys<{ readonly object: JsonObject; readonly changed: boolean }> {
  let { live } = task;
  for (let attempt = 0; ; attempt += 1) {
    const { type, patch: body } = makePatch(info, task.modified, live);
    if (Object.keys(body).length === 0) return { object: live, changed: false };
    if (task.dryRun === "client") return { object: applyMergePatch(live, body) as JsonObject, changed: true };
    try {
      const answer = yield* context.client().json({
        method: "PATCH",
        path: pathOf(info.mapping, info.namespace, info.name),
        query: { fieldManager: managerOf(context), fieldValidation: fieldValidationOf(context), ...dryRunQuery(task.dryRun) },
        contentType: type === "strategic" ? "application/strategic-merge-patch+json" : "application/merge-patch+json",
        body,
      });
      return { object: isObject(answer) ? answer : live, changed: true };
    } catch (error) {
      if (error instanceof ApiError && error.reason === "Conflict" && attempt < conflictRetries) {
        live = yield* fetchObject(context, info);
        continue;
      }
      if (context.flags.bool("force") && error instanceof ApiError && ["Conflict", "Invalid"].includes(error.reason))
        return { object: yield* madeAnew(context, info, task.modified), changed: true };
      const inner = withSource("patching", info, error);
      throw withSource(`applying patch:\n${writeJson(body)}\nto:\n${describeInfo(info)}\nfor:`, info, inner);
    }
  }
}

/** --force: what cannot be patched is deleted, and created again once it is gone. */
function* madeAnew(context: Context, info: Info, modified: JsonObject): Sys<JsonObject> {
  const path = pathOf(info.mapping, info.namespace, info.name);
  const propagationPolicy = yield* propagationOf(context);
  const grace = context.flags.number("grace-period");
  const body: JsonObject = { propagationPolicy, ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}) };
  yield* context.client().json({ method: "DELETE", path, body });
  const limitMs = context.flags.durationMs("timeout") || forceLimitMs;
  yield* awaitDeletion(context, info, undefined, limitMs, context.self.nowMs + limitMs);
  const answer = yield* context.client().json({
    method: "POST",
    path: pathOf(info.mapping, info.namespace),
    query: { fieldManager: managerOf(context), fieldValidation: fieldValidationOf(context) },
    body: withoutVersion(withoutNulls(modified) as JsonObject),
  });
  return isObject(answer) ? answer : {};
}

function makePatch(info: Info, modified: JsonObject, live: JsonObject): ReturnType<typeof applyPatch> {
  try {
    return applyPatch(lastApplied(live) ?? {}, modified, live);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw withSource(
      `applying patch:\n\nto:\n${describeInfo(info)}\nfor:`,
      info,
      withSource("patching", info, new KubectlError(error.message)),
    );
  }
}

function* applyOnServer(context: Context, info: Info, dryRun: DryRun): Sys<void> {
  const { flags } = context;
  const manager = flags.changed("field-manager") ? flags.text("field-manager") : "kubectl";
  const body = withRecord(context, info.object ?? {});
  const send = function* (): Sys<JsonObject> {
    const answer = yield* context.client().json({
      method: "PATCH",
      path: pathOf(info.mapping, info.namespace, info.name, flags.text("subresource")),
      query: {
        fieldManager: manager,
        fieldValidation: fieldValidationOf(context),
        force: flags.bool("force-conflicts"),
        ...dryRunQuery(dryRun),
      },
      contentType: "application/apply-patch+yaml",
      body,
    });
    return isObject(answer) ? answer : {};
  };
  try {
    const object = yield* migrated(context, { info, object: yield* send(), manager, again: send });
    yield* context.err(deletionWarning(info, object));
    yield* context.out(writingPrinter(context, "serverside-applied")(object));
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== "Conflict") throw error;
    throw new KubectlError(error.message + conflictAdvice);
  }
}

function managerOf(context: Context): string {
  return context.flags.text("field-manager") || "kubectl-client-side-apply";
}

function describeInfo({ mapping, name, namespace }: Info): string {
  const version = `${mapping.group}/${mapping.version}`;
  const quote = JSON.stringify;
  return (
    `Resource: ${quote(`${version}, Resource=${mapping.plural}`)}, GroupVersionKind: ${quote(`${version}, Kind=${mapping.kind}`)}\n` +
    `Name: ${quote(name)}, Namespace: ${quote(namespace)}`
  );
}

/** The same failure, naming what was being done and the file that asked for it. */
function withSource(verb: string, info: Info, error: unknown): unknown {
  const place = info.source === "" ? "" : `error when ${verb} ${JSON.stringify(info.source)}: `;
  if (error instanceof ApiError) return new ApiError({ ...error.status, message: `${place}${error.message}` });
  return error instanceof KubectlError ? new KubectlError(`${place}${error.message}`) : error;
}
