import { describe, expect, it } from "vitest";
import type { ResourceRequirements } from "#cluster/api/generated/types.ts";
import { type PodParts, podOf } from "./pod-case.test-kit.ts";

const both = (cpu: string, memory: string) => ({ cpu, memory });
const whole: ResourceRequirements = { requests: both("1", "1Gi"), limits: both("1", "1Gi") };
const container = (name: string, resources?: ResourceRequirements) => ({
  name,
  image: "nginx:1.27",
  ...(resources === undefined ? {} : { resources }),
});

type Spec = NonNullable<PodParts["spec"]>;

describe("the class of service of a pod", () => {
  it.each<readonly [string, Spec, string]>([
    ["[POD-485] nothing asked", { containers: [container("a")] }, "BestEffort"],
    ["[POD-484] all limits, requests the same", { containers: [container("a", whole)] }, "Guaranteed"],
    ["[POD-484] limits alone", { containers: [container("a", { limits: both("1", "1Gi") })] }, "Guaranteed"],
    [
      "[POD-484] the same in other words",
      { containers: [container("a", { ...whole, requests: both("1000m", "1024Mi") })] },
      "Guaranteed",
    ],
    ["[POD-486] one container without", { containers: [container("a", whole), container("b")] }, "Burstable"],
    ["[POD-486] no limit of memory", { containers: [container("a", { limits: { cpu: "1" } })] }, "Burstable"],
    ["[POD-485] amounts of nothing", { containers: [container("a", { requests: both("0", "0") })] }, "BestEffort"],
    ["[POD-485] other resources", { containers: [container("a", { requests: { "ephemeral-storage": "1Gi" } })] }, "BestEffort"],
    ["[POD-322] an init container without", { initContainers: [container("i")], containers: [container("a", whole)] }, "Burstable"],
    ["[POD-322] an init container alone", { initContainers: [container("i", whole)], containers: [container("a")] }, "Burstable"],
    ["[POD-450] the pod as a whole", { containers: [container("a")], resources: whole }, "Guaranteed"],
  ])("%s", (_title, spec, qosClass) => {
    expect(podOf({ spec }).status?.qosClass).toBe(qosClass);
  });
});
