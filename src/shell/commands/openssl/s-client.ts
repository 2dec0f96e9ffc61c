// s_client: a TLS connection by hand, and what the server shows in it (apps/s_client.c). One certificate, no session tickets.

import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { X509Certificate } from "#x509/certificate.ts";
import { isKeyPair } from "#x509/keys.ts";
import { isAddress } from "../../toolkit/http-client.ts";
import { addressOf, talk } from "../../toolkit/talk.ts";
import { ToolFailure } from "../../toolkit/tool.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { OpensslFailure, queued } from "./failure.ts";
import { readCertificate, readKey } from "./files.ts";
import { oneLine } from "./names.ts";
import { dateText } from "./print.ts";
import { encoded } from "./shown-certificate.ts";
import { type Fault, followChain, trustedCertificates } from "./verify.ts";

const flags = "showcerts quiet brief noservername ign_eof tls1_3 verify_return_error";
const valued = "connect servername CAfile cert key";
const errnos: { readonly [code: string]: number } = { ECONNREFUSED: 111, ETIMEDOUT: 110, EHOSTUNREACH: 113, ENETUNREACH: 101 };

export function* sClient(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("s_client", words, flags, valued);
  const target = args.value("connect") ?? args.operands[0] ?? "localhost:4433";
  const [, bracketed, plain, port = ""] = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/u.exec(target) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new OpensslFailure(`s_client: -connect argument or target parameter malformed or ambiguous`);
  const trusted = trustedCertificates(self, args.value("CAfile"));
  const certificate = yield* ownCertificate(self, args);
  const serverName = serverNameOf(args, host);
  let shown: Certificate | undefined;
  let fd: number;
  try {
    const address = yield* addressOf(self, host === "" ? "localhost" : host, "");
    fd = yield* self.connect({
      address,
      port: Number(port),
      tls: {
        serverName,
        onServer: (server) => {
          shown = server;
        },
        ...(certificate === undefined ? {} : { certificate }),
      },
    });
  } catch (error) {
    if (error instanceof SysError && error.code !== "EINTR") throw notConnected(error);
    if (error instanceof ToolFailure) throw unknownHost();
    if (!(error instanceof TlsError)) throw error;
    yield* self.write(1, "CONNECTED(00000003)\n");
    throw new OpensslFailure(
      `${queued("0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl/record/ssl3_record.c:354:")}`,
    );
  }
  const server = shown === undefined ? undefined : encoded(shown);
  const { chain, fault } = server === undefined ? { chain: [], fault: undefined } : followChain(server, trusted, [], self.nowMs);
  yield* tell(self, args, { server, chain, fault, isNamed: serverName !== "" });
  if (fault !== undefined && args.has("verify_return_error")) return 1;
  const end = yield* talk(self, fd, { afterInputMs: args.has("ign_eof") || args.has("quiet") ? undefined : 0, endsWriting: true });
  self.close(fd);
  if (end === "peer") yield* self.write(args.has("quiet") ? 2 : 1, args.has("quiet") ? "" : "closed\n");
  else yield* self.write(2, "DONE\n");
  return 0;
}

/** With a key that fits, which stands in the certificate's file unless another is named; a key alone is read and shown to nobody. */
function* ownCertificate(self: Process, args: Arguments): Sys<X509Certificate | undefined> {
  const path = args.value("cert");
  const keyPath = args.value("key") ?? path;
  if (keyPath === undefined) return undefined;
  const key = yield* readKey(self, keyPath, "client certificate private key");
  if (path === undefined) return undefined;
  const certificate = yield* readCertificate(self, path, "client certificate", "Unable to load client certificate");
  if (isKeyPair(certificate.publicKey, key)) return certificate;
  throw new OpensslFailure(
    `error setting private key\n${queued("05800074:x509 certificate routines:X509_check_private_key:key values mismatch:../crypto/x509/x509_cmp.c:403:")}`,
  );
}

/** Names only: the address of a host is nothing that a server chooses its certificate by. */
function serverNameOf(args: Arguments, host: string): string {
  if (args.has("noservername")) return "";
  return args.value("servername") ?? (isAddress(host) ? "" : host);
}

function notConnected({ code, message }: SysError): OpensslFailure {
  const errno = errnos[code] ?? 5;
  const number = asciiUpperCase(errno.toString(16).padStart(2, "0"));
  return new OpensslFailure(
    [
      queued(`800000${number}:system library:BIO_connect:${message}:../crypto/bio/bio_sock2.c:117:calling connect()`),
      queued("10000067:BIO routines:BIO_connect:connect error:../crypto/bio/bio_sock2.c:119:"),
      `connect:errno=${errno}`,
    ].join("\n"),
  );
}

