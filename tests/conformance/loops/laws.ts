// The laws: for each loop what people change, what it comes to, and what never happens on the way.

import { autoscaler } from "./autoscaler-law.ts";
import { accounts, bootstrapTokens, certificates, policies, roles } from "./identity-laws.ts";
import type { Law } from "./law.test-kit.ts";
import { namespaces, owners, quota } from "./namespace-laws.ts";
import { kubelet, nodes, pulls, taints } from "./node-laws.ts";
import { budgets, gates, preemption, scheduler } from "./scheduling-laws.ts";
import { endpoints, replication } from "./service-laws.ts";
import { ephemeralVolumes, volumes } from "./volume-laws.ts";
import { cronJob, daemonSet, deployment, finishedJobs, job, statefulSet } from "./workload-laws.ts";

export const laws: ReadonlyMap<string, Law> = new Map([
  ["Deployments", deployment],
  ["StatefulSets", statefulSet],
  ["DaemonSets", daemonSet],
  ["Jobs", job],
  ["CronJobs", cronJob],
  ["finished Jobs", finishedJobs],
  ["EndpointSlices", endpoints],
  ["ReplicationControllers and Endpoints", replication],
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
  ["ephemeral volumes", ephemeralVolumes],
  ["nodes", nodes],
  ["taints", taints],
  ["accounts", accounts],
  ["aggregated roles", roles],
  ["certificate requests", certificates],
  ["bootstrap tokens", bootstrapTokens],
  ["admission policies", policies],
]);
