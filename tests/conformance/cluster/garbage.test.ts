// What goes with its owner, and what does not.

import { beforeAll, describe, expect, it } from "vitest";
import { configMaps, deployments, pods, replicaSets } from "#cluster/api/kinds.ts";
import { WholeCluster } from "../whole-cluster.test-kit.ts";

let cluster: WholeCluster;
beforeAll(() => {
  cluster = new WholeCluster(1, 5);
});

const owned = (name: string, owner: { kind: string; name: string; uid: string }, more = ""): string =>
  `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: default
  ownerReferences:
  - {apiVersion: v1, kind: ${owner.kind}, name: ${owner.name}, uid: ${owner.uid}}${more}
`;
const gone = (name: string): boolean => cluster.find(configMaps, name) === undefined;
const uidOf = (name: string): string => cluster.get(configMaps, name).metadata.uid;
const makeOwner = (name: string): string => {
  cluster.sh(`kubectl create configmap ${name} --from-literal=a=b`);
  return uidOf(name);
};

describe("the garbage collector", () => {
  it("[API-165] [API-166] [API-167] deletes what has lost all its owners, and only that", () => {
    const uid = makeOwner("owner");
    makeOwner("free");
    cluster.apply(owned("child", { kind: "ConfigMap", name: "owner", uid }));
    cluster.apply(owned("changeling", { kind: "ConfigMap", name: "owner", uid: "00000000-0000-4000-8000-000000000000" }));
    cluster.secondsUntil(() => gone("changeling"), 10);
    expect(gone("child")).toBe(false);
    cluster.sh("kubectl delete configmap owner");
    cluster.secondsUntil(() => gone("child"), 10);
    cluster.advance(30);
    expect(gone("free")).toBe(false);
  });

  it("[API-166] with one owner left, only the reference of the other goes", () => {
    const first = makeOwner("first");
    const second = makeOwner("second");
    cluster.apply(
      owned(
        "both",
        { kind: "ConfigMap", name: "first", uid: first },
        `\n  - {apiVersion: v1, kind: ConfigMap, name: second, uid: ${second}}`,
      ),
    );
    cluster.sh("kubectl delete configmap first");
    cluster.secondsUntil(() => cluster.get(configMaps, "both").metadata.ownerReferences?.length === 1, 10);
    expect(cluster.get(configMaps, "both").metadata.ownerReferences?.[0]?.name).toBe("second");
  });

  it("[API-175] knows no owner in another namespace, and says so", () => {
    cluster.sh("kubectl create namespace elsewhere");
    const uid = makeOwner("here");
    cluster.apply(owned("astray", { kind: "ConfigMap", name: "here", uid }).replace("namespace: default", "namespace: elsewhere"));
    cluster.secondsUntil(() => cluster.find(configMaps, "astray", "elsewhere") === undefined, 20);
    expect(cluster.eventTexts({ kind: "ConfigMap", name: "astray" })).toEqual([
      `garbage-collector-controller: OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: elsewhere, name: here, uid: ${uid}] does not exist in namespace "elsewhere"`,
    ]);
  });

  it("[API-176] [WRK-296] never deletes a cluster's object for a namespaced owner, and says so", () => {
    const uid = makeOwner("small");
    cluster.apply(
      owned("big", { kind: "ConfigMap", name: "small", uid })
        .replace("kind: ConfigMap", "kind: Namespace")
        .replace("\n  namespace: default", ""),
    );
    cluster.advance(30);
    expect(cluster.sh("kubectl get namespace big -o name")).toBe("namespace/big\n");
    expect(cluster.eventTexts({ kind: "Namespace", name: "big" })[0]).toContain('does not exist in namespace ""');
  });
});

