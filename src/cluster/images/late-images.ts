// Images whose declarations come late, beside their programs: those of Kubernetes' own tests.

import { Late } from "#sim/late.ts";
import type { Image } from "./image.ts";

export const lateImages = new Late<readonly Image[]>("the images of Kubernetes' own tests");

/** Whether they may be asked for an image of this repository. */
export function mayComeLate(repository: string): boolean {
  return repository.startsWith("registry.k8s.io/e2e-test-images/") || repository === "registry.k8s.io/etcd";
}
