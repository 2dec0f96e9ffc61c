// Gives each node a range of Pod addresses out of the cluster's (pkg/controller/nodeipam, RangeAllocator).

import type { Node } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";

const nodeMaskBits = 24;

/** `clusterCidr` is IPv4; each node gets a /24 of it. */
export function nodeIpamController(clusterCidr: string): ControllerDefinition {
  const name = "node-ipam-controller";
  return {
    name,
    serviceAccount: "node-controller",
    eventSource: "cidrAllocator",
    create({ client, informers, events }) {
      const nodes = informers.informer(kinds.nodes);
      const ranges = nodeRanges(clusterCidr);
      const used = new Map<string, string>();
      /** Ranges are given out one after the other, and again from the start (cidr_set.go). */
      let nextCandidate = 0;
      const takeRange = (): string | undefined => {
        for (let tried = 0; tried < ranges.count; tried += 1) {
          const range = ranges.at((nextCandidate + tried) % ranges.count);
          if (used.has(range)) continue;
          nextCandidate = (nextCandidate + tried + 1) % ranges.count;
          return range;
        }
        return undefined;
      };
      return {
        name,
        watches: [
          watchRule<Node>({
            resource: kinds.nodes,
            keys(node, _previous, deleted) {
              const cidr = node.spec?.podCIDR;
              if (cidr !== undefined) {
                if (deleted) used.delete(cidr);
                else used.set(cidr, node.metadata.name);
              }
              return deleted || cidr !== undefined ? [] : [node.metadata.name];
            },
          }),
        ],
        reconcile(key) {
          const node = nodes.get(key);
          if (node === undefined || node.spec?.podCIDR !== undefined) return undefined;
          const cidr = takeRange();
          if (cidr === undefined) {
            events.normal(node, "CIDRNotAvailable", `Node ${key} status is now: CIDRNotAvailable`);
            return undefined;
          }
          used.set(cidr, key);
          client.patch(kinds.nodes, { namespace: "", name: key }, "strategic", { spec: { podCIDR: cidr, podCIDRs: [cidr] } });
          return undefined;
        },
      };
    },
  };
}

function nodeRanges(clusterCidr: string): { readonly count: number; at(index: number): string } {
  const [address = "", bits = "16"] = clusterCidr.split("/");
  const base = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return {
    count: 2 ** (nodeMaskBits - Number(bits)),
    at(index) {
      const value = base + index * 2 ** (32 - nodeMaskBits);
      return `${[value / 2 ** 24, value / 2 ** 16, value / 2 ** 8, value].map((part) => Math.floor(part) % 256).join(".")}/${nodeMaskBits}`;
    },
  };
}
