import { describe, expect, it } from "vitest";
import { configMaps, pods, resourceQuotas } from "#cluster/api/kinds.ts";
import { peerOf } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { audit, auditedServer } from "./audited-server.test-kit.ts";

const everything = "rules:\n- level: Metadata";
const objects = "rules:\n- level: RequestResponse\nomitStages: [RequestReceived]";
const alice = peerOf("alice", ["dev"]);
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "<1>" } };
const base = "/api/v1/namespaces/default/configmaps";

describe("[API-430] a line of the audit log", () => {
  it("tells, in Go's order, who has asked for what, what was decided and what came of it", () => {
    const { lines, send, simulation } = auditedServer(everything);
    simulation.advance(250);
    lines.length = 0;
    send("POST", `${base}?fieldManager=k`, map, { "audit-id": "chosen", "user-agent": "kubectl/v1.36.3" });
    const head = '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"chosen","stage":';
    const user =
      '"user":{"username":"kubernetes-admin","groups":["system:masters","system:authenticated"],"extra":{"authentication.kubernetes.io/credential-id":["X509SHA256=';
    expect(lines.map((line) => line.replace(/X509SHA256=[^"]*"\]\}\}/, "X509SHA256="))).toEqual([
      `${head}"RequestReceived","requestURI":"${base}?fieldManager=k","verb":"create",${user},"sourceIPs":["172.18.0.10"],"userAgent":"kubectl/v1.36.3","objectRef":{"resource":"configmaps","namespace":"default","apiVersion":"v1"},"requestReceivedTimestamp":"2026-01-01T00:00:00.250000Z","stageTimestamp":"2026-01-01T00:00:00.250000Z"}\n`,
      `${head}"ResponseComplete","requestURI":"${base}?fieldManager=k","verb":"create",${user},"sourceIPs":["172.18.0.10"],"userAgent":"kubectl/v1.36.3","objectRef":{"resource":"configmaps","namespace":"default","name":"a","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},"requestReceivedTimestamp":"2026-01-01T00:00:00.250000Z","stageTimestamp":"2026-01-01T00:00:00.250000Z","annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":""}}\n`,
    ]);
  });

  it("[API-430] [API-429] tells of the server's own write, too: what a quota is charged with", () => {
    const started = startServer();
    const { client } = started;
    const at = { namespace: "default", name: "q" };
    const quota = client.create(resourceQuotas, { metadata: at, spec: { hard: { configmaps: "2" } } });
    client.updateStatus(resourceQuotas, { ...quota, status: { hard: { configmaps: "2" }, used: { configmaps: "0" } } });
    const { events } = audit(started, objects);
    const make = (dryRun: boolean) =>
      client.create(configMaps, { metadata: { namespace: "default", generateName: "a-" } }, { dryRun });
    make(true);
    expect(events().map(({ verb, requestURI }) => [verb, requestURI])).toEqual([
      ["create", "/api/v1/namespaces/default/configmaps?dryRun=All"],
    ]);
    make(false);
    const [charge, create] = events();
    expect(charge).toMatchObject({
      verb: "update",
      requestURI: "/api/v1/namespaces/default/resourcequotas/q/status",
      user: { username: "system:apiserver", groups: ["system:authenticated", "system:masters"] },
      sourceIPs: ["::1"],
      userAgent: expect.stringMatching(/^kube-apiserver\/v1\.36\.\d+ \(linux\/amd64\) kubernetes\/[0-9a-f]{7}$/),
      objectRef: { resource: "resourcequotas", name: "q", subresource: "status" },
      requestObject: { status: { used: { configmaps: "1" } } },
      responseStatus: { code: 200 },
    });
    expect([create?.["verb"], create?.["requestURI"]]).toEqual(["create", "/api/v1/namespaces/default/configmaps"]);
    expect(client.get(resourceQuotas, at).status?.used).toEqual({ configmaps: "1" });
  });

  it("echoes an Audit-ID, or makes one", () => {
    const { events, send } = auditedServer(everything);
    const reply = send("GET", base);
    expect(events().map(({ auditID }) => auditID)).toEqual([reply.headers["audit-id"], reply.headers["audit-id"]]);
    send("GET", base, undefined, { "audit-id": "mine" });
    expect(events().map(({ auditID }) => auditID)).toEqual(["mine", "mine"]);
  });

  it("is a text in the format legacy", () => {
    const { lines, send } = auditedServer("rules:\n- level: Metadata\nomitStages: [RequestReceived]", "--audit-log-format=legacy");
    send("GET", "/version", undefined, { "audit-id": "x", "user-agent": "curl" });
    expect(lines).toEqual([
      '2026-01-01T00:00:00Z AUDIT: id="x" stage="ResponseComplete" ip="172.18.0.10" method="get" user="kubernetes-admin" groups="\\"system:masters\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="curl" namespace="<none>" uri="/version" response="200"\n',
    ]);
  });
});

