// What the HTTP clients share: URLs, name resolution, certificates, bodies.

import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { decodeBase64 } from "./digest.ts";

export interface Url {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly target: string;
}

/** Splits a URL; a missing scheme is http. Undefined when it is none. */
export function readUrl(text: string): Url | undefined {
  const match = /^(?:([a-zA-Z][\w+.-]*):\/\/)?(?:([^/@]*)@)?(\[[^\]]+\]|[^/:?#]*)(?::(\d*))?([/?][^#]*)?(?:#.*)?$/u.exec(text);
  if (match === null || match[3] === "") return undefined;
  const scheme = (match[1] ?? "http").toLowerCase();
  const port = match[4] === undefined || match[4] === "" ? (scheme === "https" ? 443 : 80) : Number(match[4]);
  if (port > 65_535) return undefined;
  const path = match[5] ?? "/";
  return {
    scheme,
    user: match[2],
    host: (match[3] as string).replace(/^\[|\]$/gu, ""),
    port,
    target: path.startsWith("?") ? `/${path}` : path,
  };
}

/** `host[:port]` as a Host header has it. */
export function hostHeader(url: Url): string {
  const standard = url.scheme === "https" ? 443 : 80;
  const host = url.host.includes(":") ? `[${url.host}]` : url.host;
  return url.port === standard ? host : `${host}:${url.port}`;
}

/** Where a Location leads, seen from a URL. */
export function followLocation(from: Url, location: string): Url | undefined {
  if (/^[a-zA-Z][\w+.-]*:\/\//u.test(location)) return readUrl(location);
  if (location.startsWith("//")) return readUrl(`${from.scheme}:${location}`);
  if (location.startsWith("/")) return { ...from, target: location };
  return { ...from, target: from.target.replace(/[^/]*(?:\?.*)?$/u, "") + location };
}

/** Certificates of a PEM text. In this world the body of a certificate is its fields as JSON. */
export function readCertificates(pem: string): readonly Certificate[] {
  const found: Certificate[] = [];
  for (const [, body] of pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/gu)) {
    const certificate = parseCertificate(decodeUtf8(decodeBase64((body as string).replace(/\s/gu, "")).bytes));
    if (certificate !== undefined) found.push(certificate);
  }
  return found;
}

function parseCertificate(text: string): Certificate | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isCertificate(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCertificate(value: unknown): value is Certificate {
  return typeof value === "object" && value !== null && "commonName" in value && "issuer" in value;
}

/** The authorities of a bundle, by name; the system's when no file is given. Throws SysError for a named file. */
export function trustedIssuers(self: Process, path: string | undefined): readonly string[] {
  if (path !== undefined) return readCertificates(self.readText(path)).map((certificate) => certificate.commonName);
  try {
    return readCertificates(self.readText("/etc/ssl/certs/ca-certificates.crt")).map((certificate) => certificate.commonName);
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

/** Gives a body piece by piece until its end, and closes it. */
export function* readBody(self: Process, fd: number, each: (bytes: Bytes) => Sys<void>): Sys<void> {
  for (;;) {
    const bytes = yield* self.read(fd);
    if (bytes.length === 0) break;
    yield* each(bytes);
  }
  self.close(fd);
}

export function isAddress(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(text) || text.includes(":");
}
