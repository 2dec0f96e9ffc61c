// What an image is to the runtime: a reference, a configuration as OCI images have it, and a file system whose
// executables are programs. Each image is declared in a file of its own in this folder.

import type { FileTree } from "#sim/files.ts";
import type { MachineArchitecture } from "#sim/kernel-release.ts";

export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly workingDir: string;
  /** Name or uid, with an optional `:group`; "" is root. */
  readonly user: string;
  readonly exposedPorts: readonly number[];
  readonly stopSignal: "TERM" | "INT" | "QUIT" | "WINCH";
  readonly labels: { readonly [name: string]: string };
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The configuration of an image that says no more than what runs in it. */
export function configOf(entrypoint: readonly string[], cmd: readonly string[] = []): ImageConfig {
  return {
    entrypoint,
    cmd,
    env: { PATH: path },
    workingDir: "/",
    user: "",
    exposedPorts: [],
    stopSignal: "TERM",
    labels: {},
  };
}

/** As in GOARCH, and in the label kubernetes.io/arch. */
export type Architecture = MachineArchitecture;

/** What images are built for unless they say otherwise. */
export const usualArchitectures: readonly Architecture[] = ["amd64", "arm64"];

export interface Image {
  /** Fully qualified repository, `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag: string;
  /** `sha256:…` of the index (what a tag names), or of one platform's manifest in it; equal for tags that name the same image. */
  readonly digest: string;
  /** Platforms in the index; absent: the usual ones. */
  readonly architectures?: readonly Architecture[];
  /** It is one platform's manifest, named by its own digest: whoever pulls it gets it, whatever their machine is. */
  readonly isManifest?: true;
  /** What is downloaded: the compressed layers. */
  readonly sizeBytes: number;
  readonly config: ImageConfig;
  /** Immutable; containers write to a layer above it. */
  readonly files: FileTree;
}

export interface ResolvedImage {
  readonly image: Image;
  /** What its programs are built for. */
  readonly architecture: Architecture;
  /** Pulled by its digest: no tag of the node comes to name it. */
  readonly byDigest: boolean;
}

export type PullResult =
  | (ResolvedImage & {
      readonly ok: true;
      /** The whole pull. */
      readonly durationMs: number;
      /** The part before any layer is downloaded: all there is when the node has the digest. */
      readonly resolveMs: number;
      /** To be called when manifests and layers are asked for, after `resolveMs`: a node that has the digest does not ask. */
      readonly download: () => void;
    })
  /** `message` as containerd words it; `code` is the gRPC code of the answer (`Unknown` when absent). */
  | { readonly ok: false; readonly message: string; readonly durationMs: number; readonly code?: "NotFound" | "Unknown" };

export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/** Who asks a registry. */
export interface Puller {
  /** Of the machine. */
  readonly address: string;
  /** Chooses the manifest of an index. */
  readonly architecture: Architecture;
  /** Where its own /etc/hosts says that a host is; nothing listens there. */
  readonly hostsEntry?: (name: string) => string | undefined;
}

/** The registries that nodes can reach. */
export interface ImageRegistry {
  /** `reference` as written in a Pod (`nginx`, `nginx:1.27`, `registry.k8s.io/pause:3.10`, `…@sha256:…`). */
  pull(reference: string, credentials: RegistryCredentials | undefined, puller?: Puller): PullResult;
}
