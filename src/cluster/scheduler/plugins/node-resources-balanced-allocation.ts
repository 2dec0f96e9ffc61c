import { maxNodeScore, type Plugin } from "../framework.ts";

/** Prefers nodes whose cpu and memory would be used to like shares. Pods that request neither are not scored. */
export const nodeResourcesBalancedAllocation: Plugin = {
  name: "NodeResourcesBalancedAllocation",
  prepareScore(pod) {
    const { requests } = pod;
    if (requests.milliCpu === 0 && requests.memory === 0) return undefined;
    return {
      score(node) {
        const { allocatable, requested } = node;
        if (allocatable.milliCpu === 0 || allocatable.memory === 0) return maxNodeScore;
        const cpu = Math.min(1, (requested.milliCpu + requests.milliCpu) / allocatable.milliCpu);
        const memory = Math.min(1, (requested.memory + requests.memory) / allocatable.memory);
        // The standard deviation of two shares is half their distance.
        return Math.floor((1 - Math.abs(cpu - memory) / 2) * maxNodeScore);
      },
    };
  },
};