function unknownHost(): OpensslFailure {
  return new OpensslFailure(
    `${queued("10080002:BIO routines:BIO_lookup_ex:system lib:../crypto/bio/bio_addr.c:746:Name or service not known")}\nconnect:errno=22`,
  );
}

interface Seen {
  readonly server: X509Certificate | undefined;
  readonly chain: readonly X509Certificate[];
  readonly fault: Fault | undefined;
  /** The server was told by which name it is asked. */
  readonly isNamed: boolean;
}

function* tell(self: Process, args: Arguments, seen: Seen): Sys<void> {
  const { server, fault } = seen;
  const isLong = !args.has("quiet") && !args.has("brief");
  if (isLong) yield* self.write(1, "CONNECTED(00000003)\n");
  if (!seen.isNamed) yield* self.write(2, "Can't use SSL_get_servername\n");
  yield* self.write(2, depthLines(seen));
  const verification = fault === undefined ? "Verification: OK" : `Verification error: ${verdictOf(fault).text}`;
  if (args.has("brief")) {
    const lines = [
      "CONNECTION ESTABLISHED",
      "Protocol version: TLSv1.3",
      "Ciphersuite: TLS_AES_256_GCM_SHA384",
      `Peer certificate: ${server === undefined ? "" : oneLine(server.subject)}`,
      "Hash used: SHA256",
      "Signature type: RSA-PSS",
      verification,
      "Server Temp Key: X25519, 253 bits",
    ];
    yield* self.write(2, lines.map((line) => `${line}\n`).join(""));
  }
  if (!isLong || server === undefined) return;
  const { code, text } = fault === undefined ? { code: 0, text: "ok" } : verdictOf(fault);
  const bits = (server.publicKey.rsa?.modulus ?? 0n).toString(2).length;
  const lines = [
    "---",
    "Certificate chain",
    ` 0 s:${oneLine(server.subject)}`,
    `   i:${oneLine(server.issuerName)}`,
    `   a:PKEY: rsaEncryption, ${bits} (bit); sigalg: RSA-SHA256`,
    `   v:NotBefore: ${dateText(server.notBeforeMs)}; NotAfter: ${dateText(server.notAfterMs)}`,
    ...(args.has("showcerts") ? [server.pem.trimEnd()] : []),
    "---",
    "Server certificate",
    ...(args.has("showcerts") ? [] : [server.pem.trimEnd()]),
    `subject=${oneLine(server.subject)}`,
    `issuer=${oneLine(server.issuerName)}`,
    "---",
    "No client certificate CA names sent",
    "Peer signing digest: SHA256",
    "Peer signature type: RSA-PSS",
    "Server Temp Key: X25519, 253 bits",
    "---",
    `SSL handshake has read ${server.der.length + 533} bytes and written 377 bytes`,
    verification,
    "---",
    "New, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384",
    `Server public key is ${bits} bit`,
    "Secure Renegotiation IS NOT supported",
    "Compression: NONE",
    "Expansion: NONE",
    "No ALPN negotiated",
    "Early data was not sent",
    `Verify return code: ${code} (${text})`,
    "---",
  ];
  yield* self.write(1, lines.map((line) => `${line}\n`).join(""));
}

/** What stands at the end: a certificate without its issuer cannot be verified at all. */
function verdictOf({ code, depth, text }: Fault): { readonly code: number; readonly text: string } {
  return code === 20 && depth === 0 ? { code: 21, text: "unable to verify the first certificate" } : { code, text };
}

function depthLines({ chain, fault }: Seen): string {
  const good = (certificate: X509Certificate, depth: number): string =>
    `depth=${depth} ${oneLine(certificate.subject)}\nverify return:1\n`;
  const bad = (certificate: X509Certificate, depth: number, code: number, text: string): string =>
    `depth=${depth} ${oneLine(certificate.subject)}\nverify error:num=${code}:${text}\nverify return:1\n`;
  const lines: string[] = [];
  if (fault !== undefined) {
    lines.push(bad(fault.certificate, fault.depth, fault.code, fault.text));
    const { code, text } = verdictOf(fault);
    if (code !== fault.code) lines.push(bad(fault.certificate, fault.depth, code, text));
  }
  for (let depth = fault?.depth ?? chain.length - 1; depth >= 0; depth -= 1)
    lines.push(good(chain[depth] as X509Certificate, depth));
  return lines.join("");
}
