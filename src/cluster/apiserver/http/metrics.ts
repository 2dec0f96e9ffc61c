// /metrics: the few figures that this server truly counts, in the text format.

import { compareBytes } from "#cluster/api/json-write.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import type { ServedApi } from "./served-api.ts";

/** Metrics name writes by their methods. */
const verbLabels: { readonly [verb: string]: string } = { create: "POST", update: "PUT" };

export function metricsText(server: ServedApi): string {
  const lines = [
    "# HELP apiserver_request_total [STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
    "# TYPE apiserver_request_total counter",
  ];
  const counters = server.audit.counters.map(
    ({ verb, group, resource, subresource, code, count }) =>
      `apiserver_request_total{code="${code}",component="apiserver",group="${group}",resource="${resource}",subresource="${subresource}",verb="${verbLabels[verb] ?? asciiUpperCase(verb)}"} ${count}`,
  );
  lines.push(
    ...counters.sort(),
    "# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split by kind.",
    "# TYPE apiserver_storage_objects gauge",
  );
  for (const [resource, table] of [...server.store.tables].sort(([a], [b]) => compareBytes(a, b))) {
    lines.push(`apiserver_storage_objects{resource="${resource}"} ${table.size}`);
  }
  return `${lines.join("\n")}\n`;
}
