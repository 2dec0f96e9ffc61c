// agnhost's commands that call others.

import { describe, expect, it } from "vitest";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { HttpRequest } from "#sim/http.ts";
import { readCertificates, type X509Certificate } from "#x509/certificate.ts";
import { readPrivateKey } from "#x509/keys.ts";
import { type RsaPrivateKey, sign } from "#x509/rsa.ts";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { suiteImages } from "../suite-images.ts";
import { localhostCertificate, localhostKey } from "./localhost-pair.ts";

const image = suiteImages.find(({ repository, tag }) => repository.endsWith("/agnhost") && tag === "2.63.0") as Image;
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const file = (content: string): TreeEntry => ({ type: "file", content });
const apiPort = 6443;

/** In a Pod, as it were: with an account, and an API server that answers so. */
function podMachine(
  answer: (request: HttpRequest) => readonly [number, object | string],
  token = "abc",
  more: FileTree = new Map(),
) {
  const files = new Map([[`${account}/token`, file(token)], [`${account}/ca.crt`, file(localhostCertificate)], ...more]);
  const made = imageMachine(image, files);
  made.env.set("KUBERNETES_SERVICE_HOST", "127.0.0.1").set("KUBERNETES_SERVICE_PORT", String(apiPort));
  const certificate = readCertificates(localhostCertificate)[0] as X509Certificate;
  made.start(function* (self) {
    self.serveHttp({
      port: apiPort,
      tls: { certificate },
      handler: (request, _peer, responder) => {
        const [status, body] = answer(request);
        responder.reply(status, {}, encodeUtf8(typeof body === "string" ? body : JSON.stringify(body)));
      },
    });
    for (;;) yield* self.sleep(1e6);
  });
  made.simulation.advance(1);
  return made;
}

describe("agnhost tcp-reset", () => {
  it("ends a connection well after one byte, and breaks it where more was sent", () => {
    const made = imageMachine(image);
    made.serve("/agnhost", "tcp-reset");
    const endAfter = (text: string): string => {
      let end = "open";
      made.start(function* (self) {
        const fd = yield* self.connect({ address: "127.0.0.1", port: 8080 });
        yield* self.write(fd, encodeUtf8(text));
        yield* self.sleep(100);
        try {
          end = (yield* self.read(fd)).length === 0 ? "FIN" : "data";
        } catch (error) {
          end = String((error as { readonly code?: string }).code);
        }
        return 0;
      });
      made.simulation.advance(1_000);
      return end;
    };
    expect([endAfter("1"), endAfter("12")]).toEqual(["FIN", "ECONNRESET"]);
  });
});

describe("agnhost connect", () => {
  it("is silent when it is connected, and has a word for each failure", () => {
    const { serve, runProgram } = imageMachine(image);
    serve("/agnhost", "netexec");
    const connect = (...words: readonly string[]) => {
      const { code, stderr } = runProgram("/agnhost", "connect", ...words);
      return [code, stderr];
    };
    expect([
      connect("127.0.0.1:8080", "--timeout=2s"),
      connect("127.0.0.1:9"),
      connect("nowhere.example:80"),
      connect("127.0.0.1"),
      connect("127.0.0.1:8080", "--protocol=tls"),
      connect("127.0.0.1:8081", "--protocol=udp", "--timeout=1s"),
      connect("127.0.0.1:8081", "--protocol=udp", "--timeout=1s", "--udp-data=what"),
      connect("127.0.0.1:9", "--protocol=udp"),
      connect(),
    ]).toEqual([
      [0, ""],
      [1, "REFUSED\n"],
      [1, expect.stringMatching(/^DNS: lookup nowhere\.example.*\n$/u)],
      [1, "UNKNOWN: address 127.0.0.1: missing port in address\n"],
      [1, "Unsupported protocol\ntls\n"],
      [0, ""],
      [1, expect.stringMatching(/^TIMEOUT: read udp .*: i\/o timeout\n$/u)],
      [1, expect.stringMatching(/^REFUSED: read udp .*: connection refused\n$/u)],
      [1, "Error: accepts 1 arg(s), received 0\n"],
    ]);
  });
});

