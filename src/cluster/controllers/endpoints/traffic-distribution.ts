// Which hints a Service's traffic distribution gives its endpoints (endpointslice/trafficdist).

import type { Endpoint, EndpointHints } from "#cluster/api/generated/types.ts";

const nearValues: ReadonlySet<string | undefined> = new Set(["PreferClose", "PreferSameZone", "PreferSameNode"]);

/** An endpoint that is ready is for its own zone, and with PreferSameNode for its own node. */
export function withHints(endpoint: Endpoint, distribution: string | undefined): Endpoint {
  if (!nearValues.has(distribution) || endpoint.conditions?.ready !== true) return endpoint;
  const { zone, nodeName } = endpoint;
  const hints: EndpointHints = {
    ...(nodeName === undefined || distribution !== "PreferSameNode" ? {} : { forNodes: [{ name: nodeName }] }),
    ...(zone === undefined ? {} : { forZones: [{ name: zone }] }),
  };
  return Object.keys(hints).length === 0 ? endpoint : { ...endpoint, hints };
}
