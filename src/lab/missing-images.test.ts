import { expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import { missingImages } from "./missing-images.ts";

const pod = (image: string, reason: string, list: "containerStatuses" | "initContainerStatuses" = "containerStatuses") =>
  ({ status: { [list]: [{ image, state: { waiting: { reason } } }] } }) as unknown as Pod;

it("names images that Pods wait for and the catalogue lacks, once each, as they are written", () => {
  const pods = [
    pod("postgres:16", "ImagePullBackOff"),
    pod("postgres:16", "ErrImagePull"),
    pod("nginx:1.99", "ErrImagePull", "initContainerStatuses"),
    pod("nginx:1.27", "ErrImagePull"),
    pod("registry.k8s.io/e2e-test-images/agnhost:2.63.0", "ErrImagePull"),
    pod("registry.k8s.io/e2e-test-images/agnhost:0.1", "ErrImagePull"),
    pod("ghcr.io/me/app", "ContainerCreating"),
    pod("Bad Name", "ErrImagePull"),
    {},
  ];
  expect(missingImages(pods, () => false)).toEqual(["postgres:16", "nginx:1.99", "registry.k8s.io/e2e-test-images/agnhost:0.1"]);
  expect(missingImages(pods, (image) => image !== "postgres:16")).toEqual(["postgres:16"]);
});
