// kubectl diff: what apply would change, shown by the diff program over two directories of YAML files.

import { ApiError } from "#cluster/api/errors.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { lastApplied, lastAppliedAnnotation } from "../apply/last-applied.ts";
import { applyPatch } from "../apply/three-way.ts";
import { pathOf } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { isObject, type JsonObject, objectAt, textAt, withValue, writeYaml } from "../documents.ts";
import { describeFailure, ExitError, isNotFound, KubectlError, throwAll } from "../errors.ts";
import { fetchObject, type Info, select, selectionFromFlags } from "../resources/selection.ts";

const maxAttempts = 4;

export const diff: Command = {
  path: "diff",
  *run(context) {
    try {
      yield* compare(context);
    } catch (error) {
      if (!isOwnError(error) || error instanceof ExitError) throw error;
      // 1 means that there are differences: failures are one higher.
      const { text, code } = describeFailure(error);
      throw new ExitError(code + 1, text.replace(/\n$/, ""));
    }
  },
};

function* compare(context: Context): Sys<void> {
  const { flags, args } = context;
  if (args.length > 0) throw context.usageError(`Unexpected args: [${args.join(" ")}]`);
  if (flags.list("filename").length === 0 && flags.text("kustomize") === "") {
    throw new KubectlError("must specify one of -f and -k");
  }
  if (flags.bool("force-conflicts") && !flags.bool("server-side")) {
    throw new KubectlError("--force-conflicts only works with --server-side");
  }
  if (flags.bool("prune")) throw new KubectlError("diff --prune is not part of this release of the embedded kubectl");
  const found = yield* select(context, { ...selectionFromFlags(context, []) });
  throwAll(found.errors);
  const directories = { live: temporaryDirectory(context, "LIVE"), merged: temporaryDirectory(context, "MERGED") };
  try {
    for (const info of found.infos) {
      const { live, merged } = yield* bothSides(context, info);
      const [before, after] = shown(context, live, merged);
      const name = fileName(info);
      context.self.writeFile(`${directories.live}/${name}`, before === undefined ? emptySide(info) : writeYaml(before));
      context.self.writeFile(`${directories.merged}/${name}`, writeYaml(after));
    }
    yield* runDiff(context, directories.live, directories.merged);
  } finally {
    for (const directory of Object.values(directories)) removeDirectory(context, directory);
  }
}

/** A Secret that is not there yet is masked to nothing at all, which is written as null. */
function emptySide({ mapping }: Info): string {
  return mapping.kind === "Secret" && mapping.group === "" ? "null\n" : "";
}

function temporaryDirectory({ self }: Context, prefix: string): string {
  const path = `/tmp/${prefix}-${self.random.text(10, "0123456789")}`;
  self.mkdir(path, 0o700);
  return path;
}

function removeDirectory({ self }: Context, path: string): void {
  for (const name of self.readdir(path)) self.unlink(`${path}/${name}`);
  self.rmdir(path);
}

/** `apps.v1.Deployment.default.web` */
function fileName({ mapping, namespace, name }: Info): string {
  const group = mapping.group === "" ? "" : `${mapping.group}.`;
  return `${group}${mapping.version}.${mapping.kind}.${namespace}.${name}`;
}

