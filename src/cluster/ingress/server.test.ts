// The controller's nginx on a bare machine: what it says itself, whom it sends requests on to, and what it logs.

import { describe, expect, it } from "vitest";
import { type Bytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpHandler, HttpHeaders } from "#sim/http.ts";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { ByteStream } from "#sim/net.ts";
import type { Program } from "#sim/program.ts";
import type { Ingress } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";
import { fakeCertificate } from "./certificates.ts";
import { configurationOf, ingress, rules } from "./ingress.test-kit.ts";
import { Running } from "./running.ts";
import { IngressServer } from "./server.ts";

const prefix = "nginx.ingress.kubernetes.io";

/** Answers with its port, its path and a header that is asked for; what is upgraded comes back. */
const echo =
  (port: number): HttpHandler =>
  (request, _peer, responder) => {
    const { upgrade, "x-ask": wanted = "host" } = request.headers;
    if (upgrade !== undefined) {
      const stream = responder.upgrade({ upgrade });
      stream.onData = (bytes) => stream.write(bytes);
      stream.onEnd = () => stream.end();
    } else if (request.target === "/stream") {
      const writer = responder.stream(200, {});
      for (const part of ["one ", "two ", "three"]) writer.write(encodeUtf8(part));
      writer.end();
    } else responder.reply(200, {}, encodeUtf8(`${port} ${request.target} ${request.headers[wanted] ?? "-"}`));
  };

function start(ingresses: readonly Stored<Ingress>[], endpoints: { readonly [upstream: string]: readonly number[] }) {
  const made = machine();
  const log = collector();
  const backends: Program = function* (self) {
    for (const port of [8081, 8082, 8083]) self.serveHttp({ port, handler: echo(port) });
    return yield* self.pause();
  };
  const front: Program = function* (self) {
    const running = new Running(made.simulation, self.random, fakeCertificate(0));
    const server = new IngressServer(self, running);
    const { configuration } = configurationOf(ingresses);
    const upstreams = [...configuration.upstreams].map(([name, upstream]) => {
      const ports = endpoints[name];
      const own = ports?.map((port) => ({ address: "127.0.0.1", port }));
      return [name, own === undefined ? upstream : { ...upstream, endpoints: own }] as const;
    });
    running.use({ ...configuration, upstreams: new Map(upstreams) }, true);
    self.serveHttp({ port: 80, handler: server.handler });
    self.serveHttp({ port: 443, tls: { certificate: fakeCertificate(0) }, handler: server.handler });
    return yield* self.pause();
  };
  made.start(backends);
  made.start(front, { stdout: log.sink, stderr: log.sink });
  made.simulation.advance(2000);
  const ask = (host: string, target: string, headers: HttpHeaders = {}, tls = false) => {
    let answer: { status: number; headers: HttpHeaders; text: string } | undefined;
    const sent = { method: "GET", target, headers: { ...(host === "" ? {} : { host }), ...headers }, body: noBytes };
    const options = tls ? { tls: { serverName: host } } : {};
    made.network.request({ address: "127.0.0.1", port: tls ? 443 : 80 }, sent, options, (result) => {
      if (!result.ok) throw new Error(String(result.error));
      const { exchange } = result;
      const parts: Bytes[] = [exchange.body ?? noBytes];
      const finish = (): void => {
        answer = { status: exchange.status, headers: exchange.headers, text: parts.map(decodeUtf8).join("") };
      };
      if (exchange.body !== undefined) finish();
      exchange.onData = (bytes) => parts.push(bytes);
      exchange.onEnd = finish;
    });
    made.simulation.runUntil(() => answer !== undefined, { limitMs: 10_000 });
    if (answer === undefined) throw new Error("no answer");
    return answer;
  };
  return { ...made, ask, log };
}

