// Creates the objects of a multi-document YAML, as `kubectl create -f` would.

import { parseAllDocuments } from "yaml";
import { builtInTypes } from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";

/** Objects that are there already stay as they are. Throws for kinds that are not built in. */
export function applyManifests(client: Client, text: string): void {
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeObject | null;
    if (object === null) continue;
    const type = builtInTypes.find((kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion);
    if (type === undefined) throw new Error(`there is no built-in kind ${object.apiVersion} ${object.kind}`);
    client.create(type, object);
  }
}

function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
