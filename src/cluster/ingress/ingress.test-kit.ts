// A configuration made of plain Ingresses and Services, for tests of what it says.

import type { Certificate } from "#sim/net.ts";
import type { EndpointSlice, Ingress, Service } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";
import { readAnnotations } from "./annotations.ts";
import { fakeCertificate } from "./certificates.ts";
import type { Configuration } from "./configuration.ts";
import { makeConfiguration } from "./make-configuration.ts";

let created = 0;

function metadataOf(name: string, annotations: { readonly [name: string]: string } = {}) {
  created += 1;
  const creationTimestamp = `2026-01-01T00:00:${String(created % 60).padStart(2, "0")}Z`;
  return { name, namespace: "default", uid: `uid-${name}`, resourceVersion: String(created), creationTimestamp, annotations };
}

export function ingress(
  name: string,
  spec: NonNullable<Ingress["spec"]>,
  annotations: { readonly [name: string]: string } = {},
): Stored<Ingress> {
  return { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: metadataOf(name, annotations), spec };
}

/** Paths to Services' port 80, by host and path; `=` before a path makes it exact. */
export function rules(hosts: {
  readonly [host: string]: { readonly [path: string]: string };
}): NonNullable<NonNullable<Ingress["spec"]>["rules"]> {
  return Object.entries(hosts).map(([host, paths]) => ({
    ...(host === "" ? {} : { host }),
    http: {
      paths: Object.entries(paths).map(([path, service]) => ({
        path: path.replace(/^=/, ""),
        pathType: path.startsWith("=") ? "Exact" : "Prefix",
        backend: { service: { name: service, port: { number: 80 } } },
      })),
    },
  }));
}

export interface Cluster {
  /** Those that there are, with an endpoint each unless they are named in `empty`. */
  readonly services?: readonly string[];
  readonly empty?: readonly string[];
  readonly certificates?: { readonly [key: string]: Certificate };
  readonly defaultBackend?: string;
}

export function configurationOf(
  ingresses: readonly Stored<Ingress>[],
  { services = ["one", "two", "three"], empty = [], certificates = {}, defaultBackend = "" }: Cluster = {},
): { readonly configuration: Configuration; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const known = new Map(services.map((name) => [`default/${name}`, serviceOf(name)]));
  const read = ingresses.map((each) => ({
    ingress: each,
    settings: readAnnotations(each, "nginx.ingress.kubernetes.io").settings,
  }));
  const configuration = makeConfiguration(read, {
    service: (key) => known.get(key),
    slices: (key) => (empty.includes(key.replace("default/", "")) ? [] : [sliceOf(services.indexOf(key.replace("default/", "")))]),
    certificate: (key) => certificates[key],
    ownCertificate: fakeCertificate(0),
    defaultBackend,
    defaultCertificate: "",
    refusesExternalNames: false,
    nowMs: 0,
    warn: (_place, message) => warnings.push(message),
  });
  return { configuration, warnings };
}

function serviceOf(name: string): Stored<Service> {
  const ports = [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(name),
    spec: { clusterIP: "10.96.0.9", type: "ClusterIP", ports },
  };
}

function sliceOf(index: number): Stored<EndpointSlice> {
  const endpoint = (last: number, conditions: { readonly ready: boolean; readonly terminating?: boolean }) => {
    return { addresses: [`10.244.${index}.${last}`], conditions };
  };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: metadataOf("slice"),
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: [endpoint(2, { ready: true }), endpoint(3, { ready: false }), endpoint(4, { ready: false, terminating: true })],
  };
}
