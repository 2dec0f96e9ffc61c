// containerd's Unix socket on its machine: the endpoint at which its clients, the kubelet above all, find the services of the CRI.

import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { SocketService } from "#sim/filesystem/inode.ts";

export const socketPath = "/run/containerd/containerd.sock";

/** What answers there; gRPC is calls here. Other services that listen at a socket do not have it. */
export interface CriService extends SocketService {
  /** Both runtime.v1.RuntimeService and runtime.v1.ImageService. */
  readonly servesCriV1: boolean;
}

export class RuntimeSocket {
  readonly #files: HostFiles;
  #bound: { close(): void } | undefined;

  constructor(files: HostFiles) {
    this.#files = files;
  }

  /** A file that an earlier one left behind is in nobody's way. Throws SysError. */
  listen(servesCriV1: boolean): void {
    this.close();
    this.#files.makeDirectories(socketPath.slice(0, socketPath.lastIndexOf("/")));
    const service: CriService = { servesCriV1 };
    this.#bound = this.#files.bindSocket(socketPath, service);
  }

  /** The file goes with it, as Go's listener removes it. */
  close(): void {
    this.#bound?.close();
    this.#bound = undefined;
    if (this.#files.exists(socketPath)) this.#files.unlink(socketPath);
  }
}
