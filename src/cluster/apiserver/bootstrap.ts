// What is there from the start, written by the API server itself: the system namespaces (its storage and start hooks do
// this in reality) and the Service `kubernetes`.

import { ApiError } from "#cluster/api/errors.ts";
import { namespaces } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";

const systemNamespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];

/** Creates what is missing; called at every start. */
export function bootstrapObjects(client: Client): void {
  for (const name of systemNamespaces) {
    ifMissing(() => client.create(namespaces, { metadata: { name } }));
  }
}

function ifMissing(create: () => void): void {
  try {
    create();
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
  }
}
