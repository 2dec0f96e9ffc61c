import { describe, expect, it } from "vitest";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { TlsClient } from "#sim/net.ts";
import { Random } from "#sim/random.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { alternativeNames, basicConstraints } from "#x509/extensions.ts";
import { privateKeyPem, publicKeyOf } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { generateKey } from "#x509/rsa.ts";
import { nginxImages } from "./image.ts";

const startMs = 1_767_225_600_000;
const yearMs = 365 * 24 * 3_600_000;

function pairFor(name: string, seed: number) {
  const key = generateKey(1024, new Random(seed));
  const publicKey = publicKeyOf(key);
  const subject = subjectName(name);
  const extensions = [basicConstraints({ isAuthority: true }), alternativeNames([{ kind: "dns", value: name }])];
  const content = { serial: 1n, subject, publicKey, notBeforeMs: startMs, notAfterMs: startMs + yearMs, extensions };
  const certificate = X509Certificate.sign(content, { name: subject, publicKey, key });
  return { certificate, crt: certificate.pem, key: privateKeyPem(key) };
}

const shop = pairFor("shop.example", 1);
const mail = pairFor("mail.example", 2);
const tlsLines = (name: string) => `ssl_certificate /tls/${name}.crt; ssl_certificate_key /tls/${name}.key;`;
const serverOf = (name: string, listen = "443 ssl") =>
  `server { listen ${listen}; server_name ${name}.example; ${tlsLines(name)} location / { return 200 '${name} $scheme'; } }\n`;

function secureNginx(configuration: string) {
  const made = machine(nginxImages.find(({ tag }) => tag === "1.27")?.files);
  const pidNamespace = made.kernel.createPidNamespace(made.pidNamespace);
  made.files.writeFile("/etc/nginx/conf.d/default.conf", configuration);
  made.files.makeDirectories("/tls");
  for (const [name, { crt, key }] of Object.entries({ shop, mail })) {
    made.files.writeFile(`/tls/${name}.crt`, crt);
    made.files.writeFile(`/tls/${name}.key`, key);
  }
  made.files.writeFile("/tls/empty", "no PEM\n");
  const [stdout, stderr] = [collector(), collector()];
  const argv = ["nginx", "-g", "daemon off;"];
  const handle = made.start("/usr/sbin/nginx", { argv, pidNamespace, stdout: stdout.sink, stderr: stderr.sink });
  made.simulation.advance(100);
  /** Status and text, or why there is none. */
  const ask = (host: string, port: number, tls?: TlsClient, target = "/"): string => {
    let answer = "nothing";
    const request = { method: "GET", target, headers: { host }, body: noBytes };
    made.network.request({ address: "127.0.0.1", port }, request, tls === undefined ? {} : { tls }, (result) => {
      if (result.ok) answer = `${result.exchange.status} ${decodeUtf8(result.exchange.body ?? noBytes)}`;
      else answer = typeof result.error === "string" ? result.error : result.error.tls;
    });
    made.simulation.runUntil(() => answer !== "nothing", { limitMs: 5000 });
    return answer;
  };
  const trusting = (serverName: string): TlsClient => ({ serverName, authorities: [shop.certificate, mail.certificate] });
  return { ...made, handle, stderr, ask, trusting };
}