describe("deleting a Deployment", () => {
  const make = (name: string): void => {
    cluster.sh(
      `kubectl create deployment ${name} --image=busybox:1.36 --replicas=2 -- sleep 3600; kubectl rollout status deployment ${name}`,
    );
  };

  it("[API-168] [API-171] in the background: the owner first, its Pods with their grace", () => {
    make("web");
    cluster.sh("kubectl delete deployment web --wait=false");
    expect(cluster.find(deployments, "web")).toBeUndefined();
    cluster.secondsUntil(() => cluster.pods("app=web").every(({ metadata }) => metadata.deletionTimestamp !== undefined), 10);
    expect(cluster.pods("app=web").map(({ metadata }) => metadata.deletionGracePeriodSeconds)).toEqual([30, 30]);
    cluster.secondsUntil(() => cluster.pods("app=web").length === 0, 60);
  });

  it("[API-169] in the foreground: the owner last", () => {
    make("front");
    cluster.sh("kubectl delete deployment front --cascade=foreground --wait=false");
    cluster.advance(0.2);
    const { metadata } = cluster.get(deployments, "front");
    expect([metadata.finalizers, metadata.deletionTimestamp !== undefined]).toEqual([["foregroundDeletion"], true]);
    let waited = false;
    cluster.secondsUntil(() => {
      if (cluster.find(deployments, "front") === undefined) return true;
      waited ||= cluster.pods("app=front").some(({ metadata: pod }) => pod.deletionTimestamp !== undefined);
      return false;
    }, 60);
    expect(waited).toBe(true);
    expect(cluster.pods("app=front")).toEqual([]);
  });

  it("[API-170] [API-172] leaving orphans: they run on, and a new owner adopts them", () => {
    make("keep");
    const before = cluster.pods("app=keep").map(({ metadata }) => metadata.uid);
    const [set] = cluster.client.list(replicaSets, { namespace: "default", labelSelector: "app=keep" }).items;
    const manifest = cluster
      .sh(`kubectl get replicaset ${set?.metadata.name} -o yaml`)
      .replace(/ {2}ownerReferences:\n(?: {2}- .*\n| {4}.*\n)+/, "")
      .replace(/ {2}(uid|resourceVersion|creationTimestamp): .*\n/g, "");
    cluster.sh("kubectl delete deployment keep --cascade=orphan");
    cluster.sh(`kubectl delete replicaset ${set?.metadata.name} --cascade=orphan`);
    cluster.advance(5);
    expect(cluster.pods("app=keep").map(({ metadata }) => [metadata.uid, metadata.ownerReferences])).toEqual(
      before.map((uid) => [uid, undefined]),
    );
    cluster.apply(manifest);
    cluster.secondsUntil(
      () => cluster.pods("app=keep").every(({ metadata }) => metadata.ownerReferences?.[0]?.controller === true),
      10,
    );
    cluster.advance(10);
    expect(cluster.pods("app=keep").map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  it("[API-173] [API-174] a Pod that loses its label is released and replaced, and is adopted by nobody who has no claim", () => {
    const [pod] = cluster.pods("app=keep");
    const name = pod?.metadata.name ?? "";
    cluster.sh(`kubectl label pod ${name} app=other --overwrite`);
    cluster.secondsUntil(() => cluster.get(pods, name).metadata.ownerReferences === undefined, 10);
    cluster.secondsUntil(() => cluster.pods("app=keep").length === 2, 10);
    expect(cluster.pods("app=keep").map(({ metadata }) => metadata.name)).not.toContain(name);
  });

  it("[API-280] [API-285] what is taken away or changed by hand comes back", () => {
    make("steady");
    const [pod] = cluster.pods("app=steady");
    cluster.sh(`kubectl delete pod ${pod?.metadata.name} --wait=false`);
    cluster.secondsUntil(
      () => cluster.pods("app=steady").filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 2,
      5,
    );
    cluster.sh("kubectl scale replicaset -l app=steady --replicas=5");
    cluster.secondsUntil(
      () => cluster.client.list(replicaSets, { namespace: "default", labelSelector: "app=steady" }).items[0]?.spec?.replicas === 2,
      5,
    );
  });
});
