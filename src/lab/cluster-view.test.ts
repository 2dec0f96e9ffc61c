// The picture of a cluster with every kind of owner, and with the objects of a lab.

import { beforeAll, describe, expect, it } from "vitest";
import { World } from "#world/world.ts";
import { ClusterViewer } from "./cluster-view.ts";
import type { ClusterView } from "./picture-view.ts";

const setup = `
kubectl create deployment web --image=nginx:1.27 --replicas=2
kubectl create job once --image=busybox:1.36 -- true
kubectl create cronjob often --image=busybox:1.36 --schedule='*/1 * * * *' -- sleep 5
kubectl run alone --image=nginx:1.27
kubectl create configmap guarded --from-literal=a=b
kubectl patch configmap guarded -p '{"metadata":{"finalizers":["example.com/hold"]}}'
kubectl delete configmap guarded --wait=false
kubectl create secret generic shop --from-literal=a=b
kubectl apply -f crew.yaml
kubectl apply -f sets.yaml
kubectl wait --for=condition=Established crd/crews.example.com
kubectl apply -f hands.yaml
`;

const template = "{metadata: {labels: {app: X}}, spec: {containers: [{name: c, image: 'nginx:1.27'VOLUME}]VOLUMES}}";
const set = (kind: string, name: string, volume = ""): string => {
  const filled = template
    .replace("X", name)
    .replace("VOLUMES", volume === "" ? "" : `, volumes: [{name: v, ${volume}}]`)
    .replace("VOLUME", volume === "" ? "" : ", volumeMounts: [{name: v, mountPath: /v}]");
  return `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {app: ${name}}}, template: ${filled}`;
};
const files = {
  "sets.yaml": [
    `${set("StatefulSet", "data", "persistentVolumeClaim: {claimName: disk}")}, serviceName: data}`,
    `${set("DaemonSet", "agent", "secret: {secretName: shop}")}}`,
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: disk}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
  ].join("\n---\n"),
  "crew.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crews.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: crews, kind: Crew}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
  "hands.yaml": "apiVersion: example.com/v1\nkind: Crew\nmetadata: {name: hands, namespace: default}\n",
};

describe("the cluster's view", () => {
  let world: World;
  let view: ClusterView;
  const viewer = new ClusterViewer();
  const wishes = [
    { resource: "persistentvolumeclaims", name: "" },
    { resource: "persistentvolumes", name: "" },
    { resource: "configmaps", name: "" },
    { resource: "secrets", name: "shop" },
    { resource: "replicasets.apps", name: "" },
    { resource: "crews.example.com", name: "" },
    { resource: "nobodys.example.com", name: "" },
  ];

  beforeAll(() => {
    world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 2, addons: ["local-path-provisioner"], files });
    world.boot();
    world.runSetup(setup);
    world.simulation.advance(75_000);
    view = viewer.viewOf(world, wishes);
  });

  const own = <T extends { readonly namespace: string }>(all: readonly T[]) =>
    all.filter(({ namespace }) => namespace === "default");

  it("names what makes Pods, with its count or its word", () => {
    expect(own(view.workloads).map(({ kind, name, count, short, text }) => [kind, name, count, short, text])).toEqual([
      ["Deployment", "web", "2/2", false, ""],
      ["StatefulSet", "data", "1/1", false, ""],
      ["DaemonSet", "agent", "2/2", false, ""],
      ["CronJob", "often", "", false, "*/1 * * * *"],
      ["Job", "once", "1/1", false, "Complete"],
    ]);
  });

  it("gives each Pod its topmost owner, and a revision where its owner has revisions", () => {
    const owners = new Map(own(view.pods).map((pod) => [`${pod.ownerKind}/${pod.ownerName}`, pod.revision !== ""]));
    expect([...owners].sort()).toEqual([
      ["/", false],
      ["CronJob/often", false],
      ["DaemonSet/agent", true],
      ["Deployment/web", true],
      ["Job/once", false],
      ["StatefulSet/data", true],
    ]);
  });

  it("has the objects of the lab with their state, what holds them, and what they have to do with each other", () => {
    const nameOf = new Map(
      [...view.objects, ...view.pods]
        .filter(({ namespace }) => namespace !== "kube-system" && namespace !== "local-path-storage")
        .map(({ uid, name }) => [uid, name]),
    );
    const objects = own(view.objects).map(({ kind, name, text, deleting, finalizers }) => [
      kind,
      name,
      text,
      deleting,
      ...finalizers,
    ]);
    expect(objects).toEqual([
      ["PersistentVolumeClaim", "disk", "Bound", false, "kubernetes.io/pvc-protection"],
      ["ConfigMap", "guarded", "", true, "example.com/hold"],
      ["Secret", "shop", "", false],
      ["ReplicaSet", expect.stringMatching(/^web-/), "2/2", false],
      ["Crew", "hands", "", false],
    ]);
    const ties = view.ties
      .filter(({ from }) => nameOf.has(from))
      .map(({ kind, from, to }) => `${kind} ${nameOf.get(from)} ${nameOf.get(to)}`.replace(/-[a-z0-9-]+/g, "-…"));
    expect([...new Set(ties)].sort()).toEqual(["bond agent-… shop", "bond data-… disk", "bond disk pvc-…", "owner web-… web-…"]);
  });

  it("leaves out what every cluster has, unless it is named", () => {
    world.runSetup("kubectl create priorityclass daily --value=100");
    const named = (name: string) =>
      viewer.viewOf(world, [{ resource: "priorityclasses.scheduling.k8s.io", name }]).objects.map((one) => one.name);
    expect(named("")).toEqual(["daily"]);
    expect(named("system-node-critical")).toEqual(["system-node-critical"]);
    expect(viewer.viewOf(world, [{ resource: "configmaps", name: "kube-root-ca.crt" }]).objects).not.toEqual([]);
  });

  it("keeps the views of Pods that are as before", () => {
    const again = viewer.viewOf(world, wishes);
    expect(again.pods.every((pod, place) => pod === view.pods[place])).toBe(true);
  });
});
