// Makes of Ingresses and what they name what nginx is told (internal/ingress/controller of the controllers of this kind). The oldest Ingress
// has its way where two say something of the same path.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Certificate } from "#sim/net.ts";
import type { HTTPIngressPath, Ingress, IngressBackend } from "../api/generated/types.ts";
import { compareBytes } from "../api/json-write.ts";
import { keyOf, type Stored } from "../api/objects.ts";
import { type LocationSettings, usualSettings } from "./annotations.ts";
import { hostFault, isNamedAfter } from "./certificates.ts";
import {
  type Configuration,
  catchAll,
  defaultUpstream,
  type Endpoint,
  type Location,
  type Server,
  type Upstream,
} from "./configuration.ts";
import { clusterEndpoint, endpointsOf, endpointsOfPort, type Services } from "./endpoints.ts";
import { nginxLocations } from "./locations.ts";

export interface ReadIngress {
  readonly ingress: Stored<Ingress>;
  readonly settings: LocationSettings;
}

export interface Surroundings extends Services {
  /** Of a Secret, by NAMESPACE/NAME; undefined where there is none that is any good. */
  certificate(key: string): Certificate | undefined;
  readonly ownCertificate: Certificate;
  /** NAMESPACE/NAME, or "". */
  readonly defaultBackend: string;
  readonly defaultCertificate: string;
  readonly refusesExternalNames: boolean;
  readonly nowMs: number;
  warn(place: string, message: string): void;
}

interface MutableServer {
  readonly hostname: string;
  readonly locations: Location[];
  certificate: Certificate | undefined;
}

/** What nobody has a page for: nginx's own server answers 404. */
export const nobodysEndpoint: Endpoint = { address: "127.0.0.1", port: 8181 };

const tenDaysMs = 240 * 3_600_000;

export function makeConfiguration(read: readonly ReadIngress[], surroundings: Surroundings): Configuration {
  return new Making(read, surroundings).configuration();
}

/** The oldest first, as they are asked. */
export function oldestFirst(read: readonly ReadIngress[]): readonly ReadIngress[] {
  return [...read].sort(({ ingress: a }, { ingress: b }) => {
    const byAge = compareBytes(a.metadata.creationTimestamp, b.metadata.creationTimestamp);
    return byAge !== 0 ? byAge : compareBytes(keyOf(b), keyOf(a));
  });
}

class Making {
  readonly #read: readonly ReadIngress[];
  readonly #around: Surroundings;
  readonly #upstreams = new Map<string, Upstream>();
  readonly #servers = new Map<string, MutableServer>();
  readonly #defaultCertificate: Certificate;

  constructor(read: readonly ReadIngress[], around: Surroundings) {
    this.#read = oldestFirst(read);
    this.#around = around;
    this.#defaultCertificate = this.#findDefaultCertificate();
  }

