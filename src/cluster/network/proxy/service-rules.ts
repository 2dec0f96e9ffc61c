// The rules of one Service port: its chains, and its lines in the chains that all Services share.

import { address, comment, jump, type Match, masqueradeMark, oneIn, type Rule, type Target } from "../netfilter/rules.ts";
import { endpointChain } from "./chain-names.ts";
import type { ProxyEndpoint, UsableEndpoints } from "./endpoints.ts";
import { isExternallyAccessible, type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from "./service-ports.ts";

export interface ServiceRules {
  /** The port's own chains in the nat table. */
  readonly chains: ReadonlyMap<string, readonly Rule[]>;
  readonly natServices: readonly Rule[];
  readonly natNodePorts: readonly Rule[];
  readonly filterServices: readonly Rule[];
  readonly filterExternalServices: readonly Rule[];
  readonly filterNodePorts: readonly Rule[];
  readonly filterFirewall: readonly Rule[];
}

export const markMasquerade = jump("KUBE-MARK-MASQ");
export const setMasqueradeMark: Target = { kind: "mark", mark: masqueradeMark, mask: masqueradeMark };

const reject: Target = { kind: "reject", with: "icmp-port-unreachable" };
const drop: Target = { kind: "drop" };

/** Without `commented`, the rules that lead to endpoints and those of their chains have no comments. */
export function rulesOf(port: ServicePort, endpoints: UsableEndpoints, clusterCidr: string, commented: boolean): ServiceRules {
  return new RuleBuilder(port, endpoints, clusterCidr, commented).build();
}

class RuleBuilder {
  readonly #port: ServicePort;
  readonly #endpoints: UsableEndpoints;
  readonly #clusterCidr: string;
  readonly #commented: boolean;
  readonly #chains = new Map<string, Rule[]>();
  readonly #natServices: Rule[] = [];
  readonly #natNodePorts: Rule[] = [];
  readonly #filterServices: Rule[] = [];
  readonly #filterExternal: Rule[] = [];
  readonly #filterNodePorts: Rule[] = [];
  readonly #filterFirewall: Rule[] = [];
  readonly #clusterChain: string;
  readonly #localChain: string;
  readonly #externalChain: string;
  readonly #firewallChain: string;
  readonly #hasInternal: boolean;
  readonly #hasExternal: boolean;
  readonly #usesFirewall: boolean;

  constructor(port: ServicePort, endpoints: UsableEndpoints, clusterCidr: string, commented: boolean) {
    this.#port = port;
    this.#endpoints = endpoints;
    this.#clusterCidr = clusterCidr;
    this.#commented = commented;
    this.#clusterChain = `KUBE-SVC-${port.hash}`;
    this.#localChain = `KUBE-SVL-${port.hash}`;
    this.#externalChain = `KUBE-EXT-${port.hash}`;
    this.#firewallChain = `KUBE-FW-${port.hash}`;
    const { hasAny, local } = endpoints;
    this.#hasInternal = hasAny && (!port.isInternalLocal || local.length > 0);
    this.#hasExternal = hasAny && (!port.isExternalLocal || local.length > 0);
    this.#usesFirewall = hasAny && port.loadBalancerIps.length > 0 && port.loadBalancerSourceRanges.length > 0;
  }

  build(): ServiceRules {
    this.#clusterIp();
    this.#externalIps();
    this.#loadBalancer();
    this.#nodePort();
    this.#internalTraffic();
    this.#externalTraffic();
    this.#firewall();
    const { cluster, local, reachable } = this.#endpoints;
    if (cluster.length > 0 && usesClusterEndpoints(this.#port)) this.#balance(this.#clusterChain, cluster);
    if (local.length > 0 && usesLocalEndpoints(this.#port)) this.#balance(this.#localChain, local);
    for (const endpoint of reachable) this.#endpoint(endpoint);
    return {
      chains: this.#chains,
      natServices: this.#natServices,
      natNodePorts: this.#natNodePorts,
      filterServices: this.#filterServices,
      filterExternalServices: this.#filterExternal,
      filterNodePorts: this.#filterNodePorts,
      filterFirewall: this.#filterFirewall,
    };
  }

  /** `-d ADDRESS -p tcp -m comment … -m tcp --dport PORT -j …` */
  #to(destination: string, text: string, target: Target): Rule {
    const { protocol, port } = this.#port;
    return {
      destination: address(destination),
      protocol,
      matches: [comment(text), { kind: "protocol", destinationPort: port }],
      target,
    };
  }

  #in(chain: string, rule: Rule): void {
    const present = this.#chains.get(chain);
    if (present === undefined) this.#chains.set(chain, [rule]);
    else present.push(rule);
  }

  /** What happens where no endpoint may be used, and the comment on it. */
  #refusal(): { readonly target: Target; readonly text: string } {
    return this.#endpoints.hasAny
      ? { target: drop, text: `${this.#port.name} has no local endpoints` }
      : { target: reject, text: `${this.#port.name} has no endpoints` };
  }

  #clusterIp(): void {
    const { clusterIp, name, isInternalLocal } = this.#port;
    const chain = isInternalLocal ? this.#localChain : this.#clusterChain;
    if (this.#hasInternal) this.#natServices.push(this.#to(clusterIp, `${name} cluster IP`, jump(chain)));
    else {
      const { target, text } = this.#refusal();
      this.#filterServices.push(this.#to(clusterIp, text, target));
    }
  }

  #externalIps(): void {
    for (const ip of this.#port.externalIps) {
      if (this.#endpoints.hasAny) {
        this.#natServices.push(this.#to(ip, `${this.#port.name} external IP`, jump(this.#externalChain)));
      }
      this.#refuseExternally(ip);
    }
  }

  #refuseExternally(ip: string): void {
    if (this.#hasExternal) return;
    const { target, text } = this.#refusal();
    this.#filterExternal.push(this.#to(ip, text, target));
  }

  #loadBalancer(): void {
    const { name } = this.#port;
    const chain = this.#usesFirewall ? this.#firewallChain : this.#externalChain;
    for (const ip of this.#port.loadBalancerIps) {
      if (this.#endpoints.hasAny) this.#natServices.push(this.#to(ip, `${name} loadbalancer IP`, jump(chain)));
      if (this.#usesFirewall) {
        this.#filterFirewall.push(this.#to(ip, `${name} traffic not accepted by ${this.#firewallChain}`, drop));
      }
      this.#refuseExternally(ip);
    }
  }

  #nodePort(): void {
    const { name, protocol, nodePort, healthCheckNodePort } = this.#port;
    const destinationPort: Match = { kind: "protocol", destinationPort: nodePort };
    if (nodePort !== 0 && this.#endpoints.hasAny) {
      this.#natNodePorts.push({ protocol, matches: [comment(name), destinationPort], target: jump(this.#externalChain) });
    }
    if (nodePort !== 0 && !this.#hasExternal) {
      const { target, text } = this.#refusal();
      const local: Match = { kind: "addressType", end: "destination" };
      this.#filterExternal.push({ protocol, matches: [comment(text), local, destinationPort], target });
    }
    if (healthCheckNodePort !== 0) {
      this.#filterNodePorts.push({
        protocol: "tcp",
        matches: [comment(`${name} health check node port`), { kind: "protocol", destinationPort: healthCheckNodePort }],
        target: { kind: "accept" },
      });
    }
  }

  /** Traffic to the cluster IP from outside of the pod network gets the node's address as its source. */
  #internalTraffic(): void {
    if (!this.#hasInternal) return;
    const { clusterIp, name, isInternalLocal } = this.#port;
    const rule = this.#to(clusterIp, `${name} cluster IP`, markMasquerade);
    this.#in(isInternalLocal ? this.#localChain : this.#clusterChain, { source: address(`!${this.#clusterCidr}`), ...rule });
  }

  #externalTraffic(): void {
    const { name, isExternalLocal } = this.#port;
    if (!this.#endpoints.hasAny || !isExternallyAccessible(this.#port)) return;
    const chain = this.#externalChain;
    if (!isExternalLocal) {
      this.#in(chain, { matches: [comment(`masquerade traffic for ${name} external destinations`)], target: markMasquerade });
    } else {
      const fromNode: Match = { kind: "addressType", end: "source" };
      this.#in(chain, {
        source: address(this.#clusterCidr),
        matches: [comment(`pod traffic for ${name} external destinations`)],
        target: jump(this.#clusterChain),
      });
      this.#in(chain, {
        matches: [comment(`masquerade LOCAL traffic for ${name} external destinations`), fromNode],
        target: markMasquerade,
      });
      this.#in(chain, {
        matches: [comment(`route LOCAL traffic for ${name} external destinations`), fromNode],
        target: jump(this.#clusterChain),
      });
    }
    if (this.#hasExternal) this.#in(chain, { matches: [], target: jump(isExternalLocal ? this.#localChain : this.#clusterChain) });
  }

  #firewall(): void {
    if (!this.#usesFirewall) return;
    const { name } = this.#port;
    for (const range of this.#port.loadBalancerSourceRanges) {
      this.#in(this.#firewallChain, {
        source: address(range),
        matches: [comment(`${name} loadbalancer IP`)],
        target: jump(this.#externalChain),
      });
    }
    this.#in(this.#firewallChain, { matches: [comment(`other traffic to ${name} will be dropped by KUBE-PROXY-FIREWALL`)] });
  }

  #comment(text: string): readonly Match[] {
    return this.#commented ? [comment(text)] : [];
  }

  /** Each endpoint with equal chance: the first takes 1 of n, the next 1 of the n-1 that are left, and so on. */
  #balance(chain: string, endpoints: readonly ProxyEndpoint[]): void {
    const { name, affinitySeconds } = this.#port;
    for (const { text } of affinitySeconds === undefined ? [] : endpoints) {
      const list = this.#chainOf(text);
      this.#in(chain, {
        matches: [...this.#comment(`${name} -> ${text}`), { kind: "recentCheck", list, seconds: affinitySeconds as number }],
        target: jump(list),
      });
    }
    endpoints.forEach(({ text }, index) => {
      const left = endpoints.length - index;
      const matches = [...this.#comment(`${name} -> ${text}`), ...(left === 1 ? [] : [oneIn(left)])];
      this.#in(chain, { matches, target: jump(this.#chainOf(text)) });
    });
  }

  #endpoint({ text, address: ip, port }: ProxyEndpoint): void {
    const { name, protocol, affinitySeconds } = this.#port;
    const chain = this.#chainOf(text);
    this.#in(chain, { source: address(ip), matches: this.#comment(name), target: markMasquerade });
    const remember: readonly Match[] = affinitySeconds === undefined ? [] : [{ kind: "recentSet", list: chain }];
    this.#in(chain, {
      protocol,
      matches: [...this.#comment(name), ...remember, { kind: "protocol" }],
      target: { kind: "destinationNat", address: ip, port },
    });
  }

  #chainOf(endpoint: string): string {
    return endpointChain(this.#port.name, this.#port.protocol, endpoint);
  }
}
