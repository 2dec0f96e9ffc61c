import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { ByteStream, Endpoint, NetworkStack } from "#sim/net.ts";
import { Simulation } from "#sim/simulation.ts";
import { adminPeer, exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { ApiServer } from "../server.ts";

interface Asked {
  readonly target: Endpoint;
  readonly request: HttpRequest;
  readonly secure: boolean;
}

interface Backend {
  readonly status?: number;
  readonly headers?: HttpHeaders;
  readonly body?: string;
  readonly error?: "ECONNREFUSED" | "ETIMEDOUT";
  readonly upgraded?: ByteStream;
}

/** A server whose network has one backend behind every address. */
function start(backend: Backend = {}): { readonly server: ApiServer; readonly asked: Asked[] } {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  const asked: Asked[] = [];
  const network: Pick<NetworkStack, "request"> = {
    request(target, request, options, done) {
      asked.push({ target: { address: target.address, port: target.port }, request, secure: options.tls !== undefined });
      if (backend.error !== undefined) {
        done({ ok: false, error: backend.error });
        return;
      }
      done({
        ok: true,
        exchange: {
          status: backend.status ?? 200,
          headers: backend.headers ?? { "content-type": "text/plain" },
          body: encodeUtf8(backend.body ?? "hello"),
          onData: undefined,
          onEnd: undefined,
          abort: () => undefined,
          upgraded: backend.upgraded,
        },
      });
    },
  };
  server.network = network as NetworkStack;
  put(server, "pods", {
    kind: "Pod",
    metadata: { name: "web" },
    spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 8080 }] }] },
  });
  put(server, "pods", { kind: "Pod", metadata: { name: "new" }, spec: { containers: [{ name: "web", image: "nginx" }] } });
  exchange(
    server,
    "PATCH",
    "/api/v1/namespaces/default/pods/web/status",
    { status: { podIP: "10.244.1.5", podIPs: [{ ip: "10.244.1.5" }] } },
    { "content-type": "application/merge-patch+json" },
  );
  const ports = [
    { name: "http", port: 80, targetPort: 8080 },
    { name: "admin", port: 81 },
  ];
  put(server, "services", { kind: "Service", metadata: { name: "web" }, spec: { selector: { app: "web" }, ports } });
  put(server, "endpoints", {
    kind: "Endpoints",
    metadata: { name: "web" },
    subsets: [
      {
        addresses: [
          { ip: "10.244.1.5", targetRef: { kind: "Pod", namespace: "default", name: "web" } },
          { ip: "10.244.1.7", targetRef: { kind: "Pod", namespace: "default", name: "web" } },
        ],
        notReadyAddresses: [{ ip: "10.244.1.6" }],
        ports: [{ name: "http", port: 8080 }],
      },
    ],
  });
  put(server, "endpoints", {
    kind: "Endpoints",
    metadata: { name: "outside" },
    subsets: [
      {
        addresses: [
          { ip: "192.0.2.42" },
          { ip: "192.0.2.43", targetRef: { kind: "Pod", namespace: "default", name: "gone" } },
          { ip: "10.244.1.5", targetRef: { kind: "Pod", namespace: "other", name: "web" } },
        ],
        ports: [{ port: 9376 }],
      },
    ],
  });
  put(server, "endpoints", {
    kind: "Endpoints",
    metadata: { name: "starting" },
    subsets: [{ notReadyAddresses: [{ ip: "10.244.1.6" }], ports: [{ port: 8080 }] }],
  });
  put(server, "endpoints", { kind: "Endpoints", metadata: { name: "empty" } });
  return { server, asked };
}

function put(server: ApiServer, plural: string, object: { readonly [field: string]: JsonValue }): void {
  const { status, text } = exchange(server, "POST", `/api/v1/namespaces/default/${plural}`, { apiVersion: "v1", ...object });
  if (status !== 201) throw new Error(text);
}

function get(server: ApiServer, path: string, headers: HttpHeaders = {}): TestReply {
  return exchange(server, "GET", `/api/v1/namespaces/default/${path}`, undefined, headers);
}

/** A stream whose other end the test holds. */
function testStream(): ByteStream & { readonly written: string[] } {
  const endpoint = { address: "10.244.1.5", port: 8080 };
  const written: string[] = [];
  return {
    ...{ local: endpoint, peer: endpoint, peerCertificate: undefined, written },
    write: (bytes) => written.push(decodeUtf8(bytes)) > 0,
    end: () => void written.push("<end>"),
    destroy: () => void written.push("<broken>"),
    ...{ pause: () => undefined, resume: () => undefined },
    ...{ onData: undefined, onEnd: undefined, onDrain: undefined, onClose: undefined },
  };
}

