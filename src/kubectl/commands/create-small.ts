// kubectl create namespace, serviceaccount and job

import type { Command } from "../context.ts";
import { KubectlError } from "../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

export const createNamespace: Command = {
  path: "create namespace",
  *run(context) {
    const name = nameArgument(context);
    yield* createObject(context, { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: {}, status: {} }, "");
  },
};

export const createServiceAccount: Command = {
  path: "create serviceaccount",
  *run(context) {
    const name = nameArgument(context);
    yield* createObject(
      context,
      { apiVersion: "v1", kind: "ServiceAccount", metadata: metadataFor(context, name) },
      "serviceaccount",
    );
  },
};

export const createJob: Command = {
  path: "create job",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const image = flags.text("image");
    const from = flags.text("from");
    if ((image === "") === (from === "")) throw new KubectlError("either --image or --from must be specified");
    if (from !== "") throw new KubectlError("create job --from is not part of this release of the embedded kubectl");
    const command = context.args.slice(1);
    const container = { name, image, ...(command.length === 0 ? {} : { command }), resources: {} };
    yield* createObject(
      context,
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: metadataFor(context, name),
        spec: { template: { metadata: {}, spec: { containers: [container], restartPolicy: "Never" } } },
        status: {},
      },
      "job",
    );
  },
};
