// verify: whether certificates lead to an authority that is trusted.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates, type X509Certificate } from "#x509/certificate.ts";
import { isSameName } from "#x509/names.ts";
import { readArguments } from "./arguments.ts";
import { OpensslFailure, queued } from "./failure.ts";
import { readCertificate } from "./files.ts";
import { oneLine } from "./names.ts";

/** The chain is followed no further than OpenSSL follows it by default. */
const maximumDepth = 100;

export interface Fault {
  readonly code: number;
  readonly depth: number;
  readonly text: string;
  readonly certificate: X509Certificate;
}

export function* verify(self: Process, words: readonly string[]): Sys<number> {
  const args = readArguments(
    "verify",
    words,
    "verbose x509_strict show_chain partial_chain",
    "CAfile CApath untrusted purpose verify_hostname",
  );
  const trusted = trustedCertificates(self, args.value("CAfile"));
  const helpers = args.values("untrusted").flatMap((path) => load(self, path));
  let status = 0;
  for (const path of args.operands.length === 0 ? [undefined] : args.operands) {
    let certificate: X509Certificate;
    try {
      certificate = yield* readCertificate(self, path, "certificate file", "Unable to load certificate file");
    } catch (error) {
      if (!(error instanceof OpensslFailure)) throw error;
      yield* self.write(2, `${error.message}\n`);
      status = 2;
      continue;
    }
    const name = path ?? "stdin";
    const { fault } = followChain(certificate, trusted, helpers, self.nowMs);
    if (fault === undefined) {
      yield* self.write(1, `${name}: OK\n`);
      continue;
    }
    const { code, depth, text } = fault;
    yield* self.write(
      2,
      `${oneLine(fault.certificate.subject)}\nerror ${code} at ${depth} depth lookup: ${text}\nerror ${name}: verification failed\n`,
    );
    status = 2;
  }
  return status;
}

export function trustedCertificates(self: Process, path: string | undefined): readonly X509Certificate[] {
  if (path !== undefined) return load(self, path);
  try {
    return readCertificates(self.readText("/etc/ssl/certs/ca-certificates.crt"));
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

function load(self: Process, path: string): readonly X509Certificate[] {
  try {
    return readCertificates(self.readText(path));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new OpensslFailure(
      [
        `Error loading file ${path}`,
        queued(
          `80000002:system library:BIO_new_file:No such file or directory:../crypto/bio/bss_file.c:67:calling fopen(${path}, r)`,
        ),
        queued("10000080:BIO routines:BIO_new_file:no such file:../crypto/bio/bss_file.c:75:"),
        queued("05880002:x509 certificate routines:X509_load_cert_crl_file_ex:system lib:../crypto/x509/by_file.c:229:"),
      ].join("\n"),
    );
  }
}

/** From the certificate up to an authority that is trusted, as far as it leads, and why it does not. */
export function followChain(
  certificate: X509Certificate,
  trusted: readonly X509Certificate[],
  helpers: readonly X509Certificate[],
  nowMs: number,
): { readonly chain: readonly X509Certificate[]; readonly fault: Fault | undefined } {
  const chain = [certificate];
  const faulty = (code: number, depth: number, text: string, at: X509Certificate) => ({
    chain,
    fault: { code, depth, text, certificate: at },
  });
  for (let depth = 0; depth < maximumDepth; depth += 1) {
    const last = chain.at(-1) as X509Certificate;
    if (trusted.some((each) => each.pem === last.pem) && isRoot(last)) return { chain, fault: dateFault(chain, nowMs) };
    if (isRoot(last)) {
      const text = depth === 0 ? "self-signed certificate" : "self-signed certificate in certificate chain";
      return faulty(depth === 0 ? 18 : 19, depth, text, last);
    }
    const issuer = [...trusted, ...helpers].find((each) => isSameName(each.subject, last.issuerName) && each.isAuthority);
    if (issuer === undefined) return faulty(20, depth, "unable to get local issuer certificate", last);
    if (!last.isSignedBy(issuer)) return faulty(7, depth, "certificate signature failure", last);
    chain.push(issuer);
  }
  return faulty(22, maximumDepth, "certificate chain too long", certificate);
}

/** The authority's dates are looked at first. */
function dateFault(chain: readonly X509Certificate[], nowMs: number): Fault | undefined {
  for (let depth = chain.length - 1; depth >= 0; depth -= 1) {
    const certificate = chain[depth] as X509Certificate;
    if (nowMs < certificate.notBeforeMs) return { code: 9, depth, text: "certificate is not yet valid", certificate };
    if (nowMs > certificate.notAfterMs) return { code: 10, depth, text: "certificate has expired", certificate };
  }
  return undefined;
}

function isRoot(certificate: X509Certificate): boolean {
  return isSameName(certificate.subject, certificate.issuerName);
}
