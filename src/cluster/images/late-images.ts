// Images whose declarations come late, beside their programs: those of Kubernetes' own tests, those with kubectl in them, those of
// WordPress and MySQL, and ours (docker.io/pilothouse/…).

import { Late } from "#sim/late.ts";
import type { Image } from "./image.ts";

export const lateImages = new Late<readonly Image[]>("images");

const place =
  /^(?:registry\.k8s\.io\/(?:e2e-test-images\/|etcd$|kubectl$|sig-storage\/)|docker\.io\/(?:pilothouse\/|curlimages\/|nicolaka\/|alpine\/k8s$|library\/(?:mysql|wordpress)$))/;

/** Whether they may be asked for an image of this repository. */
export function mayComeLate(repository: string): boolean {
  return place.test(repository);
}
