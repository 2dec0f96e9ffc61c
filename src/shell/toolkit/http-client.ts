// What the HTTP clients share: URLs, name resolution, certificates, bodies.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";

export interface Url {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly target: string;
}

function standardPort(scheme: string): number {
  return scheme === "https" ? 443 : 80;
}

/** Splits a URL; a missing scheme is http. Undefined when it is none. */
export function readUrl(text: string): Url | undefined {
  const match = /^(?:([a-zA-Z][\w+.-]*):\/\/)?(?:([^/@]*)@)?(\[[^\]]+\]|[^/:?#]*)(?::(\d*))?([/?][^#]*)?(?:#.*)?$/u.exec(text);
  if (match === null || match[3] === "") return undefined;
  const scheme = asciiLowerCase(match[1] ?? "http");
  const port = Number(match[4] || standardPort(scheme));
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
  const standard = standardPort(url.scheme);
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

/** The authorities of a bundle; the system's when no file is given. Throws SysError for a named file. */
export function trustedAuthorities(self: Process, path: string | undefined): readonly Certificate[] {
  if (path !== undefined) return readCertificates(self.readText(path));
  try {
    return readCertificates(self.readText("/etc/ssl/certs/ca-certificates.crt"));
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
