import { maxNodeScore, type Plugin } from "../framework.ts";
import type { Resources } from "../resources.ts";

const half = maxNodeScore / 2;

/**
 * Prefers nodes whose cpu and memory would be used to more alike shares than they are now: 75 points where a Pod changes nothing, 100
 * where it makes up for all of a difference, 50 where it makes the largest one. Pods that request neither are not scored.
 */
export const nodeResourcesBalancedAllocation: Plugin = {
  name: "NodeResourcesBalancedAllocation",
  prepareScore({ requests }) {
    if (requests.milliCpu === 0 && requests.memory === 0) return undefined;
    return {
      score({ allocatable, requested }) {
        const before = balance(requested.milliCpu, requested.memory, allocatable);
        const after = balance(requested.milliCpu + requests.milliCpu, requested.memory + requests.memory, allocatable);
        return half + Math.floor((half + after - before) / 2);
      },
    };
  },
};

/** 100 for equal shares, 50 where one is used up and the other not at all: the standard deviation of two shares is half their distance. */
function balance(milliCpu: number, memory: number, allocatable: Resources): number {
  if (allocatable.milliCpu === 0 || allocatable.memory === 0) return maxNodeScore;
  const cpuShare = Math.min(1, milliCpu / allocatable.milliCpu);
  const memoryShare = Math.min(1, memory / allocatable.memory);
  return Math.floor((1 - Math.abs(cpuShare - memoryShare) / 2) * maxNodeScore);
}
