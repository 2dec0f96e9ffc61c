// Held against cfssl 1.6.5: the JSON and the log lines that it writes, and (through Node) how its certificates read.

import { X509Certificate as NodeCertificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Program } from "#sim/program.ts";
import { runShell } from "../shell.test-kit.ts";
import { cfssl } from "./cfssl.ts";
import { cfssljson } from "./cfssljson.ts";

const program = (code: Program) => ({ type: "program", program: code, sizeBytes: 1000, permissions: 0o755 }) as const;
const config = {
  signing: {
    default: { expiry: "8760h" },
    profiles: { kubernetes: { expiry: "8760h", usages: ["signing", "key encipherment", "server auth", "client auth"] } },
  },
};
const key = { algo: "rsa", size: 2048 };
const files = {
  "/usr/bin/cfssl": program(cfssl),
  "/usr/bin/cfssljson": program(cfssljson),
  "/root/ca-config.json": JSON.stringify(config),
  "/root/ca-csr.json": JSON.stringify({ CN: "resort-ca", key, names: [{ C: "FR", ST: "Savoie", O: "resort" }] }),
  "/root/server-csr.json": JSON.stringify({
    CN: "kubernetes",
    hosts: ["127.0.0.1", "kubernetes", "kubernetes.default.svc", "10.96.0.1"],
    key,
    names: [{ O: "resort" }],
  }),
  "/root/weak.json": JSON.stringify({ CN: "weak", key: { algo: "rsa", size: 1024 } }),
  "/root/curve.json": JSON.stringify({ CN: "curve" }),
  "/root/cut.json": '{"CN": "cut"',
  "/root/nobody.json": JSON.stringify({ key }),
  "/root/plain.json": JSON.stringify({ CN: "plain", key }),
};
const makeAuthority = "cd /root; cfssl gencert -initca ca-csr.json 2>ca.log | cfssljson -bare ca\n";
const sign = "cfssl gencert -ca=ca.pem -ca-key=ca-key.pem --config=ca-config.json -profile=kubernetes";

function run(script: string): { readonly out: string; readonly err: string; readonly code: number } {
  const { stdout, stderr, code } = runShell(script, "gnu", files);
  return { out: stdout, err: stderr, code };
}

