// What a Service port is in nftables: elements of the maps that all share, and chains of its own.

import { contains, parseAddress, parseRange } from "../../addresses.ts";
import {
  type NftElement,
  type NftMatch,
  type NftRule,
  type NftStatement,
  type NftVerdict,
  nodePortKey,
  serviceKey,
} from "../../netfilter/nftables/nft-rules.ts";
import { address } from "../../netfilter/rules.ts";
import { type ProxyEndpoint, trafficOf, type UsableEndpoints } from "../endpoints.ts";
import { isExternallyAccessible, type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from "../service-ports.ts";
import { endpointName, portName } from "./names.ts";

export const rejectChain = "reject-chain";
const reject: NftVerdict = { kind: "goto", chain: rejectChain };
const drop: NftVerdict = { kind: "drop" };

export const goTo = (chain: string): NftVerdict => ({ kind: "goto", chain });

export interface PortOptions {
  readonly podRange: string | undefined;
  readonly mark: NftStatement;
  readonly nodeName: string;
  readonly nodeAddress: string;
}

type Elements = Map<string, NftElement>;

/** Of all ports together. */
export class NftContents {
  readonly clusterIps = new Set<string>();
  readonly hairpins = new Set<string>();
  readonly serviceIps: Elements = new Map();
  readonly nodePorts: Elements = new Map();
  readonly noEndpointServices: Elements = new Map();
  readonly noEndpointNodePorts: Elements = new Map();
  readonly firewallIps: Elements = new Map();
  readonly chains = new Map<string, readonly NftRule[]>();
  /** Timeouts of the sets that remember clients, in milliseconds. */
  readonly affinities = new Map<string, number>();

  add(port: ServicePort, endpoints: UsableEndpoints, options: PortOptions): void {
    const own = portName(port);
    const names = { cluster: `service-${own}`, local: `local-${own}`, external: `external-${own}`, firewall: `firewall-${own}` };
    const { hasAny, cluster, local, reachable } = endpoints;
    const { hasInternal, hasExternal } = trafficOf(port, endpoints);
    const refusal: NftElement = { verdict: hasAny ? drop : reject, comment: port.name };
    this.clusterIps.add(port.clusterIp);
    const internal = port.isInternalLocal ? names.local : names.cluster;
    const key = (ip: string): string => serviceKey(ip, port.protocol, port.port);
    if (hasInternal) this.serviceIps.set(key(port.clusterIp), { verdict: goTo(internal) });
    else this.noEndpointServices.set(key(port.clusterIp), refusal);
    for (const ip of [...port.externalIps, ...port.loadBalancerIps]) {
      if (hasAny) this.serviceIps.set(key(ip), { verdict: goTo(names.external) });
      if (!hasExternal) this.noEndpointServices.set(key(ip), refusal);
    }
    if (port.nodePort !== 0) {
      const nodePort = nodePortKey(port.protocol, port.nodePort);
      if (hasAny) this.nodePorts.set(nodePort, { verdict: goTo(names.external) });
      if (!hasExternal) this.noEndpointNodePorts.set(nodePort, refusal);
    }
    this.#firewall(port, names.firewall, options);
    if (hasAny && isExternallyAccessible(port)) {
      const policy = port.isExternalLocal ? names.local : names.cluster;
      this.chains.set(names.external, externalRules(port, names.cluster, hasExternal ? policy : undefined, options));
    }
    if (cluster.length > 0 && usesClusterEndpoints(port)) this.chains.set(names.cluster, choice(port, cluster));
    if (local.length > 0 && usesLocalEndpoints(port)) this.chains.set(names.local, choice(port, local));
    for (const endpoint of reachable) this.#endpoint(port, endpoint, options);
  }

  /** Node ports are not the balancer's, and take all sources. */
  #firewall(port: ServicePort, chain: string, { nodeAddress }: PortOptions): void {
    const { loadBalancerIps: ips, loadBalancerSourceRanges: ranges } = port;
    if (ips.length === 0 || ranges.length === 0) return;
    const isNodeAllowed = ranges.some((range) => contains(parseRange(range), parseAddress(nodeAddress)));
    const sources = isNodeAllowed ? [...ranges, ...ips] : ranges;
    const other: NftMatch = { kind: "address", end: "source", ranges: sources.map(address), negated: true };
    this.chains.set(chain, [{ matches: [other], statements: [drop] }]);
    for (const ip of ips) this.firewallIps.set(serviceKey(ip, port.protocol, port.port), { verdict: goTo(chain) });
  }

  #endpoint(port: ServicePort, endpoint: ProxyEndpoint, { nodeName }: PortOptions): void {
    const { address: ip, port: number } = endpoint;
    if (endpoint.nodeName === nodeName) this.hairpins.add(`${ip} . ${serviceKey(ip, port.protocol, number)}`);
    if (port.affinitySeconds === undefined) return;
    const own = endpointName(port, endpoint);
    this.affinities.set(`affinity-${own}`, port.affinitySeconds * 1000);
    this.chains.set(`endpoint-${own}`, [
      { matches: [], statements: [{ kind: "update", set: `affinity-${own}` }] },
      { matches: [ofProtocol(port)], statements: [{ kind: "translate", target: { address: ip, port: number } }] },
    ]);
  }
}

function ofProtocol({ protocol }: ServicePort): NftMatch {
  return { kind: "protocol", protocol };
}

/** Where clients are remembered, endpoints have chains; else the choice is all there is. */
function choice(port: ServicePort, endpoints: readonly ProxyEndpoint[]): readonly NftRule[] {
  if (port.affinitySeconds === undefined) {
    const targets = endpoints.map(({ address: ip, port: number }) => ({ address: ip, port: number }));
    return [{ matches: [ofProtocol(port)], statements: [{ kind: "pickTarget", targets }] }];
  }
  const names = endpoints.map((endpoint) => endpointName(port, endpoint));
  return [
    ...names.map((own): NftRule => {
      const known: NftMatch = { kind: "member", end: "source", set: `affinity-${own}` };
      return { matches: [known], statements: [goTo(`endpoint-${own}`)] };
    }),
    { matches: [], statements: [{ kind: "pickChain", chains: names.map((own) => `endpoint-${own}`) }] },
  ];
}

/** Under policy Local, what comes from Pods and from the node itself is as free as if it had come from outside through a balancer. */
function externalRules(
  { isExternalLocal }: ServicePort,
  cluster: string,
  policy: string | undefined,
  { podRange, mark }: PortOptions,
): readonly NftRule[] {
  const fromNode: NftMatch = { kind: "local", end: "source" };
  const rest: readonly NftRule[] = policy === undefined ? [] : [{ matches: [], statements: [goTo(policy)] }];
  if (!isExternalLocal) return [{ matches: [], statements: [mark] }, ...rest];
  const fromPods: readonly NftMatch[] =
    podRange === undefined ? [] : [{ kind: "address", end: "source", ranges: [address(podRange)], negated: false }];
  return [
    ...fromPods.map((match): NftRule => ({ matches: [match], statements: [goTo(cluster)], comment: "short-circuit pod traffic" })),
    { matches: [fromNode], statements: [mark], comment: "masquerade local traffic" },
    { matches: [fromNode], statements: [goTo(cluster)], comment: "short-circuit local traffic" },
    ...rest,
  ];
}
