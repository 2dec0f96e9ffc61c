// client-go's configuration inside of a Pod, and calls to the API server with it.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import { call, type GoReply, joinHostPort, reasonOf } from "./http-client.ts";

const directory = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InCluster {
  /** `https://10.96.0.1:443` */
  readonly server: string;
  /** Read anew for each call: it is exchanged. */
  authorization(): string;
  /** Throws GoNetError. */
  get(url: string, timeoutMs?: number): Sys<GoReply>;
}

/** A text says why there is none (rest.InClusterConfig). */
export function inCluster(self: Process): InCluster | string {
  const [host, port] = [self.env.get("KUBERNETES_SERVICE_HOST") ?? "", self.env.get("KUBERNETES_SERVICE_PORT") ?? ""];
  if (host === "" || port === "")
    return "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined";
  try {
    self.readText(`${directory}/token`);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return `open ${directory}/token: ${reasonOf(error)}`;
  }
  const server = `https://${joinHostPort(host, port)}`;
  const authorization = () => `Bearer ${self.readText(`${directory}/token`).trim()}`;
  return {
    server,
    authorization,
    get(url, timeoutMs) {
      const headers = { accept: "application/json, */*", authorization: authorization() };
      const tls = (serverName: string) => ({ serverName, authorities: readCertificates(self.readText(`${directory}/ca.crt`)) });
      return call(self, url.startsWith("/") ? `${server}${url}` : url, {
        headers,
        tls,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    },
  };
}
