import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, exchangeAs, json, peerOf } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };
const root = "/apis/flowcontrol.apiserver.k8s.io/v1";
const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";

function rowsOf(server: ReturnType<typeof startServer>["server"], plural: string): readonly (readonly JsonValue[])[] {
  const table = json(exchange(server, "GET", `${root}/${plural}`, undefined, { accept }));
  return (table["rows"] as { readonly cells: readonly JsonValue[] }[]).map(({ cells }) => cells);
}

function refusal(server: ReturnType<typeof startServer>["server"], plural: string, object: Fields): JsonValue | undefined {
  return json(exchange(server, "POST", `${root}/${plural}`, object))["message"];
}

describe("flow control", () => {
  it("begins with the schemas that upstream suggests, by precedence", () => {
    const { server, simulation } = startServer();
    simulation.run({ untilMs: simulation.nowMs });
    expect(rowsOf(server, "flowschemas").map((cells) => cells.join(" "))).toEqual([
      "exempt exempt 1 <none> 0s False",
      "probes exempt 2 <none> 0s False",
      "system-leader-election leader-election 100 ByUser 0s False",
      "system-node-high node-high 400 ByUser 0s False",
      "system-nodes system 500 ByUser 0s False",
      "kube-controller-manager workload-high 800 ByNamespace 0s False",
      "kube-scheduler workload-high 800 ByNamespace 0s False",
      "kube-system-service-accounts workload-high 900 ByNamespace 0s False",
      "service-accounts workload-low 9000 ByUser 0s False",
      "global-default global-default 9900 ByUser 0s False",
      "catch-all catch-all 10000 ByUser 0s False",
    ]);
    expect(rowsOf(server, "prioritylevelconfigurations").map((cells) => cells.join(" "))).toEqual([
      "catch-all Limited 5 <none> <none> <none> 0s",
      "exempt Exempt <none> <none> <none> <none> 0s",
      "global-default Limited 20 128 6 50 0s",
      "leader-election Limited 10 16 4 50 0s",
      "node-high Limited 40 64 6 50 0s",
      "system Limited 30 64 6 50 0s",
      "workload-high Limited 40 128 6 50 0s",
      "workload-low Limited 100 128 6 50 0s",
    ]);
  });

  it("says in every reply which schema and level the request belongs to", () => {
    const { server } = startServer();
    const uidOf = (path: string) => (json(exchange(server, "GET", `${root}/${path}`))["metadata"] as Fields)["uid"];
    const classes = (user: string, groups: string[], path = "/api/v1/pods") => {
      const { headers } = exchangeAs(peerOf(user, groups), server, { method: "GET", target: path });
      return [headers["x-kubernetes-pf-flowschema-uid"], headers["x-kubernetes-pf-prioritylevel-uid"]];
    };
    const of = (schema: string, level: string) => [uidOf(`flowschemas/${schema}`), uidOf(`prioritylevelconfigurations/${level}`)];
    expect(classes("admin", ["system:masters"])).toEqual(of("exempt", "exempt"));
    expect(classes("system:node:n1", ["system:nodes"])).toEqual(of("system-nodes", "system"));
    expect(classes("system:node:n1", ["system:nodes"], "/api/v1/nodes/n1")).toEqual(of("system-node-high", "node-high"));
    expect(classes("system:kube-scheduler", [])).toEqual(of("kube-scheduler", "workload-high"));
    expect(classes("jane", [])).toEqual(of("global-default", "global-default"));
    expect(classes("jane", [], "/healthz")).toEqual(of("probes", "exempt"));
  });

  it("tells of schemas whose level is not there", () => {
    const { server, simulation } = startServer();
    const rules = [
      { subjects: [{ kind: "User", user: { name: "jane" } }], nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }] },
    ];
    exchange(server, "POST", `${root}/flowschemas`, {
      metadata: { name: "mine" },
      spec: { priorityLevelConfiguration: { name: "gold" }, rules },
    });
    const condition = () => {
      simulation.run({ untilMs: simulation.nowMs });
      const { conditions } = json(exchange(server, "GET", `${root}/flowschemas/mine`))["status"] as { conditions: Fields[] };
      return conditions.map(({ status, reason, message }) => [status, reason, message]);
    };
    const named = 'This FlowSchema references the PriorityLevelConfiguration object named "gold"';
    expect(condition()).toEqual([["True", "NotFound", `${named} but there is no such object`]]);
    const spec = { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } };
    const level = json(exchange(server, "POST", `${root}/prioritylevelconfigurations`, { metadata: { name: "gold" }, spec }));
    expect(level["spec"]).toEqual({
      type: "Limited",
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: "Queue", queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
    expect(condition()).toEqual([["False", "Found", `${named} and it exists`]]);
  });

  it("refuses what makes no sense", () => {
    const { server } = startServer();
    const invalid = "is invalid: ";
    expect(
      refusal(server, "flowschemas", {
        metadata: { name: "bad" },
        spec: { matchingPrecedence: 1, priorityLevelConfiguration: { name: "" }, rules: [{ subjects: [{ kind: "Robot" }] }] },
      }),
    ).toBe(
      `FlowSchema.flowcontrol.apiserver.k8s.io "bad" ${invalid}[spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1, spec.priorityLevelConfiguration.name: Required value: must reference a priority level, spec.rules[0].subjects[0].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User", spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty]`,
    );
    expect(
      refusal(server, "prioritylevelconfigurations", {
        metadata: { name: "bad" },
        spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8 } } } },
      }),
    ).toBe(
      `PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io "bad" ${invalid}spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)`,
    );
  });

  it("shows in metrics how many seats each level has, and how many requests each schema had", () => {
    const { server, simulation } = startServer();
    simulation.run({ untilMs: simulation.nowMs });
    exchange(server, "GET", "/api/v1/pods");
    exchangeAs(peerOf("nobody", []), server, { method: "GET", target: "/api/v1/pods" });
    const lines = exchange(server, "GET", "/metrics").text.split("\n");
    const samples = (name: string) =>
      lines.filter((line) => line.startsWith(`apiserver_flowcontrol_${name}`)).map((line) => line.slice(22));
    expect(samples("nominal_limit_seats")).toEqual([
      'nominal_limit_seats{priority_level="catch-all"} 13',
      'nominal_limit_seats{priority_level="exempt"} 0',
      'nominal_limit_seats{priority_level="global-default"} 49',
      'nominal_limit_seats{priority_level="leader-election"} 25',
      'nominal_limit_seats{priority_level="node-high"} 98',
      'nominal_limit_seats{priority_level="system"} 74',
      'nominal_limit_seats{priority_level="workload-high"} 98',
      'nominal_limit_seats{priority_level="workload-low"} 245',
    ]);
    expect(samples("lower_limit_seats").at(-1)).toBe('lower_limit_seats{priority_level="workload-low"} 24');
    expect(samples("upper_limit_seats").at(-1)).toBe('upper_limit_seats{priority_level="workload-low"} 845');
    expect(samples("dispatched")).toEqual([
      'dispatched_requests_total{flow_schema="exempt",priority_level="exempt"} 2',
      'dispatched_requests_total{flow_schema="global-default",priority_level="global-default"} 1',
    ]);
  });
});

