// kubectl create job and cronjob

import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { type JsonObject, objectAt, textAt, valueAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { select, selectionFromFlags } from "../../resources/selection.ts";
import { requireFlags } from "../../resources/writing.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

function podTemplate(name: string, image: string, command: readonly string[], restartPolicy: string): JsonObject {
  const container = { name, image, ...(command.length === 0 ? {} : { command }), resources: {} };
  return { metadata: {}, spec: { containers: [container], restartPolicy } };
}

export const createJob: Command = {
  path: "create job",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const image = flags.text("image");
    const from = flags.text("from");
    const command = context.args.slice(1);
    if ((image === "") === (from === "")) throw new KubectlError("either --image or --from must be specified");
    if (from !== "" && command.length > 0) throw new KubectlError("cannot specify --from and command");
    const made =
      from === ""
        ? { metadata: metadataFor(context, name), spec: { template: podTemplate(name, image, command, "Never") } }
        : yield* jobOfCronJob(context, name, from);
    yield* createObject(context, { kind: "Job", apiVersion: "batch/v1", ...made, status: {} }, "job");
  },
};

/** A Job as the CronJob would make it, marked as made by hand. */
function* jobOfCronJob(context: Context, name: string, from: string): Sys<JsonObject> {
  const { infos } = yield* select(context, { ...selectionFromFlags(context, [from]) });
  const [info] = infos;
  if (infos.length !== 1 || info === undefined) throw new KubectlError("from must be an existing cronjob");
  const { kind, version } = info.mapping;
  if (kind !== "CronJob") throw new KubectlError(`unknown object type *${version}.${kind}`);
  const template = valueAt(info.object, "spec", "jobTemplate");
  const labels = objectAt(template, "metadata", "labels");
  return {
    metadata: {
      ...metadataFor(context, name),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations: { "cronjob.kubernetes.io/instantiate": "manual", ...objectAt(template, "metadata", "annotations") },
      ownerReferences: [
        { apiVersion: "batch/v1", kind, name: info.name, uid: textAt(info.object, "metadata", "uid"), controller: true },
      ],
    },
    spec: objectAt(template, "spec"),
  };
}

export const createCronJob: Command = {
  path: "create cronjob",
  *run(context) {
    const { flags } = context;
    requireFlags(context, "image", "schedule");
    const name = nameArgument(context);
    const template = podTemplate(name, flags.text("image"), context.args.slice(1), flags.text("restart") || "OnFailure");
    const cronJob: JsonObject = {
      kind: "CronJob",
      apiVersion: "batch/v1",
      metadata: metadataFor(context, name),
      spec: { schedule: flags.text("schedule"), jobTemplate: { metadata: { name }, spec: { template } } },
      status: {},
    };
    yield* createObject(context, cronJob, "cronjob");
  },
};
