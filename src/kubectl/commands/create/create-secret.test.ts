// What kubectl v1.36.3 says of the same files.

import { describe, expect, it } from "vitest";
import { Random } from "#sim/random.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { privateKeyPem, publicKeyOf } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { pem } from "#x509/pem.ts";
import { generateKey } from "#x509/rsa.ts";
import { check, kubectlWorld } from "../../kubectl.test-kit.ts";

const key = generateKey(1024, new Random(1));
const content = {
  serial: 1n,
  subject: subjectName("api"),
  publicKey: publicKeyOf(key),
  notBeforeMs: 0,
  notAfterMs: 1_000,
  extensions: [],
};
const certificate = X509Certificate.issue(content, { name: content.subject, publicKey: content.publicKey, key });
const ownKey = privateKeyPem(key);
const otherKey = privateKeyPem(generateKey(1024, new Random(2)));
const curveKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEICf8+ojhBGKjUcqiNTM5vSwjQ7R5Y39b2WWYpo6nzqxVoAoGCCqGSM49
AwEHoUQDQgAEov7MAeWTHQinGQKHr7XrRTa8NBaaPdW0nCvJY2RDp47mDKYon2K+
QUIoUg/FDmgZIVi5cbXcR8hcx9wVBvgbCg==
-----END EC PRIVATE KEY-----
`;
const damaged = new Uint8Array([0, 0, 0]);

describe("kubectl create secret tls", () => {
  it("[NET-452] [NET-448] takes a key that fits its certificate, and no other", () => {
    const world = kubectlWorld();
    world.write("/tmp/tls.crt", pem("CERTIFICATE", certificate.der));
    world.write("/tmp/tls.key", ownKey);
    world.write("/tmp/other.key", otherKey);
    world.write("/tmp/both.key", ownKey + otherKey);
    world.write("/tmp/bad.crt", pem("CERTIFICATE", damaged));
    world.write("/tmp/bad.key", pem("RSA PRIVATE KEY", damaged));
    world.write("/tmp/ec.key", curveKey);
    world.write("/tmp/public.key", pem("PUBLIC KEY", damaged));
    world.write("/tmp/none", "hi\n");
    const fails = (files: string, message: string) => {
      const [cert, key] = files.split(" ");
      return { line: `create secret tls x --cert=${cert} --key=${key}`, code: 1, stderr: `error: ${message}\n` };
    };
    check(world, [
      { line: "create secret tls x --cert=tls.crt --key=tls.key", stdout: "secret/x created\n" },
      { line: "create secret tls y --cert=tls.crt --key=both.key --dry-run=client -o name", stdout: "secret/y\n" },
      fails("tls.crt other.key", "tls: private key does not match public key"),
      fails("tls.crt ec.key", "tls: private key type does not match public key type"),
      fails("bad.crt tls.key", "x509: malformed certificate"),
      fails("tls.crt bad.key", "tls: failed to parse private key"),
      fails("none tls.key", "tls: failed to find any PEM data in certificate input"),
      fails("tls.crt none", "tls: failed to find any PEM data in key input"),
      fails(
        "tls.key tls.crt",
        "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
      ),
      fails("tls.crt tls.crt", "tls: found a certificate rather than a key in the PEM for the private key"),
      fails(
        "both.key tls.key",
        'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [PRIVATE KEY PRIVATE KEY]',
      ),
      fails(
        "tls.crt public.key",
        'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [PUBLIC KEY]',
      ),
      fails("missing tls.key", "Cannot read file missing, open missing: no such file or directory"),
      { line: "create secret tls x --cert=tls.crt", code: 1, stderr: "error: key and cert must be specified\n" },
    ]);
    expect(world.run("get secret x -o jsonpath={.type}").stdout).toBe("kubernetes.io/tls");
  });
});

describe("kubectl create secret generic", () => {
  it("[NET-420] [NET-448] names an object after its content with --append-hash", () => {
    check(kubectlWorld(), [
      {
        line: "create secret generic s --from-literal=username=admin --from-literal=password=1f2d1e2e67df --append-hash -o name",
        stdout: "secret/s-c88gmfctg5\n",
      },
      { line: "create secret generic s --append-hash -o name --type=x/y", stdout: "secret/s-g7c9kctt6f\n" },
      { line: "create configmap c --from-literal=a=b --append-hash", stdout: "configmap/c-m4h6ctkgb2 created\n" },
      { line: "delete secret s-g7c9kctt6f", stdout: 'secret "s-g7c9kctt6f" deleted from default namespace\n' },
    ]);
  });
});
