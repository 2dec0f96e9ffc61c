// The kubelet's first call at its runtime's endpoints, without whose answer it does not start; what it says then is in
// `start/runtime-refusal.ts`.

import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { CriService } from "../runtime/socket.ts";

/** URLs of Unix sockets. */
export interface RuntimeEndpoints {
  readonly runtime: string;
  readonly image: string;
}

/** What a configuration that says nothing means, and what kubeadm writes into it. */
export const defaultEndpoint = "unix:///run/containerd/containerd.sock";
export const kubeadmEndpoint = "unix:///var/run/containerd/containerd.sock";

export const kubeadmEndpoints: RuntimeEndpoints = { runtime: kubeadmEndpoint, image: kubeadmEndpoint };

/** Whether CRI v1 is answered at both; of anything else than a socket's URL that is not said here. */
export function isServed(files: HostFiles, { runtime, image }: RuntimeEndpoints): boolean {
  return [runtime, image].every((endpoint) => {
    try {
      return (files.connectSocket(endpoint.replace("unix://", "")) as Partial<CriService>).servesCriV1 === true;
    } catch (error) {
      if (error instanceof SysError) return false;
      throw error;
    }
  });
}
