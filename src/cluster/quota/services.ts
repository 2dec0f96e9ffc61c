// Services in quotas: their number, their node ports, their load balancers (pkg/quota/v1/evaluator/core/services.go).

import type { Service } from "#cluster/api/generated/types.ts";
import { countName, type Evaluator } from "./evaluator.ts";
import type { ResourceList } from "./resource-list.ts";

const objectCount = countName("", "services");
const names: ReadonlySet<string> = new Set([objectCount, "services", "services.nodeports", "services.loadbalancers"]);

export const serviceEvaluator: Evaluator = {
  group: "",
  plural: "services",
  handles: (operation, subresource) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matchingResources: (wanted) => wanted.filter((name) => names.has(name)).sort(),
  isInScope: () => false,
  usage: (object) => usage(object as Service),
};

function usage(service: Service): ResourceList {
  const { type, ports = [], allocateLoadBalancerNodePorts } = service.spec ?? {};
  const isBalanced = type === "LoadBalancer";
  const withPort = ports.filter((port) => (port.nodePort ?? 0) !== 0);
  const nodePorts = isBalanced && allocateLoadBalancerNodePorts === false ? withPort : ports;
  return {
    [objectCount]: "1",
    services: "1",
    "services.nodeports": type === "NodePort" || isBalanced ? String(nodePorts.length) : "0",
    "services.loadbalancers": isBalanced ? "1" : "0",
  };
}
