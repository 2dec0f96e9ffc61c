import { describe, expect, it } from "vitest";
import type { Node, PodSpec } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { admit, NodeUsage } from "./admission.ts";
import type { StoredPod } from "./pod-spec.ts";

const allocatable = { cpu: "2", memory: "4Gi", pods: "110" };
const metadata = { creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "1" };
const node: Stored<Node> = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { ...metadata, name: "worker-1", uid: "n", labels: { cores: "8", grade: "b" } },
};

function pod(name: string, spec: Partial<PodSpec>): StoredPod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, name, namespace: "default", uid: name },
    spec: { containers: [], ...spec },
  };
}

function selecting(key: string, operator: string, value: string): Partial<PodSpec> {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator, values: [value] }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function requesting(cpu: string): PodSpec["containers"][number] {
  return { name: "c", resources: { requests: { cpu } } };
}

describe("a kubelet's second look at a bound pod", () => {
  it.each([
    ["cores", "Gt", "7", true],
    ["cores", "Gt", "8", false],
    ["cores", "Lt", "9", true],
    ["cores", "Gt", "7.5", false],
    ["grade", "Lt", "9", false],
    ["zone", "NotIn", "a", true],
    ["grade", "NotIn", "b", false],
    ["grade", "In", "b", true],
    ["grade", "In", "a", false],
    ["zone", "In", "a", false],
  ])("[WRK-333] compares %s %s %s as the scheduler does: %s", (key, operator, value, fits) => {
    expect(admit(pod("p", selecting(key, operator, value)), node, allocatable, new NodeUsage()) === undefined).toBe(fits);
  });

  it.each([
    ["grade", "Exists", true],
    ["zone", "Exists", false],
    ["zone", "DoesNotExist", true],
    ["grade", "DoesNotExist", false],
  ])("[WRK-333] asks whether there is %s: %s, %s", (key, operator, fits) => {
    const nodeSelectorTerms = [{ matchExpressions: [{ key, operator }] }];
    const spec = { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
    expect(admit(pod("p", spec), node, allocatable, new NodeUsage()) === undefined).toBe(fits);
  });

  it("names what is short with request, use and capacity", () => {
    const usage = new NodeUsage();
    usage.add(pod("first", { containers: [requesting("1500m")] }));
    const second = pod("second", { containers: [requesting("600m")] });
    expect(admit(second, node, allocatable, usage)).toEqual({
      reason: "OutOfcpu",
      message: "Node didn't have enough resource: cpu, requested: 600, used: 1500, capacity: 2000",
    });
    usage.remove("first");
    expect(admit(second, node, allocatable, usage)).toBeUndefined();
  });

  it.each<readonly [string, Partial<PodSpec>, number]>([
    ["[POD-451] its containers together", { containers: [requesting("100m"), requesting("200m")] }, 300],
    ["[POD-451] and the overhead", { containers: [requesting("100m")], overhead: { cpu: "50m" } }, 150],
    [
      "[POD-320] the largest init container, when that is more",
      { initContainers: [requesting("1"), requesting("400m")], containers: [requesting("200m"), requesting("200m")] },
      1000,
    ],
    [
      "[POD-338] sidecars beside the others",
      { initContainers: [{ ...requesting("100m"), restartPolicy: "Always" }], containers: [requesting("200m")] },
      300,
    ],
    [
      "[POD-338] sidecars beside the init containers after them",
      {
        initContainers: [requesting("500m"), { ...requesting("100m"), restartPolicy: "Always" }, requesting("450m")],
        containers: [requesting("200m")],
      },
      550,
    ],
    ["[POD-450] that of the pod as a whole", { containers: [requesting("200m")], resources: { requests: { cpu: "1" } } }, 1000],
  ])("counts %s", (_title, spec, milliCpu) => {
    const usage = new NodeUsage();
    usage.add(pod("p", spec));
    expect(usage.used.milliCpu).toBe(milliCpu);
  });

  it("counts a request of the pod as a whole instead of its containers'", () => {
    const whole = pod("p", { containers: [requesting("100m")], resources: { requests: { cpu: "3" } } });
    expect(admit(whole, node, allocatable, new NodeUsage())?.reason).toBe("OutOfcpu");
  });

  it("complains of resources before affinity", () => {
    const both = pod("p", { ...selecting("cores", "Gt", "9"), containers: [requesting("3")] });
    expect(admit(both, node, allocatable, new NodeUsage())?.reason).toBe("OutOfcpu");
  });
});
