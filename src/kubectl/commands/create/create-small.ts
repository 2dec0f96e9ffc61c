// kubectl create namespace and serviceaccount

import type { Command } from "../../context.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

export const createNamespace: Command = {
  path: "create namespace",
  *run(context) {
    const name = nameArgument(context);
    yield* createObject(context, { kind: "Namespace", apiVersion: "v1", metadata: { name }, spec: {}, status: {} }, "");
  },
};

export const createServiceAccount: Command = {
  path: "create serviceaccount",
  *run(context) {
    const name = nameArgument(context);
    yield* createObject(
      context,
      { kind: "ServiceAccount", apiVersion: "v1", metadata: metadataFor(context, name) },
      "serviceaccount",
    );
  },
};