describe("metrics", () => {
  it("tell the version and since when the server runs, in a form that Prometheus accepts", () => {
    const reply = exchange(startServer().server, "GET", "/metrics");
    expect(reply.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
    expect(reply.text).toMatch(/^kubernetes_build_info\{build_date="[^"]*",compiler="gc",.*,git_version="v1\.36\.\d+",.*\} 1$/m);
    expect(reply.text).toMatch(/^process_start_time_seconds [\d.e+]+\n$/m);
  });
});

describe("indicators of health", () => {
  it("count what each check was found to be", () => {
    const { server } = startServer();
    exchange(server, "GET", "/readyz");
    server.etcd.isReachable = false;
    exchange(server, "GET", "/readyz");
    const text = exchange(server, "GET", "/metrics/slis").text;
    expect(text.split("\n").filter((line) => line.startsWith("#") || line.includes('"etcd"') || line.includes('"ping"'))).toEqual([
      "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.",
      "# TYPE kubernetes_healthcheck gauge",
      'kubernetes_healthcheck{name="etcd",type="readyz"} 0',
      'kubernetes_healthcheck{name="ping",type="readyz"} 1',
      "# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.",
      "# TYPE kubernetes_healthchecks_total counter",
      'kubernetes_healthchecks_total{name="etcd",status="error",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="etcd",status="success",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 2',
      "# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.",
      "# TYPE process_start_time_seconds gauge",
    ]);
  });
});
