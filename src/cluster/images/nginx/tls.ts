// TLS of nginx's ports: certificates and keys out of files, which of them a client is shown, and what nginx and OpenSSL say
// of files that will not do.

import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate, TlsServer } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { keyPairFault } from "#x509/key-pair.ts";
import { ConfigurationError, type ServerBlock, serversAt } from "./configuration.ts";

const openFailures: { readonly [code: string]: string } = {
  ENOENT: "80000002:system library::No such file or directory",
  EACCES: "8000000D:system library::Permission denied",
  EISDIR: "80000015:system library::Is a directory",
};

const noCertificate = "error:0480006C:PEM routines::no start line:Expecting: TRUSTED CERTIFICATE";
const noKey = "error:1E08010C:DECODER routines::unsupported:No supported data to decode. Input type: PEM";
/** What is wrong with a pair in Go's words, and in OpenSSL's. */
const mismatches: { readonly [fault: string]: string } = {
  "tls: private key does not match public key": "05800074:x509 certificate routines::key values mismatch",
  "tls: private key type does not match public key type": "05800073:x509 certificate routines::key type mismatch",
};

/** How one port speaks TLS. */
export class PortTls implements TlsServer {
  readonly answersPlainHttp = true;
  #certificate: Certificate;
  /** By the names of servers. */
  #named: ReadonlyMap<string, Certificate>;

  constructor(certificate: Certificate, named: ReadonlyMap<string, Certificate>) {
    this.#certificate = certificate;
    this.#named = named;
  }

  get certificate(): Certificate {
    return this.#certificate;
  }

  certificateFor(serverName: string): Certificate {
    return this.#named.get(asciiLowerCase(serverName)) ?? this.#certificate;
  }

  /** After a reload: the port has stayed open. */
  become(other: PortTls): this {
    this.#certificate = other.#certificate;
    this.#named = other.#named;
    return this;
  }
}

/** Reads the files of all servers that name some. Throws ConfigurationError. */
export function portsWithTls(self: Process, servers: readonly ServerBlock[]): ReadonlyMap<number, PortTls> {
  const certificates = new Map<ServerBlock, Certificate>();
  for (const server of servers) {
    const { certificate, certificateKey } = server.fallback;
    if (certificate === undefined) continue;
    if (certificateKey === undefined)
      throw new ConfigurationError(`no "ssl_certificate_key" is defined for certificate "${certificate}"`);
    certificates.set(server, readPair(self, certificate, certificateKey));
  }
  const found = new Map<number, PortTls>();
  for (const port of new Set(servers.flatMap(({ securePorts }) => securePorts))) {
    const there = serversAt(servers, port);
    const [first] = there;
    const usual = first === undefined ? undefined : certificates.get(first);
    if (usual === undefined)
      throw new ConfigurationError(`no "ssl_certificate" is defined for the "listen ... ssl" directive ${first?.place ?? ""}`);
    const named = there.flatMap((server) => {
      const certificate = certificates.get(server);
      return certificate === undefined ? [] : server.names.map((name) => [asciiLowerCase(name), certificate] as const);
    });
    // Of servers with one name the first has it.
    found.set(port, new PortTls(usual, new Map(named.reverse())));
  }
  return found;
}

function readPair(self: Process, certificateFile: string, keyFile: string): Certificate {
  const sayCertificate = `cannot load certificate "${certificateFile}"`;
  const certificateText = textOf(self, certificateFile, sayCertificate);
  const [certificate] = readCertificates(certificateText);
  if (certificate === undefined)
    throw new ConfigurationError(`${sayCertificate}: PEM_read_bio_X509_AUX() failed (SSL: ${noCertificate})`);
  const sayKey = `cannot load certificate key "${keyFile}"`;
  const fault = keyPairFault(certificateText, textOf(self, keyFile, sayKey));
  if (fault === undefined) return certificate;
  const mismatch = mismatches[fault];
  throw new ConfigurationError(
    mismatch === undefined
      ? `${sayKey}: PEM_read_bio_PrivateKey() failed (SSL: ${noKey})`
      : `SSL_CTX_use_PrivateKey("${keyFile}") failed (SSL: error:${mismatch})`,
  );
}

function textOf(self: Process, file: string, say: string): string {
  try {
    return self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const why = `error:${openFailures[error.code] ?? openFailures["ENOENT"]}:calling fopen(${file}, r)`;
    const known = error.code === "ENOENT" ? "error:10000080:BIO routines::no such file" : "error:10080002:BIO routines::system lib";
    throw new ConfigurationError(`${say}: BIO_new_file() failed (SSL: ${why} ${known})`);
  }
}