describe("agnhost port-forward-tester", () => {
  it("checks what comes, sends its pieces in their time, and closes", () => {
    const made = imageMachine(image);
    const wanted = { BIND_PORT: "80", EXPECTED_CLIENT_DATA: "abc", CHUNKS: "3", CHUNK_SIZE: "4", CHUNK_INTERVAL: "500" };
    for (const [name, value] of Object.entries(wanted)) made.env.set(name, value);
    const handle = made.serve("/agnhost", "port-forward-tester");
    const beganMs = made.simulation.nowMs;
    expect(made.runProgram("/bin/sh", "-c", "printf abc | nc 127.0.0.1 80").stdout).toBe("x".repeat(12));
    expect(made.simulation.nowMs - beganMs).toBeGreaterThanOrEqual(1000);
    made.simulation.advance(1000);
    expect([handle.exit?.code, made.log.text()]).toEqual([
      0,
      "Accepted client connection\nReceived expected client data\nShutting down connection\nDone\n",
    ]);
  });

  it("ends with 3 when something else comes", () => {
    const made = imageMachine(image);
    made.env.set("BIND_PORT", "80").set("EXPECTED_CLIENT_DATA", "abc");
    const handle = made.serve("/agnhost", "port-forward-tester");
    made.runProgram("/bin/sh", "-c", "printf xyz | nc 127.0.0.1 80");
    expect([handle.exit?.code, made.log.text()]).toEqual([
      3,
      'Accepted client connection\nExpect to read "abc", but got "xyz". err=<nil>\n',
    ]);
  });
});

describe("agnhost's small servers", () => {
  it("audit-proxy prints events, one a line, and refuses what is no list of them", () => {
    const { serve, post, log } = imageMachine(image);
    serve("/agnhost", "audit-proxy");
    const items = [{ level: "Metadata", auditID: "a" }, { level: "Request" }];
    expect(post(8080, "/", JSON.stringify({ kind: "EventList", apiVersion: "audit.k8s.io/v1", items }))).toBe("200 ");
    expect(post(8080, "/", "{}")).toBe("500 ");
    expect(log.text().split("\n").slice(0, 2)).toEqual([
      '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a"}',
      '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request"}',
    ]);
  });

  it("fake-gitserver says what it is", () => {
    const { serve, get } = imageMachine(image);
    serve("/agnhost", "fake-gitserver");
    expect(get(8000, "/any")).toBe("200 I am a fake git server");
  });

  it("no-snat-test compares what others see with its own address, also for a proxy", () => {
    const { serve, get, env, runProgram } = imageMachine(image);
    expect(runProgram("/agnhost", "no-snat-test").stderr).toBe("POD_IP env var was not present in the environment\n");
    env.set("POD_IP", "127.0.0.1").set("NODE_IP", "10.0.0.1");
    serve("/agnhost", "no-snat-test", "--port", "8080");
    env.set("POD_IP", "10.1.1.1");
    serve("/agnhost", "no-snat-test", "--port", "8081");
    serve("/agnhost", "no-snat-test-proxy");
    expect(get(8080, "/checknosnat?ips=127.0.0.1:8081")).toBe("200 ");
    expect(get(8081, "/checknosnat?ips=127.0.0.1:8080")).toMatch(
      /^500 Returned ip "127\.0\.0\.1" != my Pod ip "10\.1\.1\.1" or my Node ip/u,
    );
    expect(get(31_235, "/checknosnat?target=127.0.0.1:8080&ips=127.0.0.1:8081")).toBe("200 ");
  });
});

