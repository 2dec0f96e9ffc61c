// Requests for places that exist and do not take them.

import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { HttpCall } from "./call.ts";
import { unknownPath, wrongMethod } from "./refusals.ts";
import { replyText } from "./writing.ts";

/** A resource below a namespace that it has not, or without one that it needs. Custom resources have no routes: what they do not answer is nobody's. */
export function refusePlace({ info, responder, headers }: HttpCall, definition: ResourceDefinition): void {
  if (definition.servedSinceMs !== undefined) {
    replyText(responder, 404, "404 page not found\n", headers);
    return;
  }
  const hasRoute = definition.namespaced && info.name === "" && definition.verbs.includes("list");
  throw hasRoute ? wrongMethod() : unknownPath();
}

/** Documents about the API are only read; false for other paths. */
export function refuseWrite({ server }: HttpCall, path: string): false {
  const isGroup = server.served.some(({ group, version }) =>
    group === "" ? path === `/api/${version}` : [`/apis/${group}`, `/apis/${group}/${version}`].includes(path),
  );
  if (isGroup || ["/version", "/api", "/apis"].includes(path)) throw wrongMethod();
  return false;
}
