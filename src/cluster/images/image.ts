// What an image is to the runtime: a reference, a configuration as OCI images have it, and a file system whose
// executables are programs. Each image is declared in a file of its own in this folder.

import type { FileTree } from "#sim/files.ts";

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

export interface Image {
  /** Fully qualified repository, `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag: string;
  /** `sha256:…` of the manifest; equal for tags that name the same image. */
  readonly digest: string;
  /** What is downloaded: the compressed layers. */
  readonly sizeBytes: number;
  readonly config: ImageConfig;
  /** Immutable; containers write to a layer above it. */
  readonly files: FileTree;
}

export type PullResult =
  /** `durationMs` is the whole pull, `resolveMs` the part before any layer is downloaded: all there is when the node has the digest. */
  | { readonly ok: true; readonly image: Image; readonly durationMs: number; readonly resolveMs?: number }
  /** `message` as containerd words it; `code` is the gRPC code of the answer (`Unknown` when absent). */
  | { readonly ok: false; readonly message: string; readonly durationMs: number; readonly code?: "NotFound" | "Unknown" };

export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/** The registries that nodes can reach. */
export interface ImageRegistry {
  /** `reference` as written in a Pod (`nginx`, `nginx:1.27`, `registry.k8s.io/pause:3.10`, `…@sha256:…`). */
  pull(reference: string, credentials: RegistryCredentials | undefined): PullResult;
}
