// Names in kube-proxy's table of nftables: a hash of the rest of the name, so that two never look alike, and what it is for.

import { chainHash } from "../chain-names.ts";
import type { ProxyEndpoint } from "../endpoints.ts";
import type { ServicePort } from "../service-ports.ts";

/** nftables' limit, less the longest word before the hash. */
const longest = 240;

/** `2QRHZV4L-default/kubernetes/tcp/https`; behind `service-`, `local-`, `external-` or `firewall-`. */
export function portName(port: ServicePort): string {
  return hashed(base(port));
}

/** `5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80`; behind `endpoint-` or `affinity-`. */
export function endpointName(port: ServicePort, { address, port: number }: ProxyEndpoint): string {
  return hashed(`${base(port)}__${address}/${number}`);
}

function base({ name, portName: own, protocol }: ServicePort): string {
  return `${name.split(":", 1)[0]}/${protocol}/${own}`;
}

function hashed(name: string): string {
  const whole = `${chainHash(name).slice(0, 8)}-${name}`;
  return whole.length > longest ? `${whole.slice(0, longest - 3)}...` : whole;
}
