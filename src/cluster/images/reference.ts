// Image names as written in a Pod, and what they mean. Grammar and normalisation are those of the distribution project's
// reference package, which kubelet and containerd share.

import { asciiLowerCase } from "#sim/ascii.ts";

/** A parsed and normalised reference. */
export interface ImageReference {
  /** `docker.io`, `registry.k8s.io`, `registry.example:5000` */
  readonly host: string;
  /** `library/nginx` */
  readonly path: string;
  /** Undefined when neither written nor implied (a digest was given). */
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

export type ParsedReference =
  | { readonly ok: true; readonly reference: ImageReference; readonly hasTagOrDigest: boolean }
  /** In the parser's words: `invalid reference format`. */
  | { readonly ok: false; readonly message: string };

const identifier = /^[a-f0-9]{64}$/;
const pathPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const hostPattern =
  /^(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*(?::[0-9]+)?$/;
const tagPattern = /^[\w][\w.-]{0,127}$/;
const digestPattern = /^sha256:[a-f0-9]{64}$/;
const badFormat: ParsedReference = { ok: false, message: "invalid reference format" };

interface HostAndRest {
  readonly host: string;
  readonly rest: string;
}

function splitHost(name: string): HostAndRest {
  const slash = name.indexOf("/");
  const first = slash < 0 ? "" : name.slice(0, slash);
  const isHost = slash >= 0 && (/[.:]/.test(first) || first === "localhost" || asciiLowerCase(first) !== first);
  const host = isHost ? first : "docker.io";
  const rest = isHost ? name.slice(slash + 1) : name;
  if (host !== "docker.io" && host !== "index.docker.io") return { host, rest };
  return { host: "docker.io", rest: rest.includes("/") ? rest : `library/${rest}` };
}

/** Parses a name as a person writes it; `latest` is filled in where neither tag nor digest is given. */
export function parseReference(name: string): ParsedReference {
  if (identifier.test(name)) {
    return { ok: false, message: `invalid repository name (${name}), cannot specify 64-byte hexadecimal strings` };
  }
  const { host, rest } = splitHost(name);
  const at = rest.indexOf("@");
  const beforeDigest = at < 0 ? rest : rest.slice(0, at);
  const digest = at < 0 ? undefined : rest.slice(at + 1);
  const colon = beforeDigest.indexOf(":");
  const path = colon < 0 ? beforeDigest : beforeDigest.slice(0, colon);
  const tag = colon < 0 ? undefined : beforeDigest.slice(colon + 1);
  if (asciiLowerCase(path) !== path) {
    return { ok: false, message: `invalid reference format: repository name (${path}) must be lowercase` };
  }
  if (!hostPattern.test(host) || !pathPattern.test(path)) return badFormat;
  if (tag !== undefined && !tagPattern.test(tag)) return badFormat;
  if (digest !== undefined && !digestPattern.test(digest)) return badFormat;
  const hasTagOrDigest = tag !== undefined || digest !== undefined;
  return { ok: true, reference: { host, path, tag: hasTagOrDigest ? tag : "latest", digest }, hasTagOrDigest };
}

/** `docker.io/library/nginx` */
export function repositoryOf(reference: ImageReference): string {
  return `${reference.host}/${reference.path}`;
}

/** The full name as containerd writes it in its errors: of a tag and a digest only the digest stays (reference.ParseDockerRef). */
export function fullNameOf(reference: ImageReference): string {
  return `${repositoryOf(reference)}${reference.digest === undefined ? `:${reference.tag}` : `@${reference.digest}`}`;
}