const one = (annotations: { readonly [name: string]: string } = {}, paths: { readonly [path: string]: string } = { "/": "one" }) =>
  ingress(
    "web",
    { rules: rules({ "foo.com": paths }) },
    Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value])),
  );

describe("requests", () => {
  it("[NET-220] keep their host, path and query, in turn for each endpoint", () => {
    const { ask } = start([one()], { "default-one-80": [8081, 8082] });
    const answers = [1, 2, 3, 4].map(() => ask("foo.com", "/a%20b?c=d").text);
    expect(new Set(answers)).toEqual(new Set(["8081 /a%20b?c=d foo.com", "8082 /a%20b?c=d foo.com"]));
  });

  it("[NET-220] say who asked, whatever the client says of itself", () => {
    const { ask } = start([one()], { "default-one-80": [8081] });
    const header = (name: string, tls = false): string =>
      ask("foo.com", "/", { "x-ask": name, "x-forwarded-for": "10.0.0.1", "x-request-id": "mine" }, tls).text.split(" ")[2] ?? "";
    expect(header("x-forwarded-for")).toBe("127.0.0.1");
    expect(header("x-original-forwarded-for")).toBe("10.0.0.1");
    expect(header("x-real-ip")).toBe("127.0.0.1");
    expect(header("x-request-id")).toBe("mine");
    expect([header("x-forwarded-proto"), header("x-forwarded-port")]).toEqual(["http", "80"]);
    expect([header("x-forwarded-proto", true), header("x-forwarded-port", true)]).toEqual(["https", "443"]);
  });

  it("go on to the next endpoint where one does not answer, and the logs say so", () => {
    const { ask, log } = start([one()], { "default-one-80": [9999, 8081] });
    expect([1, 2].map(() => ask("foo.com", "/").status)).toEqual([200, 200]);
    expect(log.text()).toMatch(
      /\[error\] \d+#\d+: \*\d connect\(\) failed \(\d+: Connection refused\) while connecting to upstream, client: 127\.0\.0\.1, server: foo\.com/,
    );
    expect(log.text()).toMatch(
      /\[default-one-80\] \[\] 127\.0\.0\.1:9999, 127\.0\.0\.1:8081 0, \d+ \d\.\d{3}, \d\.\d{3} 502, 200 [0-9a-f]{32}\n/,
    );
  });

  it("come back as they come: pieces, and both ways after an upgrade", () => {
    const { ask, network, simulation } = start([one()], { "default-one-80": [8081] });
    expect(ask("foo.com", "/stream").text).toBe("one two three");
    let stream: ByteStream | undefined;
    const headers = { host: "foo.com", connection: "Upgrade", upgrade: "echo" };
    network.request({ address: "127.0.0.1", port: 80 }, { method: "GET", target: "/", headers, body: noBytes }, {}, (result) => {
      if (result.ok) stream = result.exchange.upgraded;
    });
    simulation.advance(100);
    let heard = "";
    let isOver = false;
    if (stream === undefined) throw new Error("no upgrade");
    stream.onData = (bytes) => {
      heard += decodeUtf8(bytes);
    };
    stream.onEnd = () => {
      isOver = true;
    };
    stream.write(encodeUtf8("hello"));
    simulation.advance(100);
    expect(heard).toBe("hello");
    stream.end();
    simulation.advance(100);
    expect(isOver).toBe(true);
  });
});

