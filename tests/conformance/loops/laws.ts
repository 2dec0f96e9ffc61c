// The laws: for each loop what people change, what it comes to, and what never happens on the way.

import { autoscaler } from "./autoscaler-law.ts";
import { accounts, certificates, policies, roles } from "./identity-laws.ts";
import type { Law } from "./law.test-kit.ts";
import { namespaces, owners, quota } from "./namespace-laws.ts";
import { kubelet, nodes, pulls } from "./node-laws.ts";
import { budgets, gates, preemption, scheduler } from "./scheduling-laws.ts";
import { endpoints } from "./service-laws.ts";
import { volumes } from "./volume-laws.ts";
import { cronJob, daemonSet, deployment, job, statefulSet } from "./workload-laws.ts";

export const laws: ReadonlyMap<string, Law> = new Map([
  ["Deployments", deployment],
  ["StatefulSets", statefulSet],
  ["DaemonSets", daemonSet],
  ["Jobs", job],
  ["CronJobs", cronJob],
  ["EndpointSlices", endpoints],
  ["quotas", quota],
  ["the scheduler", scheduler],
  ["scheduling gates", gates],
  ["preemption", preemption],
  ["autoscalers", autoscaler],
  ["garbage collection", owners],
  ["namespaces", namespaces],
  ["disruption budgets", budgets],
  ["kubelets", kubelet],
  ["pulls", pulls],
  ["volumes", volumes],
  ["nodes", nodes],
  ["accounts", accounts],
  ["aggregated roles", roles],
  ["certificate requests", certificates],
  ["admission policies", policies],
]);
