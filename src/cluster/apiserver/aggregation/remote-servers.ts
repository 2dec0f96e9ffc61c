// Requests to the API servers behind APIServices, in the name of a user: over TLS to the Service, with the front proxy's
// certificate and the user in headers (kube-aggregator's handler_proxy.go, client-go's transport.SetAuthProxyHeaders).

import { dialFailure } from "#cluster/api/dial-failure.ts";
import type { APIServiceSpec } from "#cluster/api/generated/types.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type HttpExchange, type HttpHeaders, type HttpRequest, joinedHeader } from "#sim/http.ts";
import type { Certificate, Endpoint, NetworkStack, TlsClient } from "#sim/net.ts";
import { passable } from "../http/passing-on.ts";
import { authoritiesOf, serviceAddress } from "../service-address.ts";

const defaultPort = 443;

export interface RemoteAnswer {
  readonly exchange: HttpExchange;
  readonly target: Endpoint;
}

export interface RemoteRequest {
  readonly spec: APIServiceSpec;
  readonly target: Endpoint;
  readonly user: UserInfo;
  /** With the client's headers. */
  readonly request: HttpRequest;
  readonly timeoutMs?: number;
}

export interface DirectRequest extends Omit<RemoteRequest, "spec"> {
  readonly tls: Omit<TlsClient, "certificate">;
}

export class RemoteServers {
  readonly #store: Store;
  /** The network of the server's host; without it nothing can be reached. */
  network: NetworkStack | undefined;
  /** What other servers know this one by. */
  certificate: Certificate | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Where the Service is, or why it is nowhere. */
  locate({ service }: APIServiceSpec): Endpoint | string {
    const { namespace = "", name = "", port = defaultPort } = service ?? {};
    return serviceAddress(this.#store, { namespace, name }, port);
  }

  /** Calls `done` once, with the answer or the failure in Go's words. */
  send(
    { spec, target, user, request, timeoutMs }: RemoteRequest,
    done: (result: RemoteAnswer | { readonly failure: string }) => void,
  ): void {
    const { service, caBundle = "", insecureSkipTLSVerify = false } = spec;
    const tls = {
      serverName: `${service?.name ?? ""}.${service?.namespace ?? ""}.svc`,
      ...(insecureSkipTLSVerify ? {} : { authorities: authoritiesOf(caBundle) }),
    };
    this.sendTo({ target, tls, user, request, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, done);
  }

  /** As `send`, to a server whose address and authority the caller knows. */
  sendTo(
    { target, tls, user, request, timeoutMs }: DirectRequest,
    done: (result: RemoteAnswer | { readonly failure: string }) => void,
  ): void {
    const authority = `${target.address}:${target.port}`;
    if (this.network === undefined) {
      done({ failure: dialFailure(authority, "ENETUNREACH") });
      return;
    }
    const shown = this.certificate === undefined ? tls : { ...tls, certificate: this.certificate };
    const headers = { ...headersFor(user, request.headers), host: authority };
    const options = timeoutMs === undefined ? { tls: shown } : { tls: shown, timeoutMs };
    this.network.request(target, { ...request, headers }, options, (result) => {
      done(result.ok ? { exchange: result.exchange, target } : { failure: dialFailure(authority, result.error) });
    });
  }
}

/** The user whom the other server shall take the request for; whatever the client says of that itself is dropped. */
function headersFor(user: UserInfo, given: HttpHeaders): { [name: string]: string } {
  const headers = passable(given, given["upgrade"] !== undefined);
  for (const name in headers) if (name.startsWith("x-remote-")) delete headers[name];
  headers["x-remote-user"] = user.name;
  if (user.uid !== undefined && user.uid !== "") headers["x-remote-uid"] = user.uid;
  if (user.groups.length > 0) headers["x-remote-group"] = joinedHeader("x-remote-group", user.groups);
  for (const [key, values] of Object.entries(user.extra ?? {})) {
    const name = `x-remote-extra-${encodeURIComponent(asciiLowerCase(key))}`;
    headers[name] = joinedHeader(name, values);
  }
  return headers;
}