function* liveObject(context: Context, info: Info): Sys<JsonObject | undefined> {
  try {
    return yield* fetchObject(context, info);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The live object, and what becomes of this very version of it; when it keeps changing, what becomes of any version. */
function* bothSides(context: Context, info: Info): Sys<{ readonly live: JsonObject | undefined; readonly merged: JsonObject }> {
  for (let attempt = 1; ; attempt += 1) {
    const live = yield* liveObject(context, info);
    const isLast = attempt === maxAttempts;
    if (isLast) {
      const { group, version, kind } = info.mapping;
      const text = `Object (${group}/${version}, Kind=${kind}: ${info.name}) keeps changing, diffing without lock`;
      yield* context.err(klogLine(context.self, "W", "diff.go:723", text));
    }
    try {
      return { live, merged: yield* mergedObject(context, info, live, !isLast) };
    } catch (error) {
      if (isLast || !(error instanceof ApiError && error.reason === "Conflict")) throw error;
    }
  }
}

/** The object as the server would keep it: a dry run of what apply does. */
function* mergedObject(context: Context, info: Info, live: JsonObject | undefined, locks: boolean): Sys<JsonObject> {
  const { flags } = context;
  const local = info.object ?? {};
  const query = { dryRun: "All", fieldManager: flags.text("field-manager") };
  const path = pathOf(info.mapping, info.namespace, info.name);
  if (flags.bool("server-side")) {
    return yield* send(context, {
      method: "PATCH",
      path,
      query: {
        ...query,
        fieldManager: flags.changed("field-manager") ? flags.text("field-manager") : "kubectl",
        force: flags.bool("force-conflicts"),
      },
      contentType: "application/apply-patch+yaml",
      body: local,
    });
  }
  if (live === undefined) {
    return yield* send(context, { method: "POST", path: pathOf(info.mapping, info.namespace), query, body: local });
  }
  const { type, patch } = applyPatch(lastApplied(live) ?? {}, withoutAnnotation(local), live);
  if (Object.keys(patch).length === 0) return live;
  const contentType = type === "strategic" ? "application/strategic-merge-patch+json" : "application/merge-patch+json";
  const body = locks ? withValue(patch, ["metadata", "resourceVersion"], textAt(live, "metadata", "resourceVersion")) : patch;
  return yield* send(context, { method: "PATCH", path, query, contentType, body });
}

/** The manifest as it is kept after an apply: always with a map of annotations. */
function withoutAnnotation(object: JsonObject): JsonObject {
  const { [lastAppliedAnnotation]: _last, ...annotations } = objectAt(object, "metadata", "annotations");
  return withValue(object, ["metadata", "annotations"], annotations);
}

function* send(context: Context, request: Parameters<ReturnType<Context["client"]>["json"]>[0]): Sys<JsonObject> {
  const answer = yield* context.client().json(request);
  return isObject(answer) ? answer : {};
}

/** Both sides as they are printed: without managed fields, the data of Secrets masked. */
function shown(
  { flags }: Context,
  live: JsonObject | undefined,
  merged: JsonObject,
): readonly [JsonObject | undefined, JsonObject] {
  const trim = (object: JsonObject): JsonObject =>
    flags.bool("show-managed-fields") ? object : withValue(object, ["metadata", "managedFields"], undefined);
  const before = live === undefined ? undefined : trim(live);
  const after = trim(merged);
  if (textAt(merged, "kind") !== "Secret" || flags.bool("show-secrets")) return [before, after];
  const from = objectAt(before, "data");
  const to = objectAt(after, "data");
  const masked = (own: JsonObject, other: JsonObject, suffix: string): JsonObject =>
    Object.fromEntries(
      Object.entries(own).map(([key, value]) => [key, key in other && other[key] !== value ? `*** (${suffix})` : "***"]),
    );
  const mask = (object: JsonObject, data: JsonObject): JsonObject =>
    Object.keys(data).length === 0 ? object : withValue(object, ["data"], data);
  return [before === undefined ? undefined : mask(before, masked(from, to, "before")), mask(after, masked(to, from, "after"))];
}

function* runDiff(context: Context, live: string, merged: string): Sys<void> {
  const { self } = context;
  const [program = "diff", ...given] = (self.env.get("KUBECTL_EXTERNAL_DIFF") || "diff -u -N").split(" ");
  const options = given.filter((word) => /^[a-zA-Z0-9=-]+$/.test(word));
  const argv = self.env.has("KUBECTL_EXTERNAL_DIFF") ? [program, live, merged, ...options] : [program, ...options, live, merged];
  const path = program.includes("/")
    ? program
    : (self.env.get("PATH") ?? "")
        .split(":")
        .map((folder) => `${folder}/${program}`)
        .find((candidate) => exists(context, candidate));
  if (path === undefined) {
    throw new KubectlError(
      `failed to run ${JSON.stringify(program)}: exec: ${JSON.stringify(program)}: executable file not found in $PATH`,
    );
  }
  const status = yield* self.wait(self.spawn({ run: path, argv }));
  const code = status?.code ?? 1;
  if (code === 0) return;
  if (code === 1) throw new ExitError(1);
  throw new KubectlError(`failed to run ${JSON.stringify(program)}: exit status ${code}`);
}

function exists({ self }: Context, path: string): boolean {
  try {
    return self.stat(path).type !== "directory";
  } catch {
    return false;
  }
}