describe("the decision", () => {
  const rules = "rules:\n- level: Metadata\nomitStages: [RequestReceived]";

  it("names the binding that allowed it", () => {
    const { events, send } = auditedServer(rules);
    const group = "rbac.authorization.k8s.io";
    const at = `/apis/${group}/v1/namespaces/default`;
    const metadata = { name: "see" };
    send("POST", `${at}/roles`, { metadata, rules: [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"] }] });
    const subjects = [{ kind: "User", name: "alice", apiGroup: group }];
    send("POST", `${at}/rolebindings`, { metadata, roleRef: { apiGroup: group, kind: "Role", name: "see" }, subjects });
    events();
    send("GET", base, undefined, {}, alice);
    send("GET", `${base}/a`, undefined, {}, alice);
    send("GET", "/version", undefined, {}, alice);
    send("GET", "/metrics", undefined, {}, alice);
    expect(events().map(({ responseStatus, annotations }) => [responseStatus, annotations])).toEqual([
      [
        { metadata: {}, code: 200 },
        {
          "authorization.k8s.io/decision": "allow",
          "authorization.k8s.io/reason": 'RBAC: allowed by RoleBinding "see/default" of Role "see" to User "alice"',
        },
      ],
      [
        {
          metadata: {},
          status: "Failure",
          message:
            'configmaps "a" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "default"',
          reason: "Forbidden",
          details: { name: "a", kind: "configmaps" },
          code: 403,
        },
        { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "" },
      ],
      [
        { metadata: {}, code: 200 },
        {
          "authorization.k8s.io/decision": "allow",
          "authorization.k8s.io/reason":
            'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
        },
      ],
      [
        {
          metadata: {},
          status: "Failure",
          message: 'forbidden: User "alice" cannot get path "/metrics"',
          reason: "Forbidden",
          details: {},
          code: 403,
        },
        { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "" },
      ],
    ]);
  });

  it("is that of the user who is acted as; the policy sees the real one", () => {
    const { events, send } = auditedServer("rules:\n- level: Metadata\n  users: [kubernetes-admin]\nomitStages: [RequestReceived]");
    send("GET", base, undefined, { "impersonate-user": "alice", "impersonate-group": "dev" });
    const [event] = events();
    expect(event).toMatchObject({
      user: { username: "kubernetes-admin" },
      impersonatedUser: { username: "alice", groups: ["dev", "system:authenticated"] },
      responseStatus: { code: 403 },
      annotations: { "authorization.k8s.io/decision": "forbid" },
    });
    send("GET", base, undefined, {}, alice);
    expect(events()).toEqual([]);
  });

  it("is nobody's where impersonation is refused, or credentials are", () => {
    const { events, send } = auditedServer(everything);
    send("GET", base, undefined, { "impersonate-user": "bob" }, alice);
    expect(
      events().map(({ stage, annotations, responseStatus }) => [
        stage,
        annotations,
        (responseStatus as { code: number } | undefined)?.code,
      ]),
    ).toEqual([
      ["RequestReceived", undefined, undefined],
      ["ResponseComplete", undefined, 403],
    ]);
    send("GET", base, undefined, { authorization: "Bearer wrong", "audit-id": "x" }, { ...alice, certificate: undefined });
    expect(events()).toEqual([
      {
        kind: "Event",
        apiVersion: "audit.k8s.io/v1",
        level: "Metadata",
        auditID: "x",
        stage: "ResponseStarted",
        requestURI: base,
        verb: "list",
        user: {},
        sourceIPs: ["172.18.0.10"],
        objectRef: { resource: "configmaps", namespace: "default", apiVersion: "v1" },
        responseStatus: { metadata: {}, status: "Failure", message: "Unauthorized", reason: "Unauthorized", code: 401 },
        requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
        stageTimestamp: "2026-01-01T00:00:00.000000Z",
      },
    ]);
  });
});

describe("objects", () => {
  it("stand in events from the level Request on, answers at RequestResponse", () => {
    const { events, send } = auditedServer(
      "rules:\n- level: Request\n  verbs: [create]\n- level: RequestResponse\n  verbs: [get]\nomitStages: [RequestReceived]",
    );
    send("POST", base, map);
    send("GET", `${base}/a`);
    const [created, got] = events();
    expect(created?.["requestObject"]).toEqual({ ...map, metadata: { name: "a" } });
    expect([created?.["responseObject"], got?.["requestObject"]]).toEqual([undefined, undefined]);
    expect(got?.["responseObject"]).toMatchObject({ kind: "ConfigMap", metadata: { name: "a" }, data: { x: "<1>" } });
  });

  it("are those of updates with their uid and version, patches as they came, and options of deletes", () => {
    const { events, lines, send } = auditedServer(objects);
    const { metadata } = JSON.parse(send("POST", base, map).text);
    send("PUT", `${base}/a`, { ...map, metadata });
    events();
    send("PUT", `${base}/a`, { ...map, metadata, data: {} });
    expect(events()[0]?.["objectRef"]).toEqual({
      resource: "configmaps",
      namespace: "default",
      name: "a",
      uid: metadata.uid,
      apiVersion: "v1",
      resourceVersion: metadata.resourceVersion,
    });
    const patch = { "content-type": "application/merge-patch+json" };
    send("PATCH", `${base}/a`, '{ "data": {"n":\n "<1.0>" } }', patch);
    expect(lines.splice(0)[0]).toContain('"requestObject":{"data":{"n":"\\u003c1.0\\u003e"}},"responseObject":{"kind":"ConfigMap"');
    send("DELETE", `${base}/a`, { propagationPolicy: "Background" });
    expect(events()[0]).toMatchObject({
      requestObject: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", propagationPolicy: "Background" },
      responseStatus: { metadata: {}, status: "Success", details: { name: "a", kind: "configmaps", uid: metadata.uid }, code: 200 },
      responseObject: { kind: "Status", status: "Success" },
    });
  });

  it("are those that subresources are sent, too: a TokenRequest", () => {
    const { events, send } = auditedServer("rules:\n- level: Request\nomitStages: [RequestReceived]");
    const account = "/api/v1/namespaces/default/serviceaccounts";
    send("POST", account, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
    events();
    send("POST", `${account}/robot/token`, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences: ["here"] },
    });
    expect(events()[0]).toMatchObject({
      objectRef: { resource: "serviceaccounts", namespace: "default", name: "robot", subresource: "token" },
      requestObject: { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", spec: { audiences: ["here"] } },
    });
  });

  it("leave managed fields out where the policy says so: of objects, lists and Tables", () => {
    const managers = (omit: string): readonly boolean[] => {
      const { lines, send } = auditedServer(`${objects}\n${omit}`);
      send("POST", base, map, { "user-agent": "me" });
      send("GET", base);
      send("GET", `${base}?includeObject=Object`, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
      return lines.map((line) => line.includes('"managedFields"'));
    };
    expect(managers("")).toEqual([true, true, true]);
    expect(managers("omitManagedFields: true")).toEqual([false, false, false]);
  });

  it("that are applied as YAML make an event that cannot be written", () => {
    const { events, faults, send } = auditedServer(objects);
    const apply = { "content-type": "application/apply-patch+yaml", "audit-id": "x", "user-agent": "u" };
    send("PATCH", `${base}/a?fieldManager=me`, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n", apply);
    expect(events()).toEqual([]);
    expect(faults).toEqual([
      `Error in audit plugin 'log' affecting 1 audit events: json: error calling MarshalJSON for type *runtime.Unknown: invalid character 'a' looking for beginning of value\nImpacted events:\n2026-01-01T00:00:00Z AUDIT: id="x" stage="ResponseComplete" ip="172.18.0.10" method="patch" user="kubernetes-admin" groups="\\"system:masters\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="u" namespace="default" uri="${base}/a?fieldManager=me" response="201"\n`,
    ]);
  });

  it("go where an event is too long, and then the event", () => {
    const flags = ["--audit-log-truncate-enabled", "--audit-log-truncate-max-event-size=900"];
    const { events, faults, send } = auditedServer(objects, ...flags);
    send("POST", base, { ...map, data: { x: "y".repeat(1000) } });
    expect(events()).toMatchObject([{ annotations: { "audit.k8s.io/truncated": "true" }, responseStatus: { code: 201 } }]);
    send("GET", `${base}?labelSelector=a%3D${"b".repeat(900)}`);
    expect([events(), faults.map((fault) => fault.split("\n")[0])]).toEqual([
      [],
      ["Error in audit plugin 'truncate' affecting 1 audit events: event is too large even after truncating"],
    ]);
  });
});

describe("a long request", () => {
  it("has a stage when its answer begins, and one when it ends", () => {
    const { events, send, simulation } = auditedServer("rules:\n- level: Metadata\n  verbs: [watch]");
    const watch = send("GET", `${base}?watch=1&timeoutSeconds=5`);
    expect(events().map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseStarted"]);
    simulation.advance(6000);
    expect(watch.ended).toBe(true);
    expect(events()).toMatchObject([
      {
        stage: "ResponseComplete",
        responseStatus: { metadata: {}, code: 200 },
        requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
        stageTimestamp: "2026-01-01T00:00:05.000000Z",
      },
    ]);
  });

  it("ends when the client goes", () => {
    const { events, send } = auditedServer("rules:\n- level: Metadata\n  verbs: [watch]\nomitStages: [RequestReceived]");
    const watch = send("GET", `${base}?watch=1`);
    watch.close?.();
    expect(events().map(({ stage }) => stage)).toEqual(["ResponseStarted", "ResponseComplete"]);
  });

  it("has both when it is refused", () => {
    const { events, send } = auditedServer(everything);
    send("GET", `${base}?watch=1`, undefined, {}, alice);
    expect(events().map(({ stage, responseStatus }) => [stage, (responseStatus as { code: number } | undefined)?.code])).toEqual([
      ["RequestReceived", undefined],
      ["ResponseStarted", 403],
      ["ResponseComplete", 403],
    ]);
  });
});

describe("a request from within the process", () => {
  const sent = "rules:\n- level: RequestResponse\n  namespaces: [default]";

  it("looks as if it had been sent", () => {
    const { server, events } = auditedServer(`${sent}\nomitStages: [RequestReceived]`);
    const user = { name: "system:serviceaccount:kube-system:job-controller", groups: ["system:masters"] };
    const client = server.clientFor(user, "kube-controller-manager/job-controller");
    client.create(configMaps, { metadata: { name: "a", namespace: "default" }, data: { x: "1" } });
    client.list(configMaps, { namespace: "default", labelSelector: "a in (b)", limit: 5 });
    client.patch(configMaps, { namespace: "default", name: "a" }, "merge", { data: { x: null } });
    client.delete(configMaps, { namespace: "default", name: "a" }, { propagationPolicy: "Background" });
    const all = events();
    expect(all.map(({ requestURI, verb }) => `${verb} ${requestURI}`)).toEqual([
      `create ${base}`,
      `list ${base}?labelSelector=a+in+%28b%29&limit=5`,
      `patch ${base}/a`,
      `delete ${base}/a`,
    ]);
    expect(all[0]).toMatchObject({
      user: { username: user.name },
      userAgent: `kube-controller-manager/v1.36.0 (linux/amd64) kubernetes/0000000/${user.name}`,
      sourceIPs: ["172.18.0.2"],
      objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { kind: "ConfigMap", apiVersion: "v1", data: { x: "1" } },
      responseObject: { kind: "ConfigMap", data: { x: "1" } },
    });
    expect(all[1]?.["responseObject"]).toMatchObject({ kind: "ConfigMapList", items: [] });
    expect(all[2]?.["requestObject"]).toEqual({ data: { x: null } });
  });

  it("is written once it is answered, also when it is refused", () => {
    const { server, events } = auditedServer(sent);
    const client = server.clientFor({ name: "bob", groups: [] }, "test");
    expect(() => client.get(pods, { namespace: "default", name: "a" })).toThrow("forbidden");
    expect(events()).toMatchObject([
      { stage: "RequestReceived", requestURI: "/api/v1/namespaces/default/pods/a" },
      {
        stage: "ResponseComplete",
        responseStatus: { status: "Failure", reason: "Forbidden", code: 403 },
        annotations: { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "" },
      },
    ]);
  });

  it("that watches has its three stages", () => {
    const { client, events, simulation } = auditedServer(sent);
    const watch = client.watch(
      configMaps,
      { namespace: "default", resourceVersion: "1" },
      { onEvent: () => {}, onClose: () => {} },
    );
    expect(events().map(({ stage, requestURI }) => [stage, requestURI])).toEqual([
      ["RequestReceived", `${base}?resourceVersion=1&watch=true`],
      ["ResponseStarted", `${base}?resourceVersion=1&watch=true`],
    ]);
    simulation.advance(1000);
    watch.stop();
    expect(events()).toMatchObject([{ stage: "ResponseComplete", stageTimestamp: "2026-01-01T00:00:01.000000Z" }]);
  });
});

describe("batches", () => {
  it("are written when they are full, or after a time", () => {
    const flags = ["--audit-log-mode=batch", "--audit-log-batch-max-size=3", "--audit-log-batch-max-wait=10s"];
    const { lines, send, simulation } = auditedServer(
      "rules:\n- level: Metadata\n  userGroups: [system:masters]\n  resources:\n  - resources: [configmaps]",
      ...flags,
    );
    send("GET", base);
    expect(lines.length).toBe(0);
    send("GET", base);
    expect(lines.length).toBe(3);
    simulation.advance(10_000);
    expect(lines.map((line) => JSON.parse(line).stage)).toEqual([
      "RequestReceived",
      "ResponseComplete",
      "RequestReceived",
      "ResponseComplete",
    ]);
  });
});
