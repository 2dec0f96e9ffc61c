// Pods and Services as the picture gets them, for its tests.

import type { PodView, ServiceView } from "#lab/session.ts";

export function podView(name: string, nodeName: string, change: Partial<PodView> = {}): PodView {
  return {
    uid: name,
    namespace: "default",
    name,
    nodeName,
    shape: "running",
    statusText: "Running",
    ready: "1/1",
    ownerKind: "Deployment",
    ownerName: "web",
    revision: "a",
    ip: "",
    ...change,
  };
}

export function serviceView(name: string, change: Partial<ServiceView> = {}): ServiceView {
  return { namespace: "default", name, type: "ClusterIP", clusterIp: "10.96.0.7", nodePorts: [], endpoints: ["a"], ...change };
}
