// What the picture is drawn from, for its tests.

import type { ClusterView, PodView, ServiceView, ShownObject } from "#lab/picture-view.ts";
import type { LayoutOptions } from "./layout.ts";
import { createMarks } from "./owner-marks.ts";

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
    heldBy: [],
    ...change,
  };
}

export function serviceView(name: string, change: Partial<ServiceView> = {}): ServiceView {
  return { namespace: "default", name, type: "ClusterIP", clusterIp: "10.96.0.7", nodePorts: [], endpoints: ["a"], ...change };
}

export function objectView(name: string, change: Partial<ShownObject> = {}): ShownObject {
  const plain = { resource: "configmaps", kind: "ConfigMap", namespace: "default", text: "", deleting: false };
  return { uid: name, name, ...plain, finalizers: [], owners: [], ...change };
}

export function clusterOf(view: Partial<ClusterView>): ClusterView {
  return { nodes: [], pods: [], workloads: [], services: [], objects: [], ties: [], ...view };
}

export function layoutOptions(change: Partial<LayoutOptions> = {}): LayoutOptions {
  const texts = { terminalText: "Terminal", deletingText: "deleted" };
  return { widthPx: 480, showSystem: false, letterOf: () => "", markOf: createMarks(), ...texts, ...change };
}
