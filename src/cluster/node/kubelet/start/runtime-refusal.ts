// What a kubelet says whose runtime does not answer at its endpoints (k8s.io/cri-client: remote_runtime.go and remote_image.go,
// util_unix.go).

import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { CriService } from "../../runtime/socket.ts";
import type { RuntimeEndpoints } from "../runtime-connection.ts";
import { StartRefusal } from "./start-refusal.ts";

const dialing: { readonly [code: string]: string } = {
  ENOENT: "connect: no such file or directory",
  ENOTDIR: "connect: not a directory",
  ECONNREFUSED: "connect: connection refused",
};

/** Throws StartRefusal with the words of the service that does not answer. */
export function checkRuntime(files: HostFiles, { runtime, image }: RuntimeEndpoints): void {
  checkService(files, runtime, "runtime", "RuntimeService");
  checkService(files, image, "image", "ImageService");
}

function checkService(files: HostFiles, endpoint: string, api: "runtime" | "image", service: string): void {
  const path = pathOf(endpoint);
  const problem = problemAt(files, path, service);
  if (problem === undefined) return;
  const validate = `validate CRI v1 ${api} API for endpoint ${JSON.stringify(endpoint)}`;
  throw refusal(`validate service connection: ${validate}: rpc error: ${problem}`);
}

function refusal(message: string): StartRefusal {
  return new StartRefusal(`failed to run Kubelet: ${message}`);
}

/** A path alone is taken for a socket's (parseEndpointWithFallbackProtocol). */
function pathOf(endpoint: string): string {
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/[^/]*)?(.*)$/u.exec(endpoint) ?? [];
  if (scheme === undefined) return endpoint;
  if (scheme === "unix") return rest;
  throw refusal(scheme === "tcp" ? "only support unix socket endpoint" : `protocol ${JSON.stringify(scheme)} not supported`);
}

function problemAt(files: HostFiles, path: string, service: string): string | undefined {
  try {
    const { servesCriV1 = false } = files.connectSocket(path) as Partial<CriService>;
    return servesCriV1 ? undefined : `code = Unimplemented desc = unknown service runtime.v1.${service}`;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const cause = dialing[error.code] ?? `connect: ${error.message}`;
    return `code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${path}: ${cause}"`;
  }
}
