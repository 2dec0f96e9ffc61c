// Where a Service of the cluster is for the API server, which asks webhooks and other API servers for answers
// (apiserver's pkg/util/proxy, ResolveCluster).

import type { Service } from "#cluster/api/generated/types.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Certificate, Endpoint } from "#sim/net.ts";
import { readCertificates } from "#x509/certificate.ts";

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** An address, or why there is none. */
export function serviceAddress(store: Store, { namespace, name }: ServiceName, port: number): Endpoint | string {
  const service = store.table("services").get(`${namespace}/${name}`) as Service | undefined;
  if (service === undefined) return `service ${JSON.stringify(name)} not found`;
  const { clusterIP = "", ports = [], type, externalName = "" } = service.spec ?? {};
  if (type === "ExternalName") return `dial tcp: lookup ${externalName}: no such host`;
  if (!ports.some((one) => one.port === port)) return `no service port ${port} found for service ${JSON.stringify(name)}`;
  if (clusterIP === "" || clusterIP === "None") return `no endpoints available for service ${JSON.stringify(name)}`;
  return { address: clusterIP, port };
}

/** The authorities of a bundle in base64; validation lets through what is none, which vouches for nobody. */
export function authoritiesOf(bundle: string): readonly Certificate[] {
  try {
    return readCertificates(atob(bundle));
  } catch {
    return [];
  }
}
