// The images that Pods of the labs can use, from the code's own catalogue: for a page to list.

import { publicImages } from "#cluster/images/public-images.ts";
import { suiteImages } from "#cluster/images/suite-images.ts";

export interface ListedImage {
  /** As written in a Pod: `nginx`, `registry.k8s.io/pause`. */
  readonly name: string;
  readonly tags: readonly string[];
}

/** Every image that anyone can pull, with all of its tags, in the catalogue's order. */
export const listedImages: readonly ListedImage[] = [
  ...Map.groupBy([...publicImages, ...suiteImages], ({ repository }) => repository),
].map(([repository, images]) => ({
  name: repository.replace(/^docker\.io\/(?:library\/)?/, ""),
  tags: images.map(({ tag }) => tag),
}));
