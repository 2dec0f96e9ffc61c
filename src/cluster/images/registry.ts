// The registries of the world: images by host, with what a real registry answers when a name, a tag, a password or the host
// itself is wrong. Messages are containerd's (core/remotes/docker: resolver and authorizer, and its pull service).

import {
  type Architecture,
  type Image,
  type ImageRegistry,
  type Puller,
  type PullResult,
  type RegistryCredentials,
  usualArchitectures,
} from "./image.ts";
import { configDigest, layerDigest, platformDigest } from "./image-digests.ts";
import { mayComeLate } from "./late-images.ts";
import { fullNameOf, type ImageReference, parseReference, repositoryOf } from "./reference.ts";
import { RegistryLog } from "./registry-log.ts";

/** Who may pull from a private registry. */
export interface RegistryAccount extends RegistryCredentials {
  /** Paths, or beginnings of paths with a `*` at their end (`team-a/*`); absent: everything. */
  readonly repositories?: readonly string[] | undefined;
}

export interface RegistryHost {
  /** `registry.lab.example:5000` */
  readonly host: string;
  /** Who may pull; absent: everyone. */
  readonly accounts?: readonly RegistryAccount[];
  /** What the host says to names it does not have: Docker Hub hides them, most others do not. */
  readonly unknownRepository: "denied" | "notFound";
}

export interface RegistryOptions {
  readonly images: readonly Image[];
  /** More of them, of repositories that may come late (`mayComeLate`): asked for once, when somebody wants what is not there. */
  readonly lateImages?: () => readonly Image[];
  /** Beside the well-known public ones. */
  readonly hosts?: readonly RegistryHost[];
  /** Download speed of a node, bytes a second. */
  readonly bandwidth?: number;
  /** Images, by name as in a Pod, whose pull takes this long, whatever their size. */
  readonly pullMs?: { readonly [name: string]: number };
  /** The DNS server that the nodes ask: it is named in look-up errors. */
  readonly dnsServer?: string;
  /** The virtual time, for what the registries log; default 0. */
  readonly now?: () => number;
}

