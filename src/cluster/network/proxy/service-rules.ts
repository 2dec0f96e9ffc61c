// The rules of one Service port: its chains, and its lines in the chains that all Services share.

import { address, comment, jump, type Match, oneIn, type Rule, type Target } from "../netfilter/rules.ts";
import { endpointChain } from "./chain-names.ts";
import { type ProxyEndpoint, trafficOf, type UsableEndpoints } from "./endpoints.ts";
import { lateProxy } from "./late-proxy.ts";
import { isExternallyAccessible, type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from "./service-ports.ts";
import type { ProxySettings } from "./settings.ts";

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

const reject: Target = { kind: "reject", with: "icmp-port-unreachable" };
const drop: Target = { kind: "drop" };

/** What rules of a port depend on beside the port and its endpoints. */
export interface RuleOptions extends Pick<ProxySettings, "podRange" | "masqueradeAll"> {
  /** The node's InternalIP. */
  readonly nodeAddress: string;
  /** Of many endpoints: their chains say nothing of what they are for. */
  readonly isTerse: boolean;
}

export function rulesOf(port: ServicePort, endpoints: UsableEndpoints, options: RuleOptions): ServiceRules {
  return new RuleBuilder(port, endpoints, options).build();
}

class RuleBuilder {
  readonly #port: ServicePort;
  readonly #endpoints: UsableEndpoints;
  readonly #options: RuleOptions;
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

  constructor(port: ServicePort, endpoints: UsableEndpoints, options: RuleOptions) {
    this.#port = port;
    this.#endpoints = endpoints;
    this.#options = options;
    this.#clusterChain = `KUBE-SVC-${port.hash}`;
    this.#localChain = `KUBE-SVL-${port.hash}`;
    this.#externalChain = `KUBE-EXT-${port.hash}`;
    this.#firewallChain = `KUBE-FW-${port.hash}`;
    const { hasInternal, hasExternal } = trafficOf(port, endpoints);
    this.#hasInternal = hasInternal;
    this.#hasExternal = hasExternal;
    this.#usesFirewall = endpoints.hasAny && port.loadBalancerIps.length > 0 && port.loadBalancerSourceRanges.length > 0;
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
    const { podRange, masqueradeAll } = this.#options;
    if (!this.#hasInternal || (podRange === undefined && !masqueradeAll)) return;
    const { clusterIp, name, isInternalLocal } = this.#port;
    const rule = this.#to(clusterIp, `${name} cluster IP`, markMasquerade);
    const from = masqueradeAll ? {} : { source: address(`!${podRange}`) };
    this.#in(isInternalLocal ? this.#localChain : this.#clusterChain, { ...from, ...rule });
  }

  #externalTraffic(): void {
    const { name, isExternalLocal } = this.#port;
    if (!this.#endpoints.hasAny || !isExternallyAccessible(this.#port)) return;
    const chain = this.#externalChain;
    if (!isExternalLocal) {
      this.#in(chain, { matches: [comment(`masquerade traffic for ${name} external destinations`)], target: markMasquerade });
    } else {
      const fromNode: Match = { kind: "addressType", end: "source" };
      const { podRange } = this.#options;
      if (podRange !== undefined)
        this.#in(chain, {
          source: address(podRange),
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
    const rules = lateProxy.code.firewallRules(this.#port, this.#externalChain, this.#options.nodeAddress);
    this.#chains.set(this.#firewallChain, rules);
  }

  /** Each endpoint with equal chance: the first takes 1 of n, the next 1 of the n-1 that are left, and so on. */
  #balance(chain: string, endpoints: readonly ProxyEndpoint[]): void {
    const { name, affinitySeconds } = this.#port;
    for (const { text } of affinitySeconds === undefined ? [] : endpoints) {
      const list = this.#chainOf(text);
      this.#in(chain, {
        matches: [...this.#about(`${name} -> ${text}`), { kind: "recentCheck", list, seconds: affinitySeconds as number }],
        target: jump(list),
      });
    }
    endpoints.forEach(({ text }, index) => {
      const left = endpoints.length - index;
      const matches = [...this.#about(`${name} -> ${text}`), ...(left === 1 ? [] : [oneIn(left)])];
      this.#in(chain, { matches, target: jump(this.#chainOf(text)) });
    });
  }

  #endpoint({ text, address: ip, port }: ProxyEndpoint): void {
    const { name, protocol, affinitySeconds } = this.#port;
    const chain = this.#chainOf(text);
    const about = this.#about(name);
    this.#in(chain, { source: address(ip), matches: about, target: markMasquerade });
    const remember: readonly Match[] = affinitySeconds === undefined ? [] : [{ kind: "recentSet", list: chain }];
    this.#in(chain, {
      protocol,
      matches: [...about, ...remember, { kind: "protocol" }],
      target: { kind: "destinationNat", address: ip, port },
    });
  }

  #about(text: string): readonly Match[] {
    return this.#options.isTerse ? [] : [comment(text)];
  }

  #chainOf(endpoint: string): string {
    return endpointChain(this.#port.name, this.#port.protocol, endpoint);
  }
}
