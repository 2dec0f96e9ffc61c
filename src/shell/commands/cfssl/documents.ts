// The files of cfssl: requests and signing policies in JSON, and the errors that it prints about them.

import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isUsage } from "#x509/usages.ts";
import { readInput } from "../openssl/files.ts";
import { CfsslFailure } from "./go-flags.ts";

/** A request (`CSRJSON`), as far as it is used here. */
export interface RequestDocument {
  readonly CN?: string;
  readonly hosts?: readonly string[];
  readonly key?: { readonly algo?: string; readonly size?: number };
  readonly names?: readonly { readonly [part: string]: string }[];
  readonly ca?: { readonly expiry?: string; readonly pathlen?: number };
}

export interface Profile {
  readonly usages: readonly string[];
  /** 0: that of the default profile. */
  readonly expiryMs: number;
  readonly isAuthority: boolean;
}

interface ProfileDocument {
  readonly usages?: readonly string[];
  readonly expiry?: string;
  readonly ca_constraint?: { readonly is_ca?: boolean };
}

export interface Policy {
  readonly fallback: Profile;
  readonly profiles: ReadonlyMap<string, Profile>;
}

const hourMs = 3_600_000;
const yearMs = 8760 * hourMs;

/** Without a configuration: signing, encrypting and serving, for a year. */
export const usualPolicy: Policy = {
  fallback: { usages: ["signing", "key encipherment", "server auth"], expiryMs: yearMs, isAuthority: false },
  profiles: new Map(),
};

/** As cfssl prints its own errors. */
export function coded(code: number, message: string): CfsslFailure {
  return new CfsslFailure(JSON.stringify({ code, message }));
}

/** What `-ca` and `-ca-key` name: a file, also as `file:PATH`, or a variable as `env:NAME`. */
export function* readNamed(self: Process, source: string): Sys<string> {
  if (!source.startsWith("env:")) return yield* readText(self, source.replace(/^file:/u, ""));
  const value = self.env.get(source.slice(4));
  if (value === undefined) throw new CfsslFailure(`environment variable ${source.slice(4)} not set`);
  return value;
}

/** A file's text, as Go's os.ReadFile fails. */
export function* readText(self: Process, path: string): Sys<string> {
  if (path === "-") return (yield* readInput(self, "-")) ?? "";
  try {
    return self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new CfsslFailure(`open ${path}: ${goReason(error)}`);
  }
}

export function goReason({ message }: SysError): string {
  return message.replace(/^[A-Z](?![A-Z])/u, asciiLowerCase);
}

/** Throws CfsslFailure; the real one names the character that it stumbled over. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CfsslFailure(isCutOff(text) ? "unexpected end of JSON input" : "invalid character in JSON input");
  }
}

/** Whether more text could have made it whole. */
function isCutOff(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gsu, "");
  const depth = [...bare].reduce((sum, sign) => sum + Number("{[".includes(sign)) - Number("}]".includes(sign)), 0);
  return text.trim() === "" || depth > 0;
}

export function requestOf(text: string): RequestDocument {
  const document = parseJson(text);
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw new CfsslFailure("json: cannot unmarshal into Go value of type csr.CertificateRequest");
  return document;
}

/** `8760h`, `30m`, `1h30m`; undefined for others. */
export function durationMs(text: string): number | undefined {
  const units: { readonly [unit: string]: number } = { h: hourMs, m: 60_000, s: 1000, ms: 1 };
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/u.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/gu)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0), 0);
}

/** Throws CfsslFailure in the words of the start, which end without a new line. */
export function readPolicy(self: Process, path: string): Policy {
  const refused = (message: string): CfsslFailure =>
    new CfsslFailure(`Failed to load config file: ${coded(5200, message).message}`);
  let document: {
    readonly signing?: { readonly default?: ProfileDocument; readonly profiles?: { readonly [name: string]: ProfileDocument } };
  };
  try {
    document = JSON.parse(self.readText(path)) as typeof document;
  } catch (error) {
    if (error instanceof SysError) throw refused("could not read configuration file");
    throw refused("failed to unmarshal configuration: the file is not valid JSON");
  }
  const { signing } = document;
  if (signing === undefined) throw refused('No "signing" field present');
  const fallback = signing.default === undefined ? usualPolicy.fallback : profileOf(signing.default, refused);
  const profiles = new Map(Object.entries(signing.profiles ?? {}).map(([name, each]) => [name, profileOf(each, refused)]));
  const isWhole = ({ usages, expiryMs }: Profile): boolean => expiryMs > 0 && usages.some((usage) => isUsage(usage));
  if (fallback.expiryMs === 0 || ![...profiles.values()].every(isWhole)) throw refused("invalid configuration");
  return { fallback, profiles };
}

function profileOf(
  { usages = [], expiry, ca_constraint: constraint }: ProfileDocument,
  refused: (message: string) => Error,
): Profile {
  if (expiry === "") throw refused("empty expiry string");
  const expiryMs = expiry === undefined ? 0 : durationMs(expiry);
  if (expiryMs === undefined) throw refused(`time: invalid duration ${JSON.stringify(expiry)}`);
  return { usages, expiryMs, isAuthority: constraint?.is_ca === true };
}