  configuration(): Configuration {
    this.#upstreams.set(defaultUpstream, this.#defaultUpstream());
    for (const each of this.#read) this.#addUpstreams(each);
    this.#addServers();
    for (const each of this.#read) if (each.settings.canary === undefined) this.#addCertificates(each.ingress);
    for (const each of this.#read) this.#addLocations(each);
    for (const each of this.#read) if (each.settings.canary !== undefined) this.#mergeCanary(each);
    const servers = [...this.#servers].map(([host, server]) => [host, finished(server)] as const);
    return { servers: new Map(servers), upstreams: this.#upstreams, defaultCertificate: this.#defaultCertificate };
  }

  #findDefaultCertificate(): Certificate {
    const { defaultCertificate: key, ownCertificate } = this.#around;
    if (key === "") return ownCertificate;
    const found = this.#around.certificate(key);
    if (found !== undefined) return found;
    const problem = `local SSL certificate ${key} was not found`;
    this.#around.warn(
      "controller.go:1260",
      `Error loading custom default certificate, falling back to generated default:\n${problem}`,
    );
    return ownCertificate;
  }

  #defaultUpstream(): Upstream {
    const { defaultBackend: key } = this.#around;
    const made = emptyUpstream(defaultUpstream, "");
    made.endpoints = [nobodysEndpoint];
    if (key === "") return made;
    const service = this.#around.service(key);
    const port = service?.spec?.ports?.[0];
    if (service === undefined || port === undefined) {
      this.#around.warn(
        "controller.go:613",
        `Error getting default backend ${JSON.stringify(key)}: no object matching key ${JSON.stringify(key)} in local store`,
      );
      return made;
    }
    const endpoints = endpointsOf(this.#around, service, port);
    if (endpoints.length === 0)
      this.#around.warn("controller.go:625", `Service ${JSON.stringify(key)} does not have any active Endpoint`);
    else made.endpoints = endpoints;
    return made;
  }

  #addUpstreams(each: ReadIngress): void {
    const { defaultBackend, rules = [] } = each.ingress.spec ?? {};
    const backends = rules.flatMap(({ http }) => http?.paths ?? []).map(({ backend }) => backend);
    for (const backend of [...(defaultBackend === undefined ? [] : [defaultBackend]), ...backends])
      this.#addUpstream(backend, each);
  }

  #addUpstream({ service: wanted }: IngressBackend, { ingress, settings }: ReadIngress): void {
    if (wanted === undefined) return;
    const namespace = ingress.metadata.namespace ?? "";
    const name = upstreamName(namespace, wanted);
    if (this.#upstreams.has(name)) return;
    const key = `${namespace}/${wanted.name}`;
    const service = this.#around.service(key);
    const version = service === undefined ? "" : `${key}@${service.metadata.resourceVersion}`;
    const upstream = emptyUpstream(name, version);
    upstream.canary = settings.canary;
    this.#upstreams.set(name, upstream);
    if (service === undefined) {
      const missing = `no object matching key ${JSON.stringify(key)} in local store`;
      this.#around.warn("controller.go:1135", `Error obtaining Endpoints for Service ${JSON.stringify(key)}: ${missing}`);
      return;
    }
    if (service.spec?.type === "ExternalName" && this.#around.refusesExternalNames) {
      this.#around.warn(
        "controller.go:1219",
        `Service ${JSON.stringify(key)} of type ExternalName not allowed due to Ingress configuration.`,
      );
      return;
    }
    const port = portText(wanted);
    const own = settings.serviceUpstream ? clusterEndpoint(service, port) : [];
    upstream.endpoints = own.length > 0 ? own : endpointsOfPort(this.#around, service, port);
    if (upstream.endpoints.length === 0)
      this.#around.warn("controller.go:1241", `Service ${JSON.stringify(key)} does not have any active Endpoint.`);
  }

  #addServers(): void {
    this.#servers.set(catchAll, this.#newServer(catchAll, defaultUpstream, usualSettings, "", false));
    for (const { ingress, settings } of this.#read) {
      if (settings.canary !== undefined) continue;
      const { defaultBackend, rules = [] } = ingress.spec ?? {};
      const own = defaultBackend?.service && upstreamName(ingress.metadata.namespace ?? "", defaultBackend.service);
      if (own !== undefined && rules.length === 0) this.#takeCatchAll(own, ingress, settings);
      for (const { host = "" } of rules) {
        const name = host === "" ? catchAll : host;
        if (!this.#servers.has(name))
          this.#servers.set(name, this.#newServer(name, own ?? defaultUpstream, settings, keyOf(ingress), true));
      }
    }
  }

  #newServer(hostname: string, upstream: string, settings: LocationSettings, ingress: string, logs: boolean): MutableServer {
    const root: Location = { path: "/", isExact: false, ingressPath: "/", upstream, isDefault: true, settings, ingress, logs };
    return { hostname, locations: [root], certificate: hostname === catchAll ? this.#defaultCertificate : undefined };
  }

  /** An Ingress with a backend and no rules has all that nobody else wants. */
  #takeCatchAll(upstream: string, ingress: Stored<Ingress>, settings: LocationSettings): void {
    const server = this.#servers.get(catchAll);
    const root = server?.locations[0];
    if (server === undefined || root === undefined || !root.isDefault) return;
    const { rewriteTarget, useRegex, sslRedirect, forceSslRedirect, appRoot, redirect } = usualSettings;
    const kept = { ...settings, rewriteTarget, useRegex, sslRedirect, forceSslRedirect, appRoot, redirect };
    server.locations[0] = { ...root, upstream, isDefault: false, settings: kept, ingress: keyOf(ingress), logs: true };
  }

  #addLocations({ ingress, settings }: ReadIngress): void {
    const namespace = ingress.metadata.namespace ?? "";
    for (const { host = "", http } of ingress.spec?.rules ?? []) {
      const server = this.#servers.get(host === "" ? catchAll : host) ?? this.#servers.get(catchAll);
      for (const path of http?.paths ?? []) {
        const { service } = path.backend;
        const upstream = service && this.#upstreams.get(upstreamName(namespace, service));
        if (server === undefined || upstream === undefined || upstream.canary !== undefined) continue;
        addLocation(server, path, { upstream: upstream.name, settings, ingress: keyOf(ingress) });
        upstream.affinity ??= settings.affinity;
      }
    }
  }

