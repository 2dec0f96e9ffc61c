import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { clusterRoleBindings } from "#cluster/api/kinds.ts";
import { writeEnvelope } from "#cluster/api/protobuf/envelope.ts";
import { peerOf } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { BodyWriter, HttpHandler } from "#sim/http.ts";
import { Simulation } from "#sim/simulation.ts";
import { type DoorCertificates, makeCertificates } from "./certificates.ts";
import { type Door, type DoorOptions, openDoor } from "./door.ts";
import { writeOpenApiV2 } from "./protobuf/openapi-v2.ts";

const administrator = peerOf("kubernetes-admin", ["system:masters"]).certificate;
const open: Door[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((door) => new Promise<void>((resolve) => door.close(resolve))));
});

async function listen(options: Omit<DoorOptions, "enter">): Promise<number> {
  const door = openDoor({ ...options, enter: (action) => action() });
  open.push(door);
  await new Promise<void>((resolve) => door.server.listen(0, "127.0.0.1", resolve));
  return (door.server.address() as AddressInfo).port;
}

function apiServer(): ApiServer {
  const simulation = new Simulation({ startMs: Date.now(), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  // As kubeadm binds its administrators.
  const group = { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "kubeadm:cluster-admins" };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
  const kubeadm = server.clientFor({ name: "kubeadm", groups: ["system:masters"] }, "kubeadm");
  kubeadm.create(clusterRoleBindings, { metadata: { name: group.name }, roleRef, subjects: [group] });
  return server;
}

async function plainApi(): Promise<number> {
  return listen({ handler: apiServer().handler, ...(administrator === undefined ? {} : { administrator }) });
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

function ask(options: RequestOptions & { readonly secure?: object }, body?: Uint8Array | string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { secure, ...plain } = options;
    const all = { host: "127.0.0.1", ...plain, ...secure };
    const request = (secure === undefined ? httpRequest : httpsRequest)(all, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

function json({ body }: Reply): { readonly [field: string]: unknown } {
  return JSON.parse(body.toString());
}

/** What the server answers to raw bytes, until it closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (part) => {
      answer += part.toString();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", () => undefined);
  });
}

describe("who a request is made by, over TLS", () => {
  let certificates: DoorCertificates;
  const tls = (more: object = {}): object => ({ ca: certificates.authorityPem, agent: false, ...more });

  it("[API-044] [API-045] [API-047] tells certificates, tokens and nobody apart", async () => {
    certificates = makeCertificates(["127.0.0.1"], Date.now());
    const port = await listen({ handler: apiServer().handler, certificates });
    const pods = { port, path: "/api/v1/namespaces/default/pods" };
    const { certificatePem: cert, keyPem: key } = certificates.administrator;
    expect((await ask({ ...pods, secure: tls({ cert, key }) })).status).toBe(200);

    const nobody = await ask({ ...pods, secure: tls() });
    expect([nobody.status, json(nobody)["message"]]).toEqual([
      403,
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
    ]);
    const headers = { authorization: "Bearer wrong" };
    expect((await ask({ ...pods, secure: tls(), headers })).status).toBe(401);

    const stranger = makeCertificates([], Date.now()).administrator;
    const refused = await ask({ ...pods, secure: tls({ cert: stranger.certificatePem, key: stranger.keyPem }) });
    expect([refused.status, json(refused)["reason"]]).toEqual([401, "Unauthorized"]);
    await expect(ask({ ...pods, secure: { agent: false } })).rejects.toThrow(/certificate/);
  });
});

describe("clients that come in no order", () => {
  it("tells who speaks plain HTTP to the port of HTTPS, in Go's words", async () => {
    const port = await listen({ handler: apiServer().handler, certificates: makeCertificates(["127.0.0.1"], Date.now()) });
    expect(await raw(port, "GET /api HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(
      "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n",
    );
    expect(await raw(port, "nonsense that is no handshake")).toMatch(/^$|^\x15\x03/);
  });

  it("closes in silence whom no head comes from, or half a one", async () => {
    const port = await listen({ handler: apiServer().handler, headTimeoutMs: 200 });
    expect(await Promise.all([raw(port, ""), raw(port, "GET / HTTP/1.1\r\nHost: a\r\n")])).toEqual(["", ""]);
  });

  it("[API-392] takes a password for no credentials", async () => {
    const port = await listen({ handler: apiServer().handler });
    const headers = { authorization: `Basic ${btoa("admin:secret")}` };
    const [version, pods] = await Promise.all(["/version", "/api/v1/pods"].map((path) => ask({ port, path, headers })));
    expect([version?.status, pods?.status]).toEqual([200, 403]);
  });
});

describe("headers", () => {
  it("keeps the commas of whoever is impersonated, and tells several values apart", async () => {
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const headers = {
      "content-type": "application/json",
      "impersonate-user": "jane",
      "impersonate-group": [",,,dev", "ops"],
      "impersonate-extra-key": ["one,two", "three"],
    };
    const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
    const { status } = json(await ask({ port: await plainApi(), path, method: "POST", headers }, body));
    expect(status).toEqual({
      userInfo: {
        username: "jane",
        groups: [",,,dev", "ops", "system:authenticated"],
        extra: { key: ["one,two", "three"] },
      },
    });
  });
});

describe("bodies", () => {
  it("warns of fields that have names in any script", async () => {
    const port = await plainApi();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ metadata: { name: "a" }, donnée漢: 1 });
    const reply = await ask({ port, method: "POST", path: "/api/v1/namespaces/default/configmaps", headers }, body);
    const warning = Buffer.from(String(reply.headers["warning"]), "latin1").toString();
    expect([reply.status, warning]).toEqual([201, '299 - "unknown field \\"donnée漢\\""']);
  });

  it("[API-029] refuses more than 3 MiB, and serves on", async () => {
    const port = await plainApi();
    const path = "/api/v1/namespaces/default/configmaps";
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refused = await ask({ port, path, method: "POST", agent }, Buffer.alloc(5 * 1024 * 1024, 32));
    expect([refused.status, json(refused)["message"], json(refused)["reason"]]).toEqual([
      413,
      "Request entity too large: limit is 3145728",
      "RequestEntityTooLarge",
    ]);
    expect((await ask({ port, path, agent })).status).toBe(200);
    agent.destroy();
  });

  it("[API-031] reads protobuf, and writes it for whoever accepts nothing else", async () => {
    const port = await plainApi();
    const path = "/api/v1/namespaces/default/configmaps";
    const made = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "proto" }, data: { a: "b" } };
    const type = "application/vnd.kubernetes.protobuf";
    const post = { port, path, method: "POST" };
    const both = { "content-type": type, accept: `${type},application/json` };
    const created = await ask({ ...post, headers: both }, writeEnvelope(made));
    expect([created.status, created.headers["content-type"], json(created)["data"]]).toEqual([201, "application/json", { a: "b" }]);
    const read = await ask({ port, path: `${path}/proto`, headers: { accept: type } });
    expect([read.headers["content-type"], read.body.subarray(0, 4).toString("latin1")]).toEqual([type, "k8s\0"]);
    const missing = await ask({ port, path: `${path}/nope`, headers: { accept: type } });
    expect([missing.status, missing.headers["content-type"]]).toEqual([404, type]);
    const garbage = await ask({ ...post, headers: both }, "no protobuf");
    expect([garbage.status, json(garbage)["reason"]]).toEqual([400, "BadRequest"]);
  });

  it("[API-069] writes OpenAPI version 2 in protobuf for whoever asks for it first, under the ETag of the JSON", async () => {
    const port = await plainApi();
    const older = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    const get = (accept: string, more: object = {}) => ask({ port, path: "/openapi/v2", headers: { accept, ...more } });
    const text = await get("application/json");
    const packed = await get(older);
    expect([packed.status, packed.headers["content-type"], packed.headers.vary, packed.headers.etag]).toEqual([
      200,
      type,
      "Accept",
      text.headers.etag,
    ]);
    expect(packed.body.equals(Buffer.from(writeOpenApiV2(JSON.parse(text.body.toString()))))).toBe(true);
    expect((await get(`${type}, application/json;q=0.5`)).body.equals(packed.body)).toBe(true);
    for (const accept of ["*/*", `${type};q=0.5, application/json`]) {
      expect((await get(accept)).headers["content-type"]).toBe("application/json");
    }
    const known = await get(older, { "if-none-match": packed.headers.etag });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    const other = await get("application/com.github.proto-openapi.spec.v3@v1.0+protobuf");
    expect([other.status, other.body.length]).toEqual([406, 0]);
    const refused = await get(older, { authorization: "Bearer wrong" });
    expect([refused.status, json(refused)["reason"]]).toEqual([401, "Unauthorized"]);
  });

  it("[API-069] compresses large replies for whoever accepts gzip", async () => {
    const port = await plainApi();
    const headers = { "accept-encoding": "deflate, gzip" };
    const packed = await ask({ port, path: "/openapi/v2", headers });
    expect([packed.headers["content-encoding"], packed.headers.vary]).toEqual(["gzip", "Accept, Accept-Encoding"]);
    const plain = await ask({ port, path: "/openapi/v2" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect((await ask({ port, path: "/api/v1/namespaces", headers })).headers["content-encoding"]).toBeUndefined();
  });
});

describe("connections", () => {
  it("answers what is no HTTP in one line, and serves on", async () => {
    const port = await plainApi();
    const refusal =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request";
    expect(await raw(port, "NONSENSE\r\n\r\n")).toBe(refusal);
    expect(await raw(port, "\u0016\u0003\u0001\u0002\u0000\u0001")).toBe(refusal);
    expect(await raw(port, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n")).toBe(refusal);
    expect(await raw(port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(1 << 21)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    expect(await raw(port, "GET /version HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect((await ask({ port, path: "/%zz" })).status).toBe(400);
    const odd = await ask({ port, path: "/version", headers: { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" } });
    expect(odd.status).toBe(200);
  });

  it("serves many clients at once, on connections that stay open", async () => {
    const port = await plainApi();
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const sockets = new Set<Socket>();
    agent.on("free", (socket: Socket) => sockets.add(socket));
    const statuses = await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c${index}` } });
        return ask({ port, path: "/api/v1/namespaces/default/configmaps", method: "POST", agent }, body).then(
          ({ status }) => status,
        );
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(sockets.size).toBeLessThanOrEqual(50);
    agent.destroy();
  });

  it("cuts off a client that does not read, without harm to others", async () => {
    let closed = 0;
    let refused = 0;
    const handler: HttpHandler = (request, _peer, responder) => {
      if (request.target !== "/flood") {
        responder.reply(200, {}, new Uint8Array());
        return;
      }
      const writer: BodyWriter = responder.stream(200, {});
      writer.onClose = () => {
        closed += 1;
      };
      const piece = new Uint8Array(1 << 20);
      for (let count = 0; count < 64; count += 1) if (!writer.write(piece)) refused += 1;
    };
    const port = await listen({ handler });
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n"));
    socket.pause();
    socket.on("error", () => undefined);
    await vi.waitUntil(() => closed > 0, { timeout: 300_000 });
    expect([closed, refused > 0]).toEqual([1, true]);
    expect((await ask({ port, path: "/" })).status).toBe(200);
    socket.destroy();
  });

  it("ends watches and closes when it stops", async () => {
    const server = apiServer();
    const door = openDoor({ handler: server.handler, enter: (action) => action(), ...(administrator ? { administrator } : {}) });
    await new Promise<void>((resolve) => door.server.listen(0, "127.0.0.1", resolve));
    const { port } = door.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const watch = ask({ port, path: "/api/v1/namespaces?watch=true", agent });
    await ask({ port, path: "/version", agent });
    server.stop();
    const cutOff = vi.spyOn(door.server, "closeAllConnections");
    await new Promise<void>((resolve) => door.close(resolve));
    expect([(await watch).status, cutOff.mock.calls]).toEqual([200, []]);
    agent.destroy();
  });
});
