// For tests of port 10250: who asks, and a node with something to tell.

import { serviceAccounts } from "#cluster/api/kinds.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { systemImages } from "#cluster/images/system-images.ts";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { shell, startedCluster } from "../kubelet.test-kit.ts";

export const authority: Certificate = {
  commonName: "kubernetes",
  organizations: [],
  alternativeNames: [],
  issuer: "kubernetes",
  notBeforeMs: 0,
  notAfterMs: Number.MAX_SAFE_INTEGER,
};

export function certificate(commonName: string, organizations: readonly string[], signer: Certificate = authority): Certificate {
  return { ...authority, commonName, organizations, isSignedBy: (by) => by === signer };
}

export const administrator = certificate("admin", ["system:masters"]);

interface Asked {
  readonly certificate?: Certificate | undefined;
  readonly token?: string;
  readonly method?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
}

export function get(cluster: SmallCluster, target: string, asked: Asked = {}): string {
  const answer = ask(cluster, target, asked);
  return typeof answer === "string" ? answer : `${answer.status} ${answer.text}`;
}

/** Why there is none is a text. */
export function ask(
  cluster: SmallCluster,
  target: string,
  { certificate: own, token, method = "GET" }: Asked = {},
): Answered | string {
  const { host } = cluster.node.machine.network;
  const [address = ""] = host.addresses.slice(1);
  const headers: { readonly [name: string]: string } = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const tls = { serverName: address, ...(own === undefined ? {} : { certificate: own }) };
  let answer: Answered | string | undefined;
  host.request({ address, port: 10250 }, { method, target, headers, body: noBytes }, { tls }, (result) => {
    if (!result.ok) answer = typeof result.error === "string" ? result.error : result.error.tls;
    else {
      const { status, headers: got, body, unwritten } = result.exchange;
      answer = { status, headers: got, text: decodeUtf8(unwritten?.write() ?? body ?? noBytes) };
    }
  });
  cluster.simulation.runUntil(() => answer !== undefined, { limitMs: 10_000 });
  return answer ?? "no answer";
}

export function asAdministrator(cluster: SmallCluster, target: string, method = "GET"): string {
  return get(cluster, target, { certificate: administrator, method });
}

export function tokenOf(cluster: SmallCluster, name: string): string {
  cluster.client.create(serviceAccounts, { metadata: { name, namespace: "default" } });
  const key = { namespace: "default", name };
  const answer = cluster.client.createSubresource(serviceAccounts, key, "token", { spec: { expirationSeconds: 3600 } });
  return (answer as { readonly status: { readonly token: string } }).status.token;
}

/** A container of 6 millicores and 24 Mi beside one that sleeps, and a pod that has ended. */
export function clusterWithPods(): SmallCluster {
  const images = [...publicImages, ...systemImages({})];
  const cluster = startedCluster({ images, kubelet: { clientAuthority: authority } });
  const scheduler = { name: "work", image: "registry.k8s.io/kube-scheduler:v1.36.0" };
  cluster.createPod("busy", { containers: [scheduler, shell("idle", "sleep 3600")] });
  cluster.createPod("once", { containers: [shell("c", "sleep 1")], restartPolicy: "Never" });
  cluster.untilReady("busy");
  cluster.simulation.run({ untilMs: 1_767_225_660_000 });
  return cluster;
}
