import { maxNodeScore, type Plugin } from "../framework.ts";

const mebibyte = 1024 * 1024;
const smallest = 23 * mebibyte;
const largestPerImage = 1000 * mebibyte;

/** Prefers nodes that have large images of the Pod already, also those of its volumes, weighed by how many nodes have them. */
export const imageLocality: Plugin = {
  name: "ImageLocality",
  prepareScore(pod, cache) {
    const { containers = [], initContainers = [], volumes = [] } = pod.pod.spec ?? {};
    const names = [...initContainers, ...containers].map((container) => normalized(container.image ?? ""));
    for (const { image } of volumes) if (image !== undefined) names.push(normalized(image.reference ?? ""));
    if (names.every((name) => cache.nodesWithImage(name) === 0)) return undefined;
    const total = cache.nodes.length;
    const largest = largestPerImage * names.length;
    return {
      score(node) {
        let sum = 0;
        for (const name of names) {
          const size = node.images.get(name);
          if (size !== undefined) sum += Math.floor((size * cache.nodesWithImage(name)) / total);
        }
        const bounded = Math.min(largest, Math.max(smallest, sum));
        return Math.floor((maxNodeScore * (bounded - smallest)) / (largest - smallest));
      },
    };
  },
};

/** A reference without tag means `latest`. */
function normalized(image: string): string {
  return image.lastIndexOf(":") <= image.lastIndexOf("/") ? `${image}:latest` : image;
}
