// What a CONNECT asks for, as admission sees it: no object of the kind that is connected to but the options of the connection
// (PodExecOptions and its like), read from the query (apiserver's ConnectResource, pkg/registry/core).

import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { HttpCall } from "../http/call.ts";
import { isTrue } from "../http/request-info.ts";
import type { ResourceRequest } from "../resource-request.ts";

const kinds: { readonly [subresource: string]: string } = {
  "pods/exec": "PodExecOptions",
  "pods/attach": "PodAttachOptions",
  "pods/portforward": "PodPortForwardOptions",
  "pods/proxy": "PodProxyOptions",
  "services/proxy": "ServiceProxyOptions",
  "nodes/proxy": "NodeProxyOptions",
};

/** Throws what admission refuses with. */
export function admitConnect(call: HttpCall, request: ResourceRequest): void {
  const definition = optionsOf(request.definition, request.subresource);
  const object = { apiVersion: "v1", kind: definition.kind, metadata: {}, ...fieldsOf(call) };
  call.server.pipeline.machinery.admission.admit({ ...request, definition }, "CONNECT", object as KubeObject);
}

/** Admission keeps which of its plugins a definition concerns. */
const definitions = new WeakMap<ResourceDefinition, Map<string, ResourceDefinition>>();

/** The resource that is connected to, with the kind of the options. */
function optionsOf(definition: ResourceDefinition, subresource: string): ResourceDefinition {
  let known = definitions.get(definition);
  if (known === undefined) {
    known = new Map();
    definitions.set(definition, known);
  }
  let options = known.get(subresource);
  if (options === undefined) {
    const name = `${definition.plural}/${subresource}`;
    options = { ...definition, kind: kinds[name] ?? "", schemaType: undefined, storage: name, isOptions: true };
    known.set(subresource, options);
  }
  return options;
}

/** Empty ones are left out, but for the command. */
function fieldsOf({ info, request }: HttpCall): { readonly [name: string]: JsonValue } {
  const { query, subresource } = info;
  if (subresource === "proxy") {
    const path = proxyPath(info.rest, request.target);
    return path === "" ? {} : { path };
  }
  if (subresource === "portforward") {
    const ports = query.getAll("ports").flatMap((text) => text.split(",").map(Number));
    return ports.length === 0 ? {} : { ports };
  }
  const container = query.get("container") ?? "";
  return {
    ...Object.fromEntries(
      ["stdin", "stdout", "stderr", "tty"].filter((name) => isTrue(query.get(name))).map((name) => [name, true]),
    ),
    ...(container === "" ? {} : { container }),
    ...(subresource === "exec" ? { command: query.getAll("command") } : {}),
  };
}

function proxyPath(rest: readonly string[], target: string): string {
  const [path = ""] = target.split("?");
  const joined = rest.length === 0 ? "" : `/${rest.join("/")}`;
  return path.endsWith("/") ? `${joined}/` : joined;
}