describe("proxy", () => {
  it("joins client and backend when the backend changes the protocol", () => {
    const backend = testStream();
    const { server, asked } = start({ status: 101, headers: { connection: "Upgrade", upgrade: "websocket" }, upgraded: backend });
    const client = testStream();
    let answered: HttpHeaders = {};
    const responder: HttpResponder = {
      ...{
        reply: () => undefined,
        stream: () => ({ write: () => true, end: () => undefined, onClose: undefined, onDrain: undefined }),
      },
      upgrade: (headers) => {
        answered = headers;
        return client;
      },
    };
    const target = "/api/v1/namespaces/default/pods/web/proxy/socket";
    const headers = { connection: "keep-alive, Upgrade", upgrade: "websocket", "sec-websocket-key": "k" };
    server.handler({ method: "GET", target, headers, body: new Uint8Array() }, adminPeer, responder);
    expect(asked[0]?.request.headers).toMatchObject({ connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "k" });
    expect(answered).toMatchObject({ connection: "Upgrade", upgrade: "websocket" });
    client.onData?.(encodeUtf8("ping"));
    backend.onData?.(encodeUtf8("pong"));
    backend.onEnd?.();
    client.onClose?.(undefined);
    expect([backend.written, client.written]).toEqual([
      ["ping", "<broken>"],
      ["pong", "<end>"],
    ]);
  });

  it.each<readonly [string, Endpoint, string, boolean]>([
    ["pods/web/proxy/a%20b?x=1", { address: "10.244.1.5", port: 8080 }, "/a%20b?x=1", false],
    ["pods/web:9000/proxy/", { address: "10.244.1.5", port: 9000 }, "/", false],
    ["pods/https:web:9443/proxy/x/y/", { address: "10.244.1.5", port: 9443 }, "/x/y/", true],
    ["services/web:http/proxy/", { address: "10.244.1.5", port: 8080 }, "/", false],
    ["services/web:80/proxy/index.html", { address: "10.244.1.5", port: 8080 }, "/index.html", false],
    ["services/https:web:80/proxy/", { address: "10.244.1.5", port: 8080 }, "/", true],
  ])("[API-056] [NET-062] %s leads to %j", (path, target, sent, secure) => {
    const { server, asked } = start();
    expect([get(server, path).status, asked.map(({ request, ...rest }) => ({ ...rest, sent: request.target }))]).toEqual([
      200,
      [{ target, secure, sent }],
    ]);
  });

  it.each<readonly [string, number, string]>([
    ["services/starting/proxy/", 503, 'no endpoints available for service "starting"'],
    ["services/empty/proxy/", 503, 'no endpoints available for service "empty"'],
    ["services/outside/proxy/", 503, 'no endpoints available for service "outside"'],
    ["services/web:admin/proxy/", 503, 'no endpoints available for service "web:admin"'],
    ["services/web:99/proxy/", 503, 'no service port 99 found for service "web"'],
    ["services/nope/proxy/", 404, 'endpoints "nope" not found'],
    ["services/nope:80/proxy/", 404, 'services "nope" not found'],
    ["services/ftp:web:80/proxy/", 400, 'invalid service request "ftp:web:80"'],
    ["pods/nope/proxy/", 404, 'pods "nope" not found'],
    ["pods/new/proxy/", 400, "address not allowed"],
    ["pods/a:b:c:d/proxy/", 400, 'invalid pod request "a:b:c:d"'],
  ])("[API-057] [NET-062] refuses %s with %i", (path, status, message) => {
    const reply = get(start().server, path);
    expect([reply.status, json(reply)["message"]]).toEqual([status, message]);
  });

  it("[NET-062] goes to one of a Service's ready endpoints, never to one that is not ready, nor to an address that is no Pod's", () => {
    const { server, asked } = start();
    for (let time = 0; time < 20; time += 1) get(server, "services/web:80/proxy/");
    expect(new Set(asked.map(({ target }) => target.address))).toEqual(new Set(["10.244.1.5"]));
  });

  it("says in Go's words that nobody answers", () => {
    const message = (error: "ECONNREFUSED" | "ETIMEDOUT") => json(get(start({ error }).server, "pods/web/proxy/"))["message"];
    expect([message("ECONNREFUSED"), message("ETIMEDOUT")]).toEqual([
      "error trying to reach service: dial tcp 10.244.1.5:8080: connect: connection refused",
      "error trying to reach service: dial tcp 10.244.1.5:8080: i/o timeout",
    ]);
  });

  it("adds the slash that a path without one lacks", () => {
    const reply = get(start().server, "pods/web/proxy?a=b");
    expect([reply.status, reply.headers["location"]]).toEqual([301, "/api/v1/namespaces/default/pods/web/proxy/?a=b"]);
  });

  it("passes method, headers and body on, without credentials", () => {
    const { server, asked } = start();
    const headers = {
      authorization: "Bearer x",
      "impersonate-user": "jane",
      "impersonate-group": "system:masters",
      "x-mine": "1",
      connection: "close",
    };
    exchange(server, "POST", "/api/v1/namespaces/default/pods/web/proxy/form", "a=b", headers);
    expect(asked[0]?.request).toEqual({
      method: "POST",
      target: "/form",
      headers: {
        "x-mine": "1",
        host: "10.244.1.5:8080",
        "x-forwarded-for": "172.18.0.10",
        "x-forwarded-uri": "/api/v1/namespaces/default/pods/web/proxy/form",
      },
      body: encodeUtf8("a=b"),
    });
  });

  it("passes OPTIONS on, which nothing else takes", () => {
    const { server, asked } = start();
    expect(exchange(server, "OPTIONS", "/api/v1/namespaces/default/pods/web/proxy/a").status).toBe(200);
    expect(asked.map(({ request }) => [request.method, request.target])).toEqual([["OPTIONS", "/a"]]);
    expect(exchange(server, "OPTIONS", "/api/v1/namespaces/default/pods/web").status).toBe(405);
  });

  it("leads links and redirects of the backend back through the proxy", () => {
    const prefix = "/api/v1/namespaces/default/services/web:80/proxy";
    const moved = get(
      start({ status: 302, headers: { location: "http://10.244.1.5:8080/login?x" } }).server,
      "services/web:80/proxy/",
    );
    expect([moved.status, moved.headers["location"]]).toEqual([302, `${prefix}/login?x`]);
    const body = '<a href="/a">a</a> <img src=\'/b.png\'> <a href="c">c</a> <a href="http://example.com/d">d</a>';
    const page = get(start({ headers: { "content-type": "text/html; charset=utf-8" }, body }).server, "services/web:80/proxy/");
    expect(page.text).toBe(
      `<a href="${prefix}/a">a</a> <img src='${prefix}/b.png'> <a href="c">c</a> <a href="http://example.com/d">d</a>`,
    );
  });
});
