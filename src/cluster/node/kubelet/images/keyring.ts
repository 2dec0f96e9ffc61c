// Registry credentials in docker's config.json form, and which of them fit an image (kubelet's credentialprovider).

import type { RegistryCredentials } from "#cluster/images/image.ts";
import { parseReference } from "#cluster/images/reference.ts";

interface AuthEntry {
  readonly key: string;
  readonly credentials: RegistryCredentials;
}

export type Keyring = readonly AuthEntry[];

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

function credentialsOf(value: unknown): RegistryCredentials | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { username, password, auth } = value as { readonly [field: string]: unknown };
  if (typeof username === "string" && typeof password === "string") return { username, password };
  if (typeof auth !== "string") return undefined;
  const decoded = decodeBase64(auth);
  const colon = decoded.indexOf(":");
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Entries of `{"auths": {...}}`, or of the bare map of the older .dockercfg. What does not parse gives none. */
export function keyringOf(json: string, form: "config.json" | "dockercfg"): Keyring {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof parsed !== "object" || parsed === null) return [];
  const map = form === "dockercfg" ? parsed : (parsed as { readonly auths?: unknown }).auths;
  if (typeof map !== "object" || map === null) return [];
  const entries: AuthEntry[] = [];
  for (const [key, value] of Object.entries(map)) {
    const credentials = credentialsOf(value);
    if (credentials !== undefined) entries.push({ key: normalised(key), credentials });
  }
  return entries;
}

function normalised(key: string): string {
  const bare = key
    .replace(/^https?:\/\//, "")
    .replace(/\/v[12]\/?$/, "")
    .replace(/\/$/, "");
  return bare === "index.docker.io" ? "docker.io" : bare;
}

function matchesLabel(pattern: string, label: string): boolean {
  if (!pattern.includes("*")) return pattern === label;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, "[^.]*");
  return new RegExp(`^${escaped}$`).test(label);
}

/** Whether a key (host with globs per label, optional port, optional path prefix) covers an image. */
export function keyCovers(key: string, host: string, path: string): boolean {
  const slash = key.indexOf("/");
  const keyHost = slash < 0 ? key : key.slice(0, slash);
  const keyPath = slash < 0 ? "" : key.slice(slash + 1);
  const [keyName = "", keyPort] = keyHost.split(":");
  const [hostName = "", hostPort] = host.split(":");
  if (keyPort !== hostPort) return false;
  const patterns = keyName.split(".");
  const labels = hostName.split(".");
  if (patterns.length !== labels.length) return false;
  if (!patterns.every((pattern, index) => matchesLabel(pattern, labels[index] as string))) return false;
  return path.startsWith(keyPath);
}

/** The credentials to try for an image, the longest key first. */
export function credentialsFor(keyring: Keyring, image: string): readonly RegistryCredentials[] {
  const parsed = parseReference(image);
  if (!parsed.ok) return [];
  const { host, path } = parsed.reference;
  return keyring
    .filter((entry) => keyCovers(entry.key, host, path))
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0))
    .map((entry) => entry.credentials);
}