const logLine = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[/;

describe("cfssl", () => {
  it("[API-411] makes an authority, and tells on standard error what it does", () => {
    const { out, code } = run(
      `${makeAuthority}ls; stat -c '%a %n' ca.pem ca-key.pem ca.csr; cat ca.log; head -qn1 ca-key.pem ca.csr`,
    );
    const [list, told] = [
      out.split("\n").filter((line) => !logLine.test(line)),
      out.split("\n").filter((line) => logLine.test(line)),
    ];
    expect(list.slice(-6)).toEqual([
      "644 ca.pem",
      "600 ca-key.pem",
      "644 ca.csr",
      "-----BEGIN RSA PRIVATE KEY-----",
      "-----BEGIN CERTIFICATE REQUEST-----",
      "",
    ]);
    expect(told.map((line) => line.slice(20).replace(/\d{20,}/, "N"))).toEqual([
      "[INFO] generating a new CA key and certificate from CSR",
      "[INFO] generate received request",
      "[INFO] received CSR",
      "[INFO] generating key: rsa-2048",
      "[INFO] encoded CSR",
      "[INFO] signed certificate with serial number N",
    ]);
    expect(code).toBe(0);
  });

  it("[API-411] signs with it, for the names and the usages that are written", () => {
    const { out } = run(
      `${makeAuthority}${sign} server-csr.json 2>/dev/null | cfssljson -bare server; openssl verify -CAfile ca.pem server.pem >&2; stat -c "%a %n" server-key.pem server.csr server.pem; cat ca.pem server.pem`,
    );
    expect(out).toMatch(/^600 server-key\.pem\n644 server\.csr\n644 server\.pem\n-----BEGIN CERTIFICATE-----\n/);
    const [authority, server] = (out.match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----/g) ?? []).map(
      (text) => new NodeCertificate(text),
    );
    expect(server?.verify((authority as NodeCertificate).publicKey)).toBe(true);
    expect([authority?.ca, authority?.subject, server?.ca, server?.subject, server?.subjectAltName]).toEqual([
      true,
      "C=FR\nO=resort\nST=Savoie\nCN=resort-ca",
      false,
      "O=resort\nCN=kubernetes",
      "DNS:kubernetes, DNS:kubernetes.default.svc, IP Address:127.0.0.1, IP Address:10.96.0.1",
    ]);
    expect(server?.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    const hours = (certificate: NodeCertificate | undefined): number =>
      ((certificate?.validToDate.getTime() ?? 0) - (certificate?.validFromDate.getTime() ?? 0)) / 3_600_000;
    expect([hours(authority), hours(server)]).toEqual([43_800, 8760]);
  });

  it("takes names from the command line, and warns where there are none", () => {
    const { out, err } = run(
      `${makeAuthority}${sign} -hostname=api.resort.example,10.96.0.1 -loglevel=2 server-csr.json | cfssljson -bare named; ${sign} -loglevel 2 plain.json | cfssljson -bare plain; openssl x509 -in named.pem -noout -ext subjectAltName`,
    );
    expect(out).toBe("X509v3 Subject Alternative Name: \n    DNS:api.resort.example, IP Address:10.96.0.1\n");
    expect(err).toMatch(/^\S+ \S+ \[WARNING\] This certificate lacks a "hosts" field\. This makes it unsuitable for\nwebsites\./);
  });

  it("prints templates and its version", () => {
    expect(JSON.parse(run("cfssl print-defaults csr").out)).toMatchObject({ key: { algo: "ecdsa", size: 256 } });
    expect(run("cfssl print-defaults config").out.split("\n").slice(0, 5)).toEqual([
      "{",
      '    "signing": {',
      '        "default": {',
      '            "expiry": "168h"',
      "        },",
    ]);
    expect(run("cfssl print-defaults list").out).toBe("Default configurations are available for:\n\tconfig\n\tcsr\n");
    expect(run("cfssl version; cfssljson -version").out).toBe(
      "Version: 1.6.5\nRuntime: go1.22.0\nVersion: 1.6.5\nRuntime: go1.22.0\n",
    );
  });

  it.each([
    ["cfssl gencert -initca no.json", "open no.json: no such file or directory\n", 1],
    ["cfssl gencert -initca cut.json", "unexpected end of JSON input\n", 1],
    ["cfssl gencert -initca -loglevel=5 nobody.json", '{"code":5300,"message":"missing subject information"}\n', 1],
    ["cfssl gencert -initca -loglevel=5 weak.json", '{"code":2500,"message":"RSA key is too weak"}\n', 1],
    [
      "cfssl gencert -initca -loglevel=5 curve.json",
      'cfssl: keys of elliptic curves are not simulated; write "key": {"algo": "rsa", "size": 2048}\n',
      1,
    ],
    ["cfssl gencert -initca", "not enough arguments are supplied --- please refer to the usage\n", 1],
    [
      "cfssl gencert -config=no.json -ca=ca.pem -ca-key=ca-key.pem server-csr.json",
      'Failed to load config file: {"code":5200,"message":"could not read configuration file"}',
      1,
    ],
    [
      "cfssl gencert -loglevel=5 -ca=ca.pem -ca-key=ca-key.pem -config=ca-config.json -profile=kubernets server-csr.json",
      '{"code":5100,"message":"Invalid policy: no key usage available"}\n',
      1,
    ],
    ["cfssl gencert -loglevel=5 -ca=no.pem -ca-key=ca-key.pem server-csr.json", "open no.pem: no such file or directory\n", 1],
    ["cfssl gencert -loglevel=5 -ca=file:no.pem -ca-key=env:KEY server-csr.json", "open no.pem: no such file or directory\n", 1],
    ["cfssl gencert -loglevel=5 -ca=env:NONE -ca-key=ca-key.pem server-csr.json", "environment variable NONE not set\n", 1],
    ["cfssl gencert -loglevel=high server-csr.json", /^invalid value "high" for flag -loglevel: parse error\n/, 2],
    ["cfssl gencert -remote=a server-csr.json", "cfssl gencert: -remote is not simulated\n", 1],
    ["cfssl selfsign", "cfssl: selfsign is not simulated; gencert, print-defaults and version are\n", 1],
    ["cfssl gencert -colour x", /^flag provided but not defined: -colour\n\tcfssl gencert -- generate a new key/, 2],
    ["cfssl gencert -ca", /^flag needs an argument: -ca\n/, 2],
    ["cfssl", /^No command is given\.\nUsage:\nAvailable commands:\n\tbundle\n/, 1],
    ["cfssl gencrt", /^Command gencrt is not defined\.\nUsage:\n/, 1],
    ["cfssljson -bare ca </dev/null", "Failed to parse input: unexpected end of JSON input\n", 1],
    ["cfssljson -f no.json -bare ca", "Failed to read input: open no.json: no such file or directory\n", 1],
    ["cfssljson -wrapped", /^flag provided but not defined: -wrapped\nUsage of cfssljson:\n/, 2],
  ])("complains: %s", (script, message, code) => {
    const ran = run(`${script.includes("ca-key.pem") ? makeAuthority : "cd /root\n"}${script}`);
    if (typeof message === "string") expect(ran.err).toBe(message);
    else expect(ran.err).toMatch(message);
    expect(ran.code).toBe(code);
  });

  it("takes an authority from a variable and its key from a named file", () => {
    const { out, code } = run(
      `${makeAuthority}CA="$(cat ca.pem)" cfssl gencert -loglevel=5 -ca=env:CA -ca-key=file:ca-key.pem server-csr.json | cfssljson -bare server; openssl verify -CAfile ca.pem server.pem`,
    );
    expect([out.split("\n").at(-2), code]).toEqual(["server.pem: OK", 0]);
  });

  it("says which half is missing when no configuration names the authority", () => {
    const { out, err, code } = run("cd /root; cfssl gencert server-csr.json");
    expect([out, err.slice(20), code]).toEqual(["", "[ERROR] need a CA certificate (provide one with -ca)\n", 0]);
  });
});
