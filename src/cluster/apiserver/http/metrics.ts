// /metrics: the few figures that this server truly counts, in the text format.

import type { PriorityLevelConfiguration } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { buildInfoHelp, buildInfoText } from "#cluster/zpages/build-info.ts";
import { startTimeText } from "#cluster/zpages/sli-page.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { checkCounts } from "./health.ts";
import type { ServedApi } from "./served-api.ts";

/** Metrics name writes by their methods. */
const verbLabels: { readonly [verb: string]: string } = { create: "POST", update: "PUT" };

export function metricsText(server: ServedApi): string {
  const lines = [
    ...(server.store.encryption?.metrics() ?? []),
    "# HELP apiserver_request_total [STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
    "# TYPE apiserver_request_total counter",
  ];
  const counters = server.audit.counters.map(
    ({ verb, group, resource, subresource, code, count }) =>
      `apiserver_request_total{code="${code}",component="apiserver",group="${group}",resource="${resource}",subresource="${subresource}",verb="${verbLabels[verb] ?? asciiUpperCase(verb)}"} ${count}`,
  );
  lines.push(
    ...counters.sort(),
    ...(server.peers?.metrics() ?? []),
    ...family(
      "apiserver_requested_deprecated_apis",
      "gauge",
      "[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
      [...server.deprecatedUses].sort(compareBytes).map((labels) => [labels, 1]),
    ),
    "# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split by kind.",
    "# TYPE apiserver_storage_objects gauge",
  );
  for (const [resource, table] of [...server.store.tables].sort(([a], [b]) => compareBytes(a, b))) {
    lines.push(`apiserver_storage_objects{resource="${resource}"} ${table.size}`);
  }
  lines.push(...flowControlLines(server), ...family("kubernetes_build_info", "gauge", buildInfoHelp, [[buildInfoText, 1]]));
  return `${lines.join("\n")}\n${startTimeText(server.startedMs)}`;
}

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`, together. */
const allSeats = 600;

interface Seats {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** Each level's part of all seats, and what of it others may borrow and it may borrow itself (apf_controller.go). */
function seatsOf(levels: readonly Stored<PriorityLevelConfiguration>[]): ReadonlyMap<string, Seats> {
  const sharesOf = ({ spec }: Stored<PriorityLevelConfiguration>): number =>
    (spec?.limited ?? spec?.exempt)?.nominalConcurrencyShares ?? 0;
  const all = levels.reduce((sum, level) => sum + sharesOf(level), 0);
  return new Map(
    levels.map((level): [string, Seats] => {
      const nominal = all === 0 ? 0 : Math.ceil((allSeats * sharesOf(level)) / all);
      const { limited, exempt } = level.spec ?? {};
      const part = (percent: number): number => Math.round((nominal * percent) / 100);
      const borrowable = limited?.borrowingLimitPercent === undefined ? allSeats : part(limited.borrowingLimitPercent);
      const lendable = part((limited ?? exempt)?.lendablePercent ?? 0);
      return [level.metadata.name, { nominal, lower: nominal - lendable, upper: nominal + borrowable }];
    }),
  );
}

/** Of API Priority and Fairness: nothing waits, and nothing is refused. */
function flowControlLines({ flowControl, store }: ServedApi): readonly string[] {
  const table = store.table("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io");
  const levels = table.list("") as readonly KubeObject[] as readonly Stored<PriorityLevelConfiguration>[];
  const dispatched = [...flowControl.dispatched].filter(([names]) => names !== "").sort(([a], [b]) => compareBytes(a, b));
  const labelled = (value: (count: number) => number) =>
    dispatched.map(([names, count]) => {
      const [schema = "", level = ""] = names.split(" ");
      return [`flow_schema="${schema}",priority_level="${level}"`, value(count)] as const;
    });
  const seats = [...seatsOf(levels)].sort(([a], [b]) => compareBytes(a, b));
  const ofLevels = (value: (seats: Seats) => number) =>
    seats.map(([name, each]) => [`priority_level="${name}"`, value(each)] as const);
  const prefix = "apiserver_flowcontrol_";
  return [
    ...family(
      `${prefix}current_executing_requests`,
      "gauge",
      "[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem",
      labelled(() => 0),
    ),
    ...family(
      `${prefix}current_inqueue_requests`,
      "gauge",
      "[BETA] Number of requests currently pending in queues of the API Priority and Fairness subsystem",
      labelled(() => 0),
    ),
    ...family(
      `${prefix}dispatched_requests_total`,
      "counter",
      "[BETA] Number of requests executed by API Priority and Fairness subsystem",
      labelled((count) => count),
    ),
    ...family(
      `${prefix}lower_limit_seats`,
      "gauge",
      "[ALPHA] Configured lower bound on number of execution seats available to each priority level",
      ofLevels(({ lower }) => lower),
    ),
    ...family(
      `${prefix}nominal_limit_seats`,
      "gauge",
      "[BETA] Nominal number of execution seats configured for each priority level",
      ofLevels(({ nominal }) => nominal),
    ),
    ...family(
      `${prefix}upper_limit_seats`,
      "gauge",
      "[ALPHA] Configured upper bound on number of execution seats available to each priority level",
      ofLevels(({ upper }) => upper),
    ),
  ];
}

function family(
  name: string,
  type: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  if (samples.length === 0) return [];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}{${labels}} ${value}`)];
}

/** /metrics/slis: what the health checks have come to. */
export function sliText(server: ServedApi): string {
  const counts = [...checkCounts(server)].map(([key, count]) => {
    const [type = "", name = "", status = ""] = key.split(" ");
    return { type, name, status, count };
  });
  const now = new Map<string, number>();
  for (const { type, name } of counts) now.set(`name="${name}",type="${type}"`, server.failing([name]).length === 0 ? 1 : 0);
  const totals = counts.map(
    ({ type, name, status, count }) => [`name="${name}",status="${status}",type="${type}"`, count] as const,
  );
  const byLabels = ([a]: readonly [string, number], [b]: readonly [string, number]): number => compareBytes(a, b);
  const lines = [
    ...family(
      "kubernetes_healthcheck",
      "gauge",
      "[STABLE] This metric records the result of a single healthcheck.",
      [...now].sort(byLabels),
    ),
    ...family(
      "kubernetes_healthchecks_total",
      "counter",
      "[STABLE] This metric records the results of all healthcheck.",
      totals.sort(byLabels),
    ),
  ];
  return `${lines.map((line) => `${line}\n`).join("")}${startTimeText(server.startedMs)}`;
}