describe("what nginx says itself", () => {
  it("[NET-217] [NET-219] 404 for nobody's host, 503 for nobody behind it, 502 for one who does not answer", () => {
    const { ask } = start([one({}, { "/": "one", "/two": "two" })], { "default-one-80": [9999], "default-two-80": [] });
    expect(ask("bar.com", "/").status).toBe(404);
    expect(ask("", "/").status).toBe(404);
    expect(ask("foo.com", "/two").text).toContain("<h1>503 Service Temporarily Unavailable</h1>");
    expect(ask("foo.com", "/").status).toBe(502);
  });

  it("[NET-221] sends hosts with TLS to HTTPS, all hosts where it is forced, none where it is off", () => {
    const secure = (name: string, value: string) =>
      ingress(
        "web",
        { tls: [{ hosts: ["foo.com"] }], rules: rules({ "foo.com": { "/": "one" } }) },
        { [`${prefix}/${name}`]: value },
      );
    const upstream = { "default-one-80": [8081] };
    const redirected = start([secure("use-regex", "false")], upstream).ask("foo.com", "/a/?b=c");
    expect([redirected.status, redirected.headers["location"]]).toEqual([308, "https://foo.com/a/?b=c"]);
    expect(start([secure("ssl-redirect", "false")], upstream).ask("foo.com", "/").status).toBe(200);
    expect(start([one({ "force-ssl-redirect": "true" })], upstream).ask("foo.com", "/").status).toBe(308);
    const answered = start([secure("use-regex", "false")], upstream).ask("foo.com", "/", {}, true);
    expect([answered.status, answered.headers["strict-transport-security"]]).toEqual([200, "max-age=31536000; includeSubDomains"]);
  });

  it("redirects as annotations want it", () => {
    const moved = start([one({ "permanent-redirect": "https://new.example/" })], {}).ask("foo.com", "/");
    expect([moved.status, moved.headers["location"]]).toEqual([301, "https://new.example/"]);
    const rooted = start([one({ "app-root": "/shop" })], { "default-one-80": [8081] });
    expect(rooted.ask("foo.com", "/").headers["location"]).toBe("http://foo.com/shop");
    expect(rooted.ask("foo.com", "/shop").status).toBe(200);
  });
});

describe("whose turn it is", () => {
  it("a cookie brings a client back to the same endpoint, as long as it is there", () => {
    const { ask } = start([one({ affinity: "cookie", "session-cookie-max-age": "60" })], { "default-one-80": [8081, 8082, 8083] });
    const first = ask("foo.com", "/");
    const { "set-cookie": cookie = "" } = first.headers;
    expect(cookie).toMatch(/^INGRESSCOOKIE=\S+\|[0-9a-f]{32}; Max-Age=60; Path=\/; HttpOnly$/);
    const again = [1, 2, 3, 4, 5].map(() => ask("foo.com", "/", { cookie: cookie.split(";")[0] ?? "" }));
    expect(again.map(({ text }) => text)).toEqual(again.map(() => first.text));
    expect(again.map(({ headers }) => headers["set-cookie"])).toEqual(again.map(() => undefined));
  });

  it("a canary has who says so, and of the others its part", () => {
    const canary = (annotations: { readonly [name: string]: string }) => [
      one(),
      ingress(
        "canary",
        { rules: rules({ "foo.com": { "/": "two" } }) },
        Object.fromEntries(Object.entries({ canary: "true", ...annotations }).map(([name, value]) => [`${prefix}/${name}`, value])),
      ),
    ];
    const upstreams = { "default-one-80": [8081], "default-two-80": [8082] };
    const by = start(canary({ "canary-by-header": "X-Canary", "canary-by-cookie": "beta" }), upstreams);
    const port = (headers: HttpHeaders): string => by.ask("foo.com", "/", headers).text.split(" ")[0] ?? "";
    expect([port({}), port({ "x-canary": "always" }), port({ "x-canary": "never" }), port({ cookie: "beta=always" })]).toEqual([
      "8081",
      "8082",
      "8081",
      "8082",
    ]);
    const weighed = start(canary({ "canary-weight": "30" }), upstreams);
    const hits = Array.from({ length: 300 }, () => weighed.ask("foo.com", "/").text.startsWith("8082")).filter(Boolean).length;
    expect(hits).toBeGreaterThan(60);
    expect(hits).toBeLessThan(120);
    expect(weighed.log.text()).toContain("[default-one-80] [default-two-80] 127.0.0.1:8082");
  });
});
