// A port of kube-proxy's.

import { SysError } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Listening, NetworkStack } from "#sim/net.ts";

/** `place`: `127.0.0.1:10249`. A port in use is kube-proxy's to complain about in its log, not to end for. */
export function listenAt(host: Pick<NetworkStack, "listen">, place: string, onHttp: HttpHandler): Listening | undefined {
  const [address = "", port] = place.split(":");
  try {
    return host.listen({ port: Number(port), onHttp, ...(address === "0.0.0.0" ? {} : { address }) });
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}