describe("agnhost in a Pod", () => {
  it("inclusterclient polls, and shows when its token is another one", () => {
    const seen: (string | undefined)[] = [];
    const made = podMachine(({ target, headers }) => {
      seen.push(`${target} ${headers["authorization"]}`);
      return [seen.length === 3 ? 500 : 200, "ok"];
    });
    made.serve("/agnhost", "inclusterclient", "--poll-interval=5");
    made.simulation.advance(6000);
    made.files.writeFile(`${account}/token`, "def");
    made.simulation.advance(10_000);
    expect(seen).toEqual(["/healthz Bearer abc", "/healthz Bearer def", "/healthz Bearer def"]);
    const hashes = [...made.log.text().matchAll(/authz_header=(\S+)/gu)].map(([, hash]) => hash);
    expect([hashes.length, new Set(hashes).size, hashes[0]?.length]).toEqual([3, 2, 43]);
    expect(made.log.text()).toContain("] status=failed\n");
  });

  it("nettest passes once it has called its peers and was called by them", () => {
    const made = podMachine(({ target }) =>
      target === "/version"
        ? [200, { gitVersion: "v1.36.0" }]
        : [200, { subsets: [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 8080 }] }] }],
    );
    const handle = made.serve("/agnhost", "nettest", "--peers=1", "--service=nettest");
    expect(made.get(8080, "/status")).toBe("200 pass");
    const state = JSON.parse(made.get(8080, "/read").slice(4));
    expect(state).toMatchObject({ Hostname: "test", Sent: { test: 1 }, Received: { test: 1 }, Errors: null });
    made.simulation.advance(100_000);
    made.get(8080, "/quit");
    expect(handle.exit?.code).toBe(0);
  });

  it("nettest fails when its peers do not come", () => {
    const made = podMachine(({ target }) => (target === "/version" ? [200, {}] : [200, { subsets: [] }]));
    made.serve("/agnhost", "nettest", "--peers=2");
    expect(made.get(8080, "/status")).toBe("200 running");
    made.simulation.advance(400_000);
    expect(made.get(8080, "/status")).toBe("200 fail");
  });
});

describe("agnhost test-service-account-issuer-discovery", () => {
  const url = (bytes: Bytes) => encodeBase64(bytes).replace(/=+$/u, "").replaceAll("+", "-").replaceAll("/", "_");
  const key = readPrivateKey(localhostKey) as RsaPrivateKey;
  const bytesOf = (value: bigint) => {
    const hex = value.toString(16);
    const even = hex.length % 2 === 0 ? hex : `0${hex}`;
    return Uint8Array.from(even.match(/../gu) ?? [], (each) => Number.parseInt(each, 16));
  };
  const issuer = `https://127.0.0.1:${apiPort}`;
  const claims = { iss: issuer, sub: "system:serviceaccount:ns:default", aud: ["oidc-discovery-test"], exp: 1_800_000_000 };
  const token = (of: object) => {
    const text = `${url(encodeUtf8('{"alg":"RS256","kid":"k"}'))}.${url(encodeUtf8(JSON.stringify(of)))}`;
    return `${text}.${url(sign(key, encodeUtf8(text)))}`;
  };
  const answer = ({ target }: HttpRequest): readonly [number, object] => {
    if (target === "/openid/v1/jwks")
      return [200, { keys: [{ kty: "RSA", kid: "k", n: url(bytesOf(key.modulus)), e: url(bytesOf(key.exponent)) }] }];
    return target === "/.well-known/openid-configuration" ? [200, { issuer, jwks_uri: `${issuer}/openid/v1/jwks` }] : [404, {}];
  };
  const run = (raw: string, audience = "oidc-discovery-test") => {
    const made = podMachine(answer, "abc", new Map([["/token", file(raw)]]));
    const words = ["test-service-account-issuer-discovery", "--token-path=/token", `--audience=${audience}`];
    return made.runProgram("/agnhost", ...words);
  };

  it("takes a token that the published key vouches for", () => {
    const { code, stderr } = run(token(claims));
    expect([code, stderr]).toEqual([0, expect.stringContaining("OK: Got valid claims from token!\n")]);
    expect(stderr).toContain('Issuer:"https://127.0.0.1:6443", Subject:"system:serviceaccount:ns:default"');
  });

  it("refuses others, and says why", () => {
    const last = (raw: string, audience?: string) => {
      const { code, stderr } = run(raw, audience);
      return [code, stderr.match(/in-cluster discovery: (.*)\n/u)?.[1]];
    };
    const forged = token(claims).replace(/\.[^.]+\./u, `.${url(encodeUtf8(JSON.stringify({ ...claims, sub: "root" })))}.`);
    expect([
      last(forged),
      last(token({ ...claims, exp: 1 })),
      last(token(claims), "other"),
      last(token({ ...claims, iss: `${issuer}/x` })),
    ]).toEqual([
      [1, "failed to verify signature: failed to verify id token signature"],
      [1, "oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)"],
      [1, 'oidc: expected audience "other" got ["oidc-discovery-test"]'],
      [1, "404: {}"],
    ]);
    expect(run("nonsense").stderr).toContain("compact JWS format must have three parts\n");
  });
});
