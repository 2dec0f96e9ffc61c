// s_client: connects with TLS, and shows what the server shows of itself; then it passes on what is typed.

import { asciiUpperCase } from "#sim/ascii.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import type { Process, Sys } from "#sim/program.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { addressOf, talk } from "../../toolkit/talk.ts";
import { ToolFailure } from "../../toolkit/tool.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { OpensslFailure, queued } from "./failure.ts";
import { readCertificate } from "./files.ts";
import { oneLine } from "./names.ts";
import { dateText } from "./print.ts";
import { type Fault, faultOf, trustedCertificates } from "./verify.ts";

const flags = "showcerts brief quiet no_ign_eof ign_eof noservername verify_return_error tls1_2 tls1_3 prexit nocommands state";
const valued = "connect host port servername CAfile CApath cert key verify verify_hostname alpn cipher ciphersuites starttls";

export function* sClient(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments("s_client", words, flags, valued);
  const { host, port } = placeOf(args);
  const trusted = trustedCertificates(self, args.value("CAfile"));
  const own = args.value("cert") === undefined ? undefined : yield* readCertificate(self, args.value("cert"));
  let shown: Certificate | undefined;
  const serverName = args.has("noservername") ? "" : (args.value("servername") ?? host);
  const onServer = (certificate: Certificate): void => {
    shown = certificate;
  };
  const tls = { serverName, onServer, ...(own === undefined ? {} : { certificate: own }) };
  const fd = yield* connected(self, { host, port }, tls);
  if (!args.has("quiet")) yield* self.write(1, "CONNECTED(00000003)\n");
  if (!(shown instanceof X509Certificate)) throw new OpensslFailure("---\nno peer certificate available\n---");
  const fault = faultOf(shown, trusted, [], self.nowMs);
  yield* self.write(2, verification(shown, trusted, fault));
  if (fault !== undefined && args.has("verify_return_error")) return 1;
  if (!args.has("quiet")) yield* self.write(1, report(shown, fault));
  return yield* passOn(self, fd, args.has("quiet") || args.has("ign_eof"));
}

function placeOf(args: Arguments): { readonly host: string; readonly port: number } {
  const [host = "", port = ""] = (args.value("connect") ?? args.operands[0] ?? "").split(/:(?=\d*$)/u);
  const place = { host: args.value("host") ?? (host || "localhost"), port: Number(args.value("port") ?? (port || "4433")) };
  if (!Number.isInteger(place.port) || place.port < 1 || place.port > 65_535)
    throw new OpensslFailure("s_client: -connect argument or target parameter malformed or ambiguous");
  return place;
}

function* connected(
  self: Process,
  { host, port }: ReturnType<typeof placeOf>,
  tls: { readonly serverName: string; readonly onServer: (certificate: Certificate) => void },
): Sys<number> {
  const address = yield* found(self, host);
  try {
    return yield* self.connect({ address, port, tls });
  } catch (error) {
    if (error instanceof TlsError) throw new OpensslFailure(notTls(error.message));
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    const number = { ECONNREFUSED: 111, ETIMEDOUT: 110, EHOSTUNREACH: 113, ENETUNREACH: 101 }[error.code as string];
    if (number === undefined) throw new OpensslFailure(notTls(error.message));
    const code = asciiUpperCase((0x80000000 + number).toString(16));
    throw new OpensslFailure(
      [
        queued(`${code}:system library:BIO_connect:${error.message}:../crypto/bio/bio_sock2.c:127:calling connect()`),
        queued("10000067:BIO routines:BIO_connect:connect error:../crypto/bio/bio_sock2.c:129:"),
        `connect:errno=${number}`,
      ].join("\n"),
    );
  }
}

function* found(self: Process, host: string): Sys<string> {
  try {
    return yield* addressOf(self, host, host);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const unknown = queued("10080002:BIO routines:BIO_lookup_ex:system lib:../crypto/bio/bio_addr.c:758:Name or service not known");
    throw new OpensslFailure(`${unknown}\nconnect:errno=22`);
  }
}

function notTls(why: string): string {
  const what = /first record|HTTP response|wrong version/iu.test(why)
    ? "0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl/record/ssl3_record.c:354:"
    : "0A000126:SSL routines:ssl3_read_n:unexpected eof while reading:../ssl/record/rec_layer_s3.c:321:";
  return `${queued(what)}\n---\nno peer certificate available\n---`;
}

/** How the chain was followed, on standard error; what is wrong does not end the connection. */
function verification(server: X509Certificate, trusted: readonly X509Certificate[], fault: Fault | undefined): string {
  const name = oneLine(server.subject);
  if (fault === undefined) {
    const authority = trusted.find((each) => server.isSignedBy(each));
    const above = authority === undefined ? "" : `depth=1 ${oneLine(authority.subject)}\nverify return:1\n`;
    return `${above}depth=0 ${name}\nverify return:1\n`;
  }
  const faults = [fault, ...(fault.code === 20 ? [lastFault(fault)] : [])];
  const lines = faults.map(({ code, text }) => `depth=${fault.depth} ${name}\nverify error:num=${code}:${text}\nverify return:1\n`);
  return `${lines.join("")}depth=0 ${name}\nverify return:1\n`;
}

/** What is said in the end: of a certificate without its authority another thing than of the authority that is missing. */
function lastFault({ code, text }: Fault): { readonly code: number; readonly text: string } {
  return code === 20 ? { code: 21, text: "unable to verify the first certificate" } : { code, text };
}

function report(server: X509Certificate, fault: Fault | undefined): string {
  const [subject, issuer] = [oneLine(server.subject), oneLine(server.issuerName)];
  const bits = server.publicKey.rsa?.modulus.toString(2).length ?? 256;
  const key = server.publicKey.rsa === undefined ? "id-ecPublicKey" : "rsaEncryption";
  const last = fault === undefined ? { code: 0, text: "ok" } : lastFault(fault);
  return `---
Certificate chain
 0 s:${subject}
   i:${issuer}
   a:PKEY: ${key}, ${bits} (bit); sigalg: RSA-SHA256
   v:NotBefore: ${dateText(server.notBeforeMs)}; NotAfter: ${dateText(server.notAfterMs)}
---
Server certificate
${server.pem}subject=${subject}
issuer=${issuer}
---
${fault === undefined ? "Verification: OK" : `Verification error: ${last.text}`}
---
New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256
Server public key is ${bits} bit
Verify return code: ${last.code} (${last.text})
---
`;
}

/** Until the end of the input, a line with a Q, or the end of the connection. */
function* passOn(self: Process, fd: number, ignoresEnd: boolean): Sys<number> {
  const typed = function* (bytes: Bytes): Sys<Bytes | undefined> {
    return decodeUtf8(bytes) === "Q\n" ? undefined : bytes;
  };
  const end = yield* talk(self, fd, { translate: typed, ...(ignoresEnd ? {} : { afterInputMs: 0 }) });
  yield* end === "peer" ? self.write(1, "closed\n") : self.write(2, "DONE\n");
  return 0;
}
