// The registries of the world: a list of images by host, with what a real registry answers when a name, a tag, a
// password or the host itself is wrong. Messages are containerd's (remotes/docker resolver and its pull service).

import type { Image, ImageRegistry, PullResult, RegistryCredentials } from "./image.ts";
import { fullNameOf, type ImageReference, parseReference, repositoryOf } from "./reference.ts";

export interface RegistryHost {
  /** `registry.lab.example:5000` */
  readonly host: string;
  /** Who may pull; absent: everyone. */
  readonly accounts?: readonly RegistryCredentials[];
  /** What the host says to names it does not have: Docker Hub hides them, most others do not. */
  readonly unknownRepository: "denied" | "notFound";
}

export interface RegistryOptions {
  readonly images: readonly Image[];
  /** Beside the well-known public ones. */
  readonly hosts?: readonly RegistryHost[];
  /** Download speed of a node, bytes a second. */
  readonly bandwidth?: number;
  /** Images, by name as in a Pod, whose pull takes this long, whatever their size. */
  readonly pullMs?: { readonly [name: string]: number };
  /** The DNS server that the nodes ask: it is named in look-up errors. */
  readonly dnsServer?: string;
}

const publicHosts: readonly RegistryHost[] = [
  { host: "docker.io", unknownRepository: "denied" },
  { host: "registry.k8s.io", unknownRepository: "notFound" },
  { host: "quay.io", unknownRepository: "denied" },
  { host: "ghcr.io", unknownRepository: "denied" },
  { host: "gcr.io", unknownRepository: "notFound" },
  { host: "mcr.microsoft.com", unknownRepository: "notFound" },
  { host: "public.ecr.aws", unknownRepository: "notFound" },
];

const resolveMs = 620;
const refusedMs = 480;
const defaultBandwidth = 42_000_000;
const denied =
  "pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed";

/** Answers pulls for a world of images on the public hosts and on `hosts`. */
export class Registry implements ImageRegistry {
  readonly #byName = new Map<string, Image>();
  readonly #repositories = new Set<string>();
  readonly #hosts = new Map<string, RegistryHost>();
  readonly #bandwidth: number;
  /** By `repository:tag`. */
  readonly #pullMs: ReadonlyMap<string, number>;
  readonly #dnsServer: string;

  constructor(options: RegistryOptions) {
    this.#bandwidth = options.bandwidth ?? defaultBandwidth;
    this.#pullMs = new Map(Object.entries(options.pullMs ?? {}).map(([name, ms]) => [taggedName(name) ?? name, ms]));
    this.#dnsServer = options.dnsServer ?? "10.0.0.2:53";
    for (const host of [...publicHosts, ...(options.hosts ?? [])]) this.#hosts.set(host.host, host);
    for (const image of options.images) {
      this.#repositories.add(image.repository);
      this.#byName.set(`${image.repository}:${image.tag}`, image);
      if (!this.#byName.has(`${image.repository}@${image.digest}`)) {
        this.#byName.set(`${image.repository}@${image.digest}`, image);
      }
    }
  }

  pull(name: string, credentials: RegistryCredentials | undefined): PullResult {
    const parsed = parseReference(name);
    if (!parsed.ok) {
      return { ok: false, message: `failed to parse image reference "${name}": ${parsed.message}`, durationMs: 0 };
    }
    const { reference } = parsed;
    const refusal = this.#refusal(reference, credentials);
    if (refusal !== undefined) return refusal;
    const image = this.#find(reference);
    if (image === undefined) return refuse(reference, `${fullNameOf(reference)}: not found`, "NotFound");
    const downloadMs =
      this.#pullMs.get(`${image.repository}:${image.tag}`) ?? Math.ceil((image.sizeBytes * 1000) / this.#bandwidth);
    return { ok: true, image, durationMs: resolveMs + downloadMs, resolveMs };
  }

  #find(reference: ImageReference): Image | undefined {
    const repository = repositoryOf(reference);
    const suffix = reference.digest === undefined ? `:${reference.tag}` : `@${reference.digest}`;
    return this.#byName.get(repository + suffix);
  }

  #refusal(reference: ImageReference, credentials: RegistryCredentials | undefined): PullResult | undefined {
    const host = this.#hosts.get(reference.host);
    if (host === undefined) {
      const url = `https://${reference.host}/v2/${reference.path}/manifests/${reference.digest ?? reference.tag}`;
      const hostName = reference.host.split(":")[0];
      return refuse(
        reference,
        `failed to do request: Head "${url}": dial tcp: lookup ${hostName} on ${this.#dnsServer}: no such host`,
      );
    }
    const allowed =
      host.accounts === undefined ||
      host.accounts.some((account) => account.username === credentials?.username && account.password === credentials.password);
    if (!allowed) return refuse(reference, denied);
    const hidden = host.unknownRepository === "denied" && !this.#repositories.has(repositoryOf(reference));
    return hidden ? refuse(reference, denied) : undefined;
  }
}

/** `nginx` → `docker.io/library/nginx:latest`; undefined for what is no name of an image, or names one by digest. */
export function taggedName(name: string): string | undefined {
  const parsed = parseReference(name);
  if (!parsed.ok || parsed.reference.digest !== undefined) return undefined;
  return `${repositoryOf(parsed.reference)}:${parsed.reference.tag}`;
}

function refuse(reference: ImageReference, cause: string, code: "NotFound" | "Unknown" = "Unknown"): PullResult {
  const full = fullNameOf(reference);
  const message = `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${cause}`;
  return { ok: false, message, code, durationMs: refusedMs };
}

/** A registry world with these images on the public hosts and on `hosts`. */
export function createRegistry(options: RegistryOptions): ImageRegistry {
  return new Registry(options);
}
