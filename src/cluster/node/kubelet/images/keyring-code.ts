// Registry credentials in docker's config.json form, and which of them fit an image (pkg/credentialprovider).

import type { RegistryCredentials } from "#cluster/images/image.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { type Keyring, KeyringError, type SecretSource, type TrackedCredentials } from "./keyring.ts";

/** As Go names kinds of JSON values in its errors. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function isMap(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws KeyringError. */
function decodedAuth(field: string): RegistryCredentials {
  const isPadded = field.trimEnd().endsWith("=");
  const body = isPadded ? field.replace(/={1,2}\s*$/u, "") : field;
  const wrong = body.search(/[^A-Za-z0-9+/\r\n]/u);
  if (wrong >= 0) throw new KeyringError(`illegal base64 data at input byte ${wrong}`);
  const digits = body.replace(/[\r\n]/gu, "");
  if (digits.length % 4 === 1) throw new KeyringError(`illegal base64 data at input byte ${digits.length - 1}`);
  const text = decodeUtf8(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
  const colon = text.indexOf(":");
  if (colon < 0) throw new KeyringError("unable to parse auth field, must be formatted as base64(username:password)");
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function credentialsOf(value: unknown): RegistryCredentials {
  if (!isMap(value)) {
    const type = "credentialprovider.dockerConfigEntryWithAuth";
    throw new KeyringError(`json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`);
  }
  const text = (name: string): string => {
    const field = value[name] ?? "";
    if (typeof field === "string") return field;
    const place = `dockerConfigEntryWithAuth.${name} of type string`;
    throw new KeyringError(`json: cannot unmarshal ${kindOf(field)} into Go struct field ${place}`);
  };
  const auth = text("auth");
  return auth === "" ? { username: text("username"), password: text("password") } : decodedAuth(auth);
}

/** Entries of `{"auths": {...}}`, or of the bare map of the older .dockercfg. Throws KeyringError. */
export function keyringOf(json: string, form: "config.json" | "dockercfg", source?: SecretSource): Keyring {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new KeyringError("error occurred while trying to unmarshal json");
  }
  const type = form === "dockercfg" ? "DockerConfig" : "DockerConfigJSON";
  if (!isMap(parsed))
    throw new KeyringError(`json: cannot unmarshal ${kindOf(parsed)} into Go value of type credentialprovider.${type}`);
  const map = form === "dockercfg" ? parsed : (parsed["auths"] ?? {});
  if (!isMap(map)) {
    const place = "DockerConfigJSON.auths of type credentialprovider.DockerConfig";
    throw new KeyringError(`json: cannot unmarshal ${kindOf(map)} into Go struct field ${place}`);
  }
  return Object.entries(map).map(([key, value]) => ({
    key: normalised(key),
    credentials: { ...credentialsOf(value), ...(source === undefined ? {} : { source }) },
  }));
}

/** Without a scheme, and with `/v1/` or `/v2/` at the beginning of the path as good as nothing. */
function normalised(location: string): string {
  const bare = location.replace(/^https?:\/\//u, "");
  const slash = bare.indexOf("/");
  const host = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? "" : bare.slice(slash).replace(/^\/v[12]\//u, "/");
  return path === "/" ? host : host + path;
}

/** Go's filepath.Match on a label of a host. */
function matchesLabel(pattern: string, label: string): boolean {
  if (!/[*?[\\]/u.test(pattern)) return pattern === label;
  const source = pattern.replace(/\\(.)|\[(\^?)([^\]]+)\]|\*|\?|[.+^${}()|]/gu, (match, escaped, not, range) => {
    if (match === "*") return ".*";
    if (match === "?") return ".";
    if (range !== undefined) return `[${not}${range}]`;
    return `\\${escaped ?? match}`;
  });
  try {
    return new RegExp(`^${source}$`, "u").test(label);
  } catch {
    return false;
  }
}

function split(url: string): { readonly labels: readonly string[]; readonly port: string; readonly path: string } {
  const slash = url.indexOf("/");
  const host = slash < 0 ? url : url.slice(0, slash);
  const [name = "", port = ""] = host.split(":");
  return { labels: name.split("."), port, path: slash < 0 ? "" : url.slice(slash) };
}

/** Whether a key (host with globs by label, the same port, a path to begin with) covers a repository (`registry.example:5000/team/app`). */
export function keyCovers(key: string, repository: string): boolean {
  const glob = split(key);
  const target = split(repository);
  if (glob.port !== target.port || glob.labels.length !== target.labels.length || !target.path.startsWith(glob.path)) return false;
  return glob.labels.every((pattern, index) => matchesLabel(pattern, target.labels[index] as string));
}

const hubKey = "index.docker.io";

/** The credentials to try for a repository of one keyring, the longest key first. */
export function credentialsFor(keyring: Keyring, repository: string): readonly TrackedCredentials[] {
  const fitting = keyring.filter(({ key }) => keyCovers(key, repository));
  const isHub = repository.startsWith("docker.io/");
  const found = fitting.length === 0 && isHub ? keyring.filter(({ key }) => key === hubKey) : fitting;
  return found.toSorted((a, b) => compareTexts(b.key, a.key)).map(({ credentials }) => credentials);
}
