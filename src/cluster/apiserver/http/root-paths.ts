// What GET / lists.

import type { HttpCall } from "./call.ts";
import { checksOf } from "./health.ts";

export function rootPaths(call: HttpCall): readonly string[] {
  const groups = new Set<string>();
  for (const { group, version } of call.server.served) {
    if (group === "") continue;
    groups.add(`/apis/${group}`);
    groups.add(`/apis/${group}/${version}`);
  }
  const fixed = [
    "/.well-known/openid-configuration",
    "/api",
    "/api/v1",
    "/apis",
    "/apis/",
    "/flagz",
    "/metrics",
    "/metrics/slis",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/statusz",
    "/version",
  ];
  return [...fixed, ...groups, ...healthPaths(call)].sort();
}

/** `/healthz`, `/healthz/ping` …: where each check is asked for by itself. */
function healthPaths({ server }: HttpCall): readonly string[] {
  return Object.entries(checksOf).flatMap(([endpoint, usual]) => [
    `/${endpoint}`,
    ...(server.store.encryption?.checksOf(endpoint, usual) ?? usual).map((check) => `/${endpoint}/${check}`),
  ]);
}