/** The registries that everyone knows. */
export const publicHosts: readonly RegistryHost[] = [
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
const denied = "pull access denied, repository does not exist or may require authorization: ";
const insufficientScope = "server message: insufficient_scope: authorization failed";
const somebody: Puller = { address: "127.0.0.1", architecture: "amd64" };

/** Answers pulls for a world of images on the public hosts and on `hosts`. */
export class Registry implements ImageRegistry {
  readonly log: RegistryLog;
  /** By repository: tags, and digests of indexes and of their manifests. */
  readonly #repositories = new Map<string, Map<string, Image>>();
  readonly #hosts = new Map<string, RegistryHost>();
  readonly #bandwidth: number;
  /** By `repository:tag`. */
  readonly #pullMs: ReadonlyMap<string, number>;
  readonly #dnsServer: string;
  #lateImages: (() => readonly Image[]) | undefined;

  constructor(options: RegistryOptions) {
    this.#lateImages = options.lateImages;
    this.log = new RegistryLog(options.now ?? (() => 0));
    this.#bandwidth = options.bandwidth ?? defaultBandwidth;
    this.#pullMs = new Map(Object.entries(options.pullMs ?? {}).map(([name, ms]) => [taggedName(name) ?? name, ms]));
    this.#dnsServer = options.dnsServer ?? "10.0.0.2:53";
    for (const host of [...publicHosts, ...(options.hosts ?? [])]) this.#hosts.set(host.host, host);
    for (const image of options.images) this.push(image);
  }

  /** The tag names this image from now on; what it named before is still there by its digest. */
  push(image: Image): void {
    let repository = this.#repositories.get(image.repository);
    if (repository === undefined) {
      repository = new Map();
      this.#repositories.set(image.repository, repository);
    }
    repository.set(image.tag, image);
    if (!repository.has(image.digest)) repository.set(image.digest, image);
  }

  /** A tag names from now on what another name stands for (`host/path:tag` both). Throws Error where one is no name, or nothing has the other. */
  moveTag(name: string, to: string): void {
    const [target, source] = [parseReference(name), parseReference(to)];
    const image = source.ok ? this.find(source.reference) : undefined;
    if (!target.ok || target.reference.tag === undefined || image === undefined) throw new Error(`${name} cannot name ${to}`);
    this.push({ ...image, repository: repositoryOf(target.reference), tag: target.reference.tag });
  }

  /** A tag names nothing any more, its image stays there by its digest; a digest goes with all tags of it (distribution's DELETE of manifests). */
  remove(reference: ImageReference): void {
    const images = this.#repositories.get(repositoryOf(reference));
    const { digest, tag = "" } = reference;
    if (digest === undefined) images?.delete(tag);
    else for (const [name, image] of images ?? []) if (name === digest || image.digest === digest) images?.delete(name);
  }

  /** Image names in a repository, tags only, in the order of the alphabet; undefined when there is no such repository. */
  tags(repository: string): readonly string[] | undefined {
    if (mayComeLate(repository)) this.#takeLateImages();
    const images = this.#repositories.get(repository);
    return images === undefined ? undefined : [...images.keys()].filter((name) => !name.startsWith("sha256:")).sort();
  }

  /** Paths of a host's repositories, in the order of the alphabet. */
  repositories(host: string): readonly string[] {
    const prefix = `${host}/`;
    this.#takeLateImages();
    const paths = [...this.#repositories.keys()].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return paths.sort();
  }

  host(name: string): RegistryHost | undefined {
    return this.#hosts.get(name);
  }

  /** What a name stands for now. */
  find(reference: ImageReference): Image | undefined {
    const found = this.#findNow(reference);
    if (found !== undefined || !mayComeLate(repositoryOf(reference))) return found;
    this.#takeLateImages();
    return this.#findNow(reference);
  }

  /** What somebody has pushed under the same names stays. */
  #takeLateImages(): void {
    const images = this.#lateImages?.() ?? [];
    this.#lateImages = undefined;
    for (const image of images) if (!this.#repositories.get(image.repository)?.has(image.tag)) this.push(image);
  }

  #findNow(reference: ImageReference): Image | undefined {
    const images = this.#repositories.get(repositoryOf(reference));
    if (images === undefined) return undefined;
    const { digest, tag = "" } = reference;
    if (digest === undefined) return images.get(tag);
    const known = images.get(digest);
    if (known !== undefined) return known;
    for (const image of images.values())
      for (const architecture of image.architectures ?? usualArchitectures)
        if (platformDigest(image, architecture) === digest)
          return { ...image, digest, architectures: [architecture], isManifest: true };
    return undefined;
  }

  /** Why somebody may not pull a repository, in containerd's words; undefined when they may. */
  refusalOf(reference: ImageReference, credentials: RegistryCredentials | undefined): string | undefined {
    const { accounts, host } = this.#hosts.get(reference.host) as RegistryHost;
    if (accounts === undefined) return undefined;
    const account = accounts.find(
      ({ username, password }) => username === credentials?.username && password === credentials.password,
    );
    // Who differs in rights has its tokens from a token server; a list of passwords (htpasswd) is asked directly.
    const givesTokens = accounts.some(({ repositories }) => repositories !== undefined);
    if (account === undefined && !givesTokens) {
      if (credentials === undefined) return `${denied}authorization failed: no basic auth credentials`;
      return `unexpected status from HEAD request to ${manifestUrl(reference)}: 401 Unauthorized`;
    }
    if (account === undefined && credentials !== undefined) {
      const scope = encodeURIComponent(`repository:${reference.path}:pull`);
      const query = `account=${encodeURIComponent(credentials.username)}&scope=${scope}&service=${encodeURIComponent(host)}`;
      const request = `GET request to https://${host}/service/token?${query}`;
      return `failed to authorize: failed to fetch oauth token: unexpected status from ${request}: 401 Unauthorized`;
    }
    const mayPull = account !== undefined && (account.repositories?.some((allowed) => covers(allowed, reference.path)) ?? true);
    return mayPull ? undefined : `${denied}${insufficientScope}`;
  }

  pull(name: string, credentials: RegistryCredentials | undefined, puller: Puller = somebody): PullResult {
    const parsed = parseReference(name);
    if (!parsed.ok) {
      return { ok: false, message: `failed to parse image reference "${name}": ${parsed.message}`, durationMs: 0 };
    }
    const { reference } = parsed;
    const full = fullNameOf(reference);
    const cannotResolve = `failed to pull and unpack image "${full}": failed to resolve reference "${full}": `;
    const unreachable = this.#unreachableCause(reference, puller);
    if (unreachable !== undefined)
      return { ok: false, message: cannotResolve + unreachable, code: "Unknown", durationMs: refusedMs };
    const request = {
      host: reference.host,
      from: puller.address,
      user: credentials?.username ?? "",
      method: "HEAD",
      path: manifestPath(reference, reference.digest ?? reference.tag ?? ""),
    } as const;
    const refusal = this.refusalOf(reference, credentials) ?? this.#hiddenRepository(reference);
    if (refusal !== undefined) {
      this.log.add({ ...request, status: 401 });
      return { ok: false, message: cannotResolve + refusal, code: "Unknown", durationMs: refusedMs };
    }
    const image = this.find(reference);
    this.log.add({ ...request, status: image === undefined ? 404 : 200 });
    if (image === undefined)
      return { ok: false, message: `${cannotResolve}${full}: not found`, code: "NotFound", durationMs: refusedMs };
    const architectures = image.architectures ?? usualArchitectures;
    // A manifest that is no index is taken as it is, whatever it was built for.
    const isManifest = image.isManifest === true;
    const architecture = isManifest ? (architectures[0] as Architecture) : puller.architecture;
    const get = (path: string): void => this.log.add({ ...request, method: "GET", path, status: 200 });
    const getManifest = (digest: string): void => get(manifestPath(reference, digest));
    if (!architectures.includes(architecture)) {
      getManifest(image.digest);
      const message = `failed to pull and unpack image "${full}": no match for platform in manifest: not found`;
      return { ok: false, message, code: "NotFound", durationMs: resolveMs };
    }
    const downloadMs =
      this.#pullMs.get(`${image.repository}:${image.tag}`) ?? Math.ceil((image.sizeBytes * 1000) / this.#bandwidth);
    return {
      ok: true,
      image,
      architecture,
      byDigest: reference.digest !== undefined,
      durationMs: resolveMs + downloadMs,
      resolveMs,
      download: () => {
        getManifest(image.digest);
        if (!isManifest) getManifest(platformDigest(image, architecture));
        get(`/v2/${reference.path}/blobs/${configDigest(image, architecture)}`);
        get(`/v2/${reference.path}/blobs/${layerDigest(image, architecture)}`);
      },
    };
  }

  #unreachableCause(reference: ImageReference, { hostsEntry }: Puller): string | undefined {
    const [name = "", port = "443"] = serverOf(reference.host).split(":");
    const address = hostsEntry?.(name);
    if (address === undefined && this.#hosts.has(reference.host)) return undefined;
    const request = `failed to do request: Head "${manifestUrl(reference)}": dial tcp`;
    if (address !== undefined) return `${request} ${address}:${port}: connect: connection refused`;
    return `${request}: lookup ${name} on ${this.#dnsServer}: no such host`;
  }

  #hiddenRepository(reference: ImageReference): string | undefined {
    const { unknownRepository } = this.#hosts.get(reference.host) as RegistryHost;
    const isHidden = unknownRepository === "denied" && this.tags(repositoryOf(reference)) === undefined;
    return isHidden ? `${denied}${insufficientScope}` : undefined;
  }
}

/** `library/nginx`, `1.27` → `/v2/library/nginx/manifests/1.27` */
function manifestPath({ path }: ImageReference, name: string): string {
  return `/v2/${path}/manifests/${name}`;
}

/** Docker Hub's registry has another name than its images. */
function serverOf(host: string): string {
  return host === "docker.io" ? "registry-1.docker.io" : host;
}

function manifestUrl(reference: ImageReference): string {
  return `https://${serverOf(reference.host)}${manifestPath(reference, reference.digest ?? reference.tag ?? "")}`;
}

function covers(allowed: string, path: string): boolean {
  return allowed.endsWith("*") ? path.startsWith(allowed.slice(0, -1)) : path === allowed;
}

/** `nginx` → `docker.io/library/nginx:latest`; undefined for what is no name of an image, or names one by digest. */
export function taggedName(name: string): string | undefined {
  const parsed = parseReference(name);
  if (!parsed.ok || parsed.reference.digest !== undefined) return undefined;
  return `${repositoryOf(parsed.reference)}:${parsed.reference.tag}`;
}

/** A registry world with these images on the public hosts and on `hosts`. */
export function createRegistry(options: RegistryOptions): Registry {
  return new Registry(options);
}
