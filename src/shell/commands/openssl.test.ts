// Held against OpenSSL 3.0: what it prints for the same commands, and (through Node) how it reads what these commands make.

import { X509Certificate as NodeCertificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

const csrConf = `[ req ]
default_bits = 2048
prompt = no
default_md = sha256
req_extensions = req_ext
distinguished_name = dn

[ dn ]
C = FR
ST = Paris
O = dev
CN = 172.18.0.2

[ req_ext ]
subjectAltName = @alt_names

[ alt_names ]
DNS.1 = kubernetes
DNS.2 = kubernetes.default
IP.1 = 172.18.0.2
IP.2 = 10.96.0.1

[ v3_ext ]
authorityKeyIdentifier=keyid,issuer:always
basicConstraints=CA:FALSE
keyUsage=keyEncipherment,dataEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=@alt_names
`;
const files = { "/root/csr.conf": csrConf };
const makeAuthority = `cd /root
openssl genrsa -out ca.key 1024
openssl req -x509 -new -nodes -key ca.key -subj "/CN=\${MASTER_IP:-172.18.0.2}" -days 10000 -out ca.crt
`;
const makeServer = `${makeAuthority}openssl genrsa -out server.key 1024
openssl req -new -key server.key -out server.csr -config csr.conf
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 10000 -extensions v3_ext -extfile csr.conf 2>/dev/null
`;
/** Octets in hex are different in every world. */
const octets = "grep -vE '^ +([0-9a-f]{2}:)+'";

/** Whatever begins with the text, or as the pattern says. */
function matching(told: string | RegExp): RegExp {
  return typeof told === "string" ? new RegExp(`^${told.replace(/[()[\].?*+]/gu, "\\$&")}`, "u") : told;
}

function run(script: string): { readonly out: string; readonly err: string; readonly code: number } {
  const { stdout, stderr, code } = runShell(script, "gnu", files);
  return { out: stdout, err: stderr, code };
}

describe("openssl", () => {
  it("[API-408] makes keys, requests and certificates that parse as PEM, the keys for their owner only", () => {
    const { out, code } = run(`${makeServer}head -qn1 ca.key ca.crt server.csr server.crt; stat -c %a ca.key server.crt`);
    expect([out, code]).toEqual([
      "-----BEGIN PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE REQUEST-----\n-----BEGIN CERTIFICATE-----\n600\n644\n",
      0,
    ]);
  });

  it("[API-409] prints a certificate in words", () => {
    const { out } = run(
      `${makeServer}openssl x509 -noout -text -in server.crt | ${octets} | grep -vE 'DirName|serial:|keyid|Not |^ +[0-9A-F:]{59}$|^ +[0-9a-f]{2}$'`,
    );
    expect(out).toBe(`Certificate:
    Data:
        Version: 3 (0x2)
        Serial Number:
        Signature Algorithm: sha256WithRSAEncryption
        Issuer: CN = 172.18.0.2
        Validity
        Subject: C = FR, ST = Paris, O = dev, CN = 172.18.0.2
        Subject Public Key Info:
            Public Key Algorithm: rsaEncryption
                Public-Key: (1024 bit)
                Modulus:
                Exponent: 65537 (0x10001)
        X509v3 extensions:
            X509v3 Authority Key Identifier: 
            X509v3 Basic Constraints: 
                CA:FALSE
            X509v3 Key Usage: 
                Key Encipherment, Data Encipherment
            X509v3 Extended Key Usage: 
                TLS Web Server Authentication, TLS Web Client Authentication
            X509v3 Subject Alternative Name: 
                DNS:kubernetes, DNS:kubernetes.default, IP Address:172.18.0.2, IP Address:10.96.0.1
            X509v3 Subject Key Identifier: 
    Signature Algorithm: sha256WithRSAEncryption
    Signature Value:
`);
  });

  it("takes over what a request asks for when it is told to, unless the signer says something else", () => {
    const request = `${makeAuthority}openssl req -newkey rsa:1024 -noenc -keyout web.key -out web.csr -subj /CN=web.example -addext subjectAltName=DNS:web.example 2>/dev/null
printf 'subjectAltName=DNS:other.example\\n' > signer.conf\n`;
    const sign = (flags: string): string =>
      run(
        `${request}openssl x509 -req -in web.csr -CA ca.crt -CAkey ca.key -out web.crt ${flags} 2>/dev/null; openssl x509 -in web.crt -noout -ext subjectAltName`,
      ).out;
    expect(sign("")).not.toContain("web.example");
    expect(sign("-copy_extensions none")).not.toContain("web.example");
    expect(sign("-copy_extensions copy")).toContain("DNS:web.example");
    expect(sign("-copy_extensions copyall -extfile signer.conf")).toMatch(/^(?!.*web\.example)[\s\S]*DNS:other\.example/);
    expect(run(`${request}openssl x509 -req -in web.csr -CA ca.crt -CAkey ca.key -copy_extensions some`).err).toContain(
      "Invalid extension copy option: some",
    );
  });

  it("is read by OpenSSL as it was meant", () => {
    const { out } = run(`${makeServer}cat ca.crt server.crt`);
    const [authority, server] = (out.match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----/g) ?? []).map(
      (text) => new NodeCertificate(text),
    );
    expect(server?.verify((authority as NodeCertificate).publicKey)).toBe(true);
    expect([authority?.ca, server?.ca, server?.subject, server?.subjectAltName]).toEqual([
      true,
      false,
      "C=FR\nST=Paris\nO=dev\nCN=172.18.0.2",
      "DNS:kubernetes, DNS:kubernetes.default, IP Address:172.18.0.2, IP Address:10.96.0.1",
    ]);
    expect(server?.validToDate.getTime()).toBe((server?.validFromDate.getTime() ?? 0) + 10_000 * 86_400_000);
  });

  it("[API-410] verifies against an authority, and says at which depth it fails", () => {
    const { out, err, code } = run(
      `${makeServer}openssl verify -CAfile ca.crt server.crt; openssl verify server.crt; openssl verify -CAfile server.crt ca.crt; openssl verify -CAfile ca.crt nofile`,
    );
    expect(out).toBe("server.crt: OK\n");
    expect(err.split("\n").filter((line) => !line.includes("routines:") && !line.includes("system library"))).toEqual([
      "C = FR, ST = Paris, O = dev, CN = 172.18.0.2",
      "error 20 at 0 depth lookup: unable to get local issuer certificate",
      "error server.crt: verification failed",
      "CN = 172.18.0.2",
      "error 18 at 0 depth lookup: self-signed certificate",
      "error ca.crt: verification failed",
      "Could not open file or uri for loading certificate file from nofile",
      "Unable to load certificate file",
      "",
    ]);
    expect(code).toBe(2);
  });

  it("notices a certificate of another key with the same name", () => {
    const { err } = run(
      `${makeServer}openssl req -x509 -newkey rsa:1024 -nodes -keyout o.key -subj /CN=172.18.0.2 -out o.crt 2>/dev/null; openssl verify -CAfile o.crt server.crt`,
    );
    expect(err).toContain("error 7 at 0 depth lookup: certificate signature failure");
  });

  it("shows single parts, in the order asked for", () => {
    const { out } = run(
      `${makeServer}openssl x509 -noout -issuer -subject -ext keyUsage -checkend 60 -in server.crt; openssl x509 -noout -subject -nameopt RFC2253 -in server.crt; openssl req -noout -subject -in server.csr; diff <(openssl rsa -in server.key -noout -modulus) <(openssl x509 -in server.crt -noout -modulus) && echo same`,
    );
    expect(out).toBe(`issuer=CN = 172.18.0.2
subject=C = FR, ST = Paris, O = dev, CN = 172.18.0.2
X509v3 Key Usage: 
    Key Encipherment, Data Encipherment
Certificate will not expire
subject=CN=172.18.0.2,O=dev,ST=Paris,C=FR
subject=C = FR, ST = Paris, O = dev, CN = 172.18.0.2
same
`);
  });

  it("makes a certificate that has run out with -days -1, and counts no other number than in tens", () => {
    const days = (word: string): number[] => {
      const { out } = run(
        `${makeAuthority}openssl req -new -key ca.key -subj /CN=old -out q.csr; openssl x509 -req -in q.csr -CA ca.crt -CAkey ca.key -days ${word} -out q.crt 2>/dev/null; cat q.crt`,
      );
      const { validFromDate, validToDate } = new NodeCertificate(out);
      return [(validToDate.getTime() - validFromDate.getTime()) / 86_400_000];
    };
    expect(["-1", "0", "+5", "010", "0x10"].flatMap(days)).toEqual([-1, 0, 5, 10, 0]);
  });

  it("asks for the subject when nothing tells it", () => {
    const { out, err } = run(
      `${makeAuthority}printf 'FR\\n.\\n\\nAcme\\n\\njane\\n\\n' | openssl req -new -key ca.key -out q.csr; openssl req -in q.csr -noout -subject`,
    );
    expect(out).toBe("subject=C = FR, O = Acme, CN = jane\n");
    expect(err.endsWith("Common Name (e.g. server FQDN or YOUR name) []:Email Address []:")).toBe(true);
  });

  it.each([
    ["openssl foo", "Invalid command 'foo'; type \"help\" for a list.\n", 1],
    ["openssl genrsa -out k 100", /^Error setting RSA length\n/, 1],
    [
      "openssl x509 -in nofile -noout",
      /^Could not open file or uri for loading certificate from nofile\n[\s\S]*\nUnable to load certificate\n$/,
      1,
    ],
    ["openssl req -new -key nofile -subj /CN=x", /^Could not open file or uri for loading private key from nofile\n/, 1],
    [
      "openssl req -new -newkey rsa:512 -nodes -keyout k -subj CN=x",
      /req: subject name is expected to be in the format \/type0=value0\/type1=value1\/type2=\.\.\. where characters may be escaped by \\\. This name is not in that format: 'CN=x'\n$/,
      1,
    ],
    ["openssl req -new -newkey rsa:512 -keyout k -subj /CN=x", "req: keys with a pass phrase are not simulated; use -nodes\n", 1],
    ["openssl x509 -req -in q.csr -days -2", "x509: -days parameter arg must be >= -1\n", 1],
    ["openssl x509 -req -days 5x", 'x509: Can\'t parse "5x" as a number\nx509: Use -help for summary.\n', 1],
    ["openssl req -x509 -days -1", 'req: Non-positive number "-1" for option -days\nreq: Use -help for summary.\n', 1],
    ["openssl req -x509 -days 99999999999", 'req: Value "99999999999" outside integer range\nreq: Use -help for summary.\n', 1],
    ["openssl x509 -nonsense", "x509: Unknown option or cipher: nonsense\nx509: Use -help for summary.\n", 1],
  ])("complains: %s", (script, message, code) => {
    const ran = run(script);
    if (typeof message === "string") expect(ran.err).toBe(message);
    else expect(ran.err).toMatch(message);
    expect(ran.code).toBe(code);
  });

  it("sums up what certificates and keys have in common, and files, by whatever name the digest is asked for", () => {
    const { out } = run(`${makeServer}openssl x509 -noout -modulus -in server.crt | openssl md5 > a
openssl rsa -noout -modulus -in server.key 2>/dev/null | openssl md5 > b
cmp a b && sed 's/=.*/=/' a
printf abc > abc
openssl sha256 abc; openssl dgst -md5 -c abc; openssl dgst -sha1 -r < abc`);
    expect(out).toBe(`MD5(stdin)=
SHA256(abc)= ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
MD5(abc)= 90:01:50:98:3c:d2:4f:b0:d6:96:3f:7d:28:e1:7f:72
a9993e364706816aba3e25717850c26c9cd0d89d *stdin
`);
  });

  const unread = (path: string) => `Could not open file or uri for loading client certificate private key from ${path}\n`;
  const unset = (path: string) => `curl: (58) unable to set private key file: '${path}' type PEM\n`;
  it.each([
    ["ca.crt", "", "Could not read client certificate private key from ca.crt\n", unset("ca.crt")],
    ["ca.crt", "nope", unread("nope"), unset("nope")],
    ["ca.crt", "csr.conf", "Could not read client certificate private key from csr.conf\n", unset("csr.conf")],
    ["ca.crt", "server.key", "error setting private key\n", unset("server.key")],
    [
      "nope",
      "",
      unread("nope"),
      /^curl: \(58\) could not load PEM client certificate from nope, .*80000002:system library::No such file/,
    ],
    [
      "csr.conf",
      "ca.key",
      "Could not read client certificate from csr.conf\nUnable to load client certificate\n",
      /^curl: \(58\) could not load PEM client certificate from csr\.conf, .*0480006C:PEM routines::no start line/,
    ],
    ["ca.crt", "ca.key", /^800000/, undefined],
    ["both", "", /^800000/, undefined],
  ])("a client's certificate %s with the key %s", (certificate, key, ofOpenssl, ofCurl) => {
    const told = (asked: string) =>
      run(`{ ${makeServer}cat ca.crt ca.key > both; } 2> /dev/null; ${asked}`).err.replace(/^[0-9A-F]{16}:error:/gmu, "");
    const own = (dash: string) => `${dash}cert ${certificate}${key === "" ? "" : ` ${dash}key ${key}`}`;
    expect(told(`openssl s_client -connect 127.0.0.1:9 ${own("-")} < /dev/null`)).toMatch(matching(ofOpenssl));
    const ask = `curl -sS ${own("--")} https://127.0.0.1:9/`;
    if (ofCurl !== undefined) expect(told(`nc -l 9 > /dev/null & sleep 1; ${ask}`)).toMatch(matching(ofCurl));
    // Nobody listens: that is found before the files are read.
    expect(told(ask)).toMatch(/^curl: \(7\) Failed to connect to 127\.0\.0\.1 port 9 /u);
    expect(told(ask.replace("https", "http"))).toMatch(/^curl: \(7\)/u);
  });

  it("says what is not simulated, and what OpenSSL does not know either", () => {
    expect(run("openssl pkcs12 -export").err).toMatch(/^openssl: pkcs12 is not simulated; there are genrsa genpkey .*\n$/u);
    expect(run("openssl pkcs").err).toBe("Invalid command 'pkcs'; type \"help\" for a list.\n");
  });
});

describe("update-ca-certificates", () => {
  it("[API-412] adds an authority to the system's bundle, and takes it away again", () => {
    const { out } = run(
      `${makeAuthority}mkdir -p /usr/local/share/ca-certificates; cp ca.crt /usr/local/share/ca-certificates/kubernetes.crt
update-ca-certificates; openssl verify ca.crt; update-ca-certificates | sed -n 2p; update-ca-certificates --fresh | sed -n 1,4p; rm /usr/local/share/ca-certificates/kubernetes.crt; update-ca-certificates | sed -n 2p`,
    );
    expect(out).toBe(`Updating certificates in /etc/ssl/certs...
1 added, 0 removed; done.
Running hooks in /etc/ca-certificates/update.d...
done.
ca.crt: OK
0 added, 0 removed; done.
Clearing symlinks in /etc/ssl/certs...
done.
Updating certificates in /etc/ssl/certs...
1 added, 0 removed; done.
0 added, 1 removed; done.
`);
  });
});