describe("nginx with TLS", () => {
  it("shows its certificate on ports with ssl, and none on others", () => {
    const { ask, trusting } = secureNginx(serverOf("shop", "443 ssl").replace("listen", "listen 80; listen"));
    expect(ask("shop.example", 443, trusting("shop.example"))).toBe("200 shop https");
    expect(ask("shop.example", 443, trusting("other.example"))).toBe(
      "x509: certificate is valid for shop.example, not other.example",
    );
    expect(ask("shop.example", 80)).toBe("200 shop http");
    expect(ask("shop.example", 80, trusting("shop.example"))).toBe("first record does not look like a TLS handshake");
  });

  it("says to whoever speaks plainly there that the port is for HTTPS", () => {
    const { ask } = secureNginx(serverOf("shop"));
    const answer = ask("shop.example", 443);
    expect(answer).toContain("400 <html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>");
    expect(answer).toContain(
      "<center><h1>400 Bad Request</h1></center>\r\n<center>The plain HTTP request was sent to HTTPS port</center>\r\n<hr>",
    );
  });

  it("has a certificate for each name, and that of the default server for every other", () => {
    const both = secureNginx(serverOf("shop") + serverOf("mail"));
    expect(both.ask("mail.example", 443, both.trusting("mail.example"))).toBe("200 mail https");
    expect(both.ask("x.example", 443, both.trusting("x.example"))).toContain("is valid for shop.example, not x.example");
    const second = secureNginx(serverOf("shop") + serverOf("mail", "443 ssl default_server"));
    expect(second.ask("x.example", 443, second.trusting("x.example"))).toContain("is valid for mail.example, not x.example");
    expect(second.ask("x.example", 443, { serverName: "x.example" })).toBe("200 mail https");
  });

  it("takes a certificate from all around its servers, and redirects to HTTPS", () => {
    const { ask, trusting } = secureNginx(`${tlsLines("shop")} server { listen 443 ssl; root /usr/share; }`);
    expect(ask("shop.example", 443, trusting("shop.example"), "/nginx")).toContain("301 ");
  });

  it("reads new files when it is told to reload", () => {
    const { ask, trusting, files, handle, simulation, stderr } = secureNginx(serverOf("shop"));
    files.writeFile("/tls/shop.crt", mail.crt);
    files.writeFile("/tls/shop.key", mail.key);
    expect(ask("shop.example", 443, trusting("shop.example"))).toBe("200 shop https");
    handle.signal("HUP");
    simulation.advance(1000);
    expect(ask("shop.example", 443, trusting("mail.example"))).toBe("200 shop https");
    files.writeFile("/tls/shop.key", "");
    handle.signal("HUP");
    simulation.advance(1000);
    expect(stderr.text()).toContain('[emerg] 1#1: cannot load certificate key "/tls/shop.key"');
    expect(ask("shop.example", 443, trusting("mail.example"))).toBe("200 shop https");
  });

  it("passes requests on to servers with TLS, whose certificates it does not verify", () => {
    const inFront = "server { listen 80; location / { proxy_pass https://127.0.0.1; } }";
    const { ask } = secureNginx(inFront + serverOf("shop"));
    expect(ask("front.example", 80)).toBe("200 shop https");
  });

  const missing = (file: string) =>
    `BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen(${file}, r) error:10000080:BIO routines::no such file)`;
  it.each([
    [
      "no certificate",
      "server { listen 443 ssl; }",
      'no "ssl_certificate" is defined for the "listen ... ssl" directive in /etc/nginx/conf.d/default.conf:1',
    ],
    [
      "no key",
      "server { listen 443 ssl; ssl_certificate /tls/shop.crt; }",
      'no "ssl_certificate_key" is defined for certificate "/tls/shop.crt"',
    ],
    [
      "a certificate that is not there",
      serverOf("shop").replace("/tls/shop.crt", "shop.crt"),
      `cannot load certificate "/etc/nginx/shop.crt": ${missing("/etc/nginx/shop.crt")}`,
    ],
    [
      "a key that is not there",
      serverOf("shop").replace("/tls/shop.key", "/tls/gone"),
      `cannot load certificate key "/tls/gone": ${missing("/tls/gone")}`,
    ],
    [
      "a certificate that is none",
      serverOf("shop").replace("/tls/shop.crt", "/tls/empty"),
      'cannot load certificate "/tls/empty": PEM_read_bio_X509_AUX() failed (SSL: error:0480006C:PEM routines::no start line:Expecting: TRUSTED CERTIFICATE)',
    ],
    [
      "a key that is none",
      serverOf("shop").replace("/tls/shop.key", "/tls/empty"),
      'cannot load certificate key "/tls/empty": PEM_read_bio_PrivateKey() failed (SSL: error:1E08010C:DECODER routines::unsupported:No supported data to decode. Input type: PEM)',
    ],
    [
      "another's key",
      serverOf("shop").replace("/tls/shop.key", "/tls/mail.key"),
      'SSL_CTX_use_PrivateKey("/tls/mail.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
    ],
  ])("does not start with %s", (_what, configuration, message) => {
    const { handle, stderr } = secureNginx(configuration);
    expect(stderr.text()).toContain(`[emerg] 1#1: ${message}\n`);
    expect(handle.exit?.code).toBe(1);
  });
});
