// What nginx is told: servers by host with their locations, and the upstreams behind them. Made of Ingresses by
// `make-configuration.ts`, used by `locations.ts` and `server.ts`.

import type { Certificate } from "#sim/net.ts";
import type { Affinity, Canary, LocationSettings } from "./annotations.ts";

export interface Endpoint {
  /** Of an ExternalName Service it is a name. */
  readonly address: string;
  readonly port: number;
}

export interface Upstream {
  /** NAMESPACE-SERVICE-PORT */
  readonly name: string;
  endpoints: readonly Endpoint[];
  /** Of an Ingress that is a canary: who else is served by it; such an upstream has no locations of its own. */
  canary: Canary | undefined;
  affinity: Affinity | undefined;
  /** Canaries that take a part of its requests; the first counts. */
  readonly alternatives: string[];
  /** NAMESPACE/NAME@VERSION: a changed Service is a changed configuration. */
  readonly service: string;
}

export interface Location {
  /** Where it matches: what `ingressPath` says in nginx's terms. */
  readonly path: string;
  readonly isExact: boolean;
  /** Among regular expressions. */
  readonly pattern?: RegExp;
  /** Of the Ingress. */
  readonly ingressPath: string;
  upstream: string;
  /** Nobody asked for it: it is there for what no path of the host matches. */
  isDefault: boolean;
  settings: LocationSettings;
  /** NAMESPACE/NAME of the Ingress; "" for what the controller has by itself. */
  ingress: string;
  readonly logs: boolean;
}

export interface Server {
  /** A name, `*.` with one, or `_` for all that nobody asked for. */
  readonly hostname: string;
  /** The longest paths first. */
  locations: readonly Location[];
  /** Locations are regular expressions, as soon as one of them wants to be. */
  readonly usesRegex: boolean;
  /** Undefined: nothing is said of TLS for this host. */
  certificate: Certificate | undefined;
}

export interface Configuration {
  readonly servers: ReadonlyMap<string, Server>;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly defaultCertificate: Certificate;
}

export const catchAll = "_";
export const defaultUpstream = "upstream-default-backend";

/** What of a configuration makes nginx read it anew: all but endpoints and certificates, which it is told as it runs. */
export function reloadKey({ servers, upstreams }: Configuration): string {
  const serviceOf = (name: string): string => upstreams.get(name)?.service ?? "";
  return JSON.stringify(
    [...servers.values()].map(({ hostname, locations, usesRegex }) => [
      hostname,
      usesRegex,
      locations.map((location) => [location, serviceOf(location.upstream)]),
    ]),
  );
}

/** The rest of it. */
export function dynamicKey({ servers, upstreams, defaultCertificate }: Configuration): string {
  return JSON.stringify([
    [...upstreams.values()],
    [...servers.values()].map(({ hostname, certificate }) => [hostname, certificate && certificateKey(certificate)]),
    certificateKey(defaultCertificate),
  ]);
}

function certificateKey(certificate: Certificate): string {
  return certificate.fingerprint?.() ?? certificate.commonName;
}
