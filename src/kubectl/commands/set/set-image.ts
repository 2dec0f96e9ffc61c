// kubectl set image: new images for containers, by name.

import { ApiError } from "#cluster/api/errors.ts";
import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, withValue } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { splitPairs } from "../../resources/pairs.ts";
import { recordedCommand, withRecord } from "../../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { asTyped } from "../../resources/typed.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { dryRunOf, dryRunQuery } from "../write-options.ts";

export const setImage: Command = {
  path: "set image",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    const { resources, pairs } = splitPairs(context.args, "image");
    const images = parsePairs(pairs);
    const local = flags.bool("local");
    const { infos, errors } = yield* select(context, {
      ...selectionFromFlags(context, resources),
      continueOnError: true,
      latest: !local,
      local,
    });
    throwAll(errors);
    throwAll(problemsOf(context, resources, images));
    const failures: Error[] = [];
    const printer = writingPrinter(context, "image updated");
    for (const info of infos) {
      const path = podSpecPaths[info.mapping.kind];
      if (path === undefined) {
        failures.push(
          new KubectlError(
            `error: ${info.mapping.plural}/${info.name} the object is not a pod or does not have a pod template: *v1.${info.mapping.kind}\n`,
          ),
        );
        continue;
      }
      const { patch: change, missing } = imagePatch(info, path, images);
      for (const name of missing) failures.push(new KubectlError(`error: unable to find container named ${JSON.stringify(name)}`));
      const patch = recordedCommand(context) === undefined ? change : withRecord(context, change ?? {});
      if (patch === undefined) continue;
      if (local || dryRun === "client") {
        yield* context.out(printer(asTyped(withRecord(context, patched(info.object ?? {}, path, images)))));
        continue;
      }
      try {
        const answer = yield* context.client().json({
          method: "PATCH",
          path: pathOf(info.mapping, info.namespace, info.name),
          query: { fieldManager: flags.text("field-manager") || "kubectl-set", ...dryRunQuery(dryRun) },
          contentType: "application/strategic-merge-patch+json",
          body: patch,
        });
        yield* context.out(printer(isObject(answer) ? answer : {}));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push(new KubectlError(`failed to patch image update to pod template: ${error.message}`));
      }
    }
    throwAll(failures);
  },
};

function parsePairs(pairs: readonly string[]): ReadonlyMap<string, string> {
  const invalid = pairs.filter((pair) => pair.indexOf("=") <= 0);
  if (invalid.length > 0) throw new KubectlError(`invalid image format: ${invalid.join(", ")}`);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

function problemsOf(context: Context, resources: readonly string[], images: ReadonlyMap<string, string>): readonly Error[] {
  const { flags } = context;
  const problems: string[] = [];
  if (flags.bool("all") && flags.text("selector") !== "") problems.push("cannot set --all and --selector at the same time");
  if (resources.length === 0 && flags.list("filename").length === 0 && flags.text("kustomize") === "") {
    problems.push("one or more resources must be specified as <resource> <name> or <resource>/<name>");
  }
  if (images.size === 0) problems.push("at least one image update is required");
  else if (images.size > 1 && images.has("*")) {
    problems.push("all containers are already specified by *, but saw more than one container_name=container_image pairs");
  }
  return problems.map((text) => new KubectlError(text));
}

const lists = ["initContainers", "containers"] as const;

/** The new image of a container; undefined when no pair names it. */
function imageFor(container: JsonValue, images: ReadonlyMap<string, string>): string | undefined {
  return images.get(textAt(container, "name")) ?? images.get("*");
}

/** The patch for the containers whose image changes, and the names that no container has. */
function imagePatch(
  info: Info,
  path: readonly string[],
  images: ReadonlyMap<string, string>,
): { readonly patch: JsonObject | undefined; readonly missing: readonly string[] } {
  const containers = lists.flatMap((list) => arrayAt(info.object, ...path, list));
  const missing = [...images.keys()].filter(
    (name) => !containers.some((container) => name === "*" || textAt(container, "name") === name),
  );
  let patch: JsonObject | undefined;
  for (const list of lists) {
    const all = arrayAt(info.object, ...path, list);
    const changed = all.flatMap((container): readonly JsonObject[] => {
      const image = imageFor(container, images);
      return image === undefined || image === textAt(container, "image") ? [] : [{ name: textAt(container, "name"), image }];
    });
    if (changed.length === 0) continue;
    const order = all.map((container) => ({ name: textAt(container, "name") }));
    patch = withValue(patch, [...path, `$setElementOrder/${list}`], order);
    patch = withValue(patch, [...path, list], changed);
  }
  return { patch, missing };
}

function patched(object: JsonObject, path: readonly string[], images: ReadonlyMap<string, string>): JsonObject {
  let result = object;
  for (const list of lists) {
    const all = arrayAt(object, ...path, list);
    if (all.length === 0) continue;
    const next = all.map((container) => {
      const image = imageFor(container, images);
      return image === undefined || !isObject(container) ? container : { ...container, image };
    });
    result = withValue(result, [...path, list], next);
  }
  return result;
}
