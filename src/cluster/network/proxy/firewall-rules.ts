// Which sources a load balancer's address is open to: the Service's KUBE-FW chain.

import { contains, parseAddress, parseRange } from "../addresses.ts";
import { address, comment, jump, type Rule } from "../netfilter/rules.ts";
import type { ServicePort } from "./service-ports.ts";

export function firewallRules(port: ServicePort, externalChain: string, nodeAddress: string): Rule[] {
  const { name, loadBalancerSourceRanges: ranges, loadBalancerIps } = port;
  const node = parseAddress(nodeAddress);
  // Where the balancer's address is the node's own too, the node asks as that address.
  const isNodeAllowed = ranges.some((range) => contains(parseRange(range), node));
  const sources = isNodeAllowed ? [...ranges, ...loadBalancerIps] : ranges;
  return [
    ...sources.map((source): Rule => {
      return { source: address(source), matches: [comment(`${name} loadbalancer IP`)], target: jump(externalChain) };
    }),
    { matches: [comment(`other traffic to ${name} will be dropped by KUBE-PROXY-FIREWALL`)] },
  ];
}