  /** A canary takes a part of what another Ingress has at the same host and path. */
  #mergeCanary({ ingress }: ReadIngress): void {
    const namespace = ingress.metadata.namespace ?? "";
    for (const { host = "", http } of ingress.spec?.rules ?? []) {
      const server = this.#servers.get(host === "" ? catchAll : host);
      for (const { path = "/", pathType, backend } of http?.paths ?? []) {
        if (backend.service === undefined) continue;
        const name = upstreamName(namespace, backend.service);
        if (server === undefined) {
          this.#around.warn(
            "controller.go:1680",
            `cannot merge alternative backend ${name} into hostname ${host} that does not exist`,
          );
          continue;
        }
        const location = server.locations.find((each) => each.ingressPath === path && each.isExact === (pathType === "Exact"));
        const primary = location && this.#upstreams.get(location.upstream);
        if (primary === undefined || primary.name === name || primary.name === defaultUpstream || primary.canary !== undefined)
          this.#around.warn("controller.go:1710", `unable to find real backend for alternative backend ${name}. Deleting.`);
        else if (!primary.alternatives.includes(name)) primary.alternatives.push(name);
      }
    }
  }

  #addCertificates(ingress: Stored<Ingress>): void {
    const { rules = [], tls = [] } = ingress.spec ?? {};
    if (tls.length === 0) return;
    for (const { host = "" } of rules) {
      const server = this.#servers.get(host === "" ? catchAll : host);
      if (server !== undefined && server.certificate === undefined)
        server.certificate = this.#certificateFor(server.hostname, ingress);
    }
  }

  #certificateFor(host: string, ingress: Stored<Ingress>): Certificate {
    const secret = this.#secretFor(host, ingress);
    if (secret === "") return this.#defaultCertificate;
    const key = `${ingress.metadata.namespace ?? ""}/${secret}`;
    const warn = (place: number, message: string): void => this.#around.warn(`controller.go:${place}`, message);
    const certificate = this.#around.certificate(key);
    if (certificate === undefined) {
      const problem = `local SSL certificate ${key} was not found`;
      warn(1468, `Error getting SSL certificate ${JSON.stringify(key)}: ${problem}. Using default certificate`);
      return this.#defaultCertificate;
    }
    const fault = hostFault(certificate, host);
    if (fault !== undefined) {
      warn(1482, `Unexpected error validating SSL certificate ${JSON.stringify(key)} for server ${JSON.stringify(host)}: ${fault}`);
      warn(1483, "Validating certificate against DNS names. This will be deprecated in a future version");
      if (!isNamedAfter(certificate, host)) {
        const problem = `does not contain a Common Name or Subject Alternative Name for server ${JSON.stringify(host)}`;
        warn(1488, `SSL certificate ${JSON.stringify(key)} ${problem}: ${fault}`);
        warn(1489, "Using default certificate");
        return this.#defaultCertificate;
      }
    }
    const leftMs = certificate.notAfterMs - this.#around.nowMs;
    if (leftMs < 0) warn(1499, `SSL certificate for server ${JSON.stringify(host)} expired`);
    else if (leftMs < tenDaysMs) warn(1501, `SSL certificate for server ${JSON.stringify(host)} is about to expire`);
    return certificate;
  }

  /** By the host's name in `tls`, else by what the certificates of the Ingress say; "" for the default one. */
  #secretFor(host: string, ingress: Stored<Ingress>): string {
    const entries = ingress.spec?.tls ?? [];
    const wanted = asciiLowerCase(host);
    const named = entries.find(({ hosts = [] }) => hosts.some((each) => asciiLowerCase(each) === wanted));
    if (named !== undefined) return named.secretName ?? "";
    const fitting = entries.find(({ secretName = "" }) => {
      const found = secretName === "" ? undefined : this.#around.certificate(`${ingress.metadata.namespace ?? ""}/${secretName}`);
      return found !== undefined && hostFault(found, host) === undefined;
    });
    return fitting?.secretName ?? "";
  }
}

function addLocation(
  server: MutableServer,
  { path: written = "", pathType }: HTTPIngressPath,
  found: Pick<Location, "upstream" | "settings" | "ingress">,
): void {
  const path = written === "" ? "/" : written;
  // What is up to the controller is a prefix here.
  const isExact = pathType === "Exact";
  const index = server.locations.findIndex((each) => each.path === path && each.isExact === isExact);
  const known = server.locations[index];
  if (known !== undefined && !known.isDefault) return;
  const location: Location = { path, isExact, ingressPath: path, isDefault: false, logs: true, ...found };
  if (known === undefined) server.locations.push(location);
  else server.locations[index] = location;
}

function finished({ hostname, locations, certificate }: MutableServer): Server {
  return { hostname, certificate, ...nginxLocations(locations) };
}

function emptyUpstream(name: string, service: string): Upstream {
  return { name, endpoints: [], canary: undefined, affinity: undefined, alternatives: [], service };
}

type ServiceBackend = NonNullable<IngressBackend["service"]>;

function portText({ port }: ServiceBackend): string {
  return port?.name !== undefined && port.name !== "" ? port.name : String(port?.number ?? 0);
}

function upstreamName(namespace: string, service: ServiceBackend): string {
  return `${namespace}-${service.name}-${portText(service)}`;
}
