// API servers of one cluster that do not know the same APIs, as in the middle of an upgrade: requests that go on to a peer.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const withoutBatch = "--runtime-config=batch/v1=false";
const addresses: { readonly [node: string]: string } = { "control-plane": "172.18.0.2", "control-plane-2": "172.18.0.3" };
const peerCa = "--peer-ca-file=/etc/kubernetes/pki/ca.crt";

const ferries = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ferries.sea.example}
spec:
  group: sea.example
  scope: Cluster
  names: {plural: ferries, singular: ferry, kind: Ferry}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}`;

class Pair {
  readonly world: World;
  readonly learner: TypingLearner;

  constructor() {
    this.world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 5, nodes: 1, files: {}, controlPlane: { nodes: 2 } });
    this.world.boot();
    this.learner = sitDown(this.world, { columns: 200 });
    this.run(`kubectl create job count --image=busybox -- sleep 3600`);
  }

  run(line: string): string {
    return this.learner.run(line);
  }

  wait(seconds: number): void {
    this.world.simulation.advance(seconds * 1000);
  }

  /** The server starts anew with these flags beside its own. */
  give(node: string, ...flags: readonly string[]): void {
    for (const flag of flags) this.run(`ssh ${node} "sed -i 's#^    - --advertise-address.*#&\\n    - ${flag}#' ${manifest}"`);
    this.wait(60);
  }

  ask(node: string, path: string): string {
    return this.run(`kubectl -s https://${node}:6443 get --raw '${path}'`);
  }

  names(node: string, path = jobs): string {
    const text = this.ask(node, path);
    return text.startsWith("{")
      ? JSON.parse(text)
          .items.map((item: { metadata: { name: string } }) => item.metadata.name)
          .join()
      : text;
  }

  status(node: string, path: string, headers = ""): string {
    const pki = "/etc/kubernetes/pki";
    const who = `--cacert ${pki}/ca.crt --cert ${pki}/apiserver-kubelet-client.crt --key ${pki}/apiserver-kubelet-client.key`;
    return this.run(`ssh control-plane "curl -s ${who} ${headers} https://${addresses[node]}:6443${path}"`);
  }
}

const notFound = "Error from server (NotFound): the server could not find the requested resource\n";

describe("two API servers, one of which knows an API that the other does not", () => {
  let pair: Pair;
  beforeEach(() => {
    pair = new Pair();
  });

  it("[API-316] [API-317] [API-318] [API-321] pass nothing on until they are told their peers' authority, then what the other one knows", () => {
    pair.give("control-plane-2", withoutBatch);
    expect([pair.names("control-plane"), pair.names("control-plane-2")]).toEqual(["count", notFound]);
    pair.give("control-plane-2", peerCa);
    expect(pair.names("control-plane-2")).toBe("count");
    const [own, other] = pair.world.cluster.apiServers.map(({ serverId, audit }) => ({ serverId, events: audit.events() }));
    expect(other?.serverId).not.toBe(own?.serverId);
    // In the name of whoever asked, and once only.
    expect(
      own?.events.filter(({ resource, verb, user }) => resource === "jobs" && verb === "list" && user.name === "kubernetes-admin")
        .length,
    ).toBeGreaterThan(0);
    expect(pair.status("control-plane-2", jobs, "-H 'X-Kubernetes-Peer-Proxied: true'")).toBe("404 page not found\n");
    expect(pair.ask("control-plane-2", "/apis/batch/v9/jobs")).toBe(notFound);
    expect(pair.ask("control-plane-2", "/apis/nothing.example/v1/things")).toBe(notFound);
    expect(pair.names("control-plane-2", "/api/v1/namespaces/default/services")).toBe("kubernetes");
    expect(pair.run("timeout 5 kubectl -s https://control-plane-2:6443 get jobs -w -o name")).toBe("job.batch/count\n");
    expect(pair.ask("control-plane", "/metrics")).not.toContain("apiserver_rerouted_request_total");
    const counted = pair
      .run("kubectl -s https://control-plane-2:6443 get --raw /metrics | grep ^apiserver_rerouted | cut -d'{' -f2")
      .split("\n");
    // What was asked about (/api and /apis), and jobs: by the list, by kubectl's list and by its watch.
    expect(counted.slice(0, -1)).toEqual([
      'code="200",group="",resource="",version=""} 2',
      'code="200",group="batch",resource="jobs",version="v1"} 3',
    ]);
    // Custom kinds are in etcd, which both have.
    const lists = (): number =>
      (pair.world.cluster.apiServers[0]?.audit.events() ?? []).filter(({ resource }) => resource === "ferries").length;
    pair.run(`kubectl apply -f - <<'END'\n${ferries}\nEND\n`);
    pair.wait(10);
    const before = lists();
    expect([pair.names("control-plane-2", "/apis/sea.example/v1/ferries"), lists() - before]).toEqual(["", 0]);
    // Writing goes the same way.
    expect(pair.run("kubectl -s https://control-plane-2:6443 delete job count")).toBe(
      'job.batch "count" deleted from default namespace\n',
    );
    expect(pair.names("control-plane")).toBe("");
  });

  it("[API-319] [API-320] answer 503 while the peer that knows it is away, and serve it themselves when they can again", () => {
    pair.give("control-plane-2", withoutBatch, peerCa);
    pair.run("ssh control-plane-2 iptables -A OUTPUT -d 172.18.0.2 -p tcp --dport 6443 -j REJECT");
    expect(pair.status("control-plane-2", jobs)).toBe("dial tcp 172.18.0.2:6443: connect: connection refused\n");
    pair.run("ssh control-plane-2 iptables -F OUTPUT");
    expect(pair.names("control-plane-2")).toBe("count");
    pair.run(`ssh control-plane mv ${manifest} /root/`);
    pair.wait(20);
    expect(pair.ask("control-plane-2", jobs)).toBe(
      "Error from server (ServiceUnavailable): Error getting ip and port info of the remote server while proxying\n",
    );
    pair.run(`ssh control-plane mv /root/kube-apiserver.yaml ${manifest}`);
    pair.wait(60);
    expect(pair.names("control-plane-2")).toBe("count");
    pair.run(`ssh control-plane-2 "sed -i '/runtime-config/d' ${manifest}"`);
    pair.wait(60);
    expect(pair.names("control-plane-2")).toBe("count");
  });

  it("[API-322] list in discovery what any of them serves, and with profile=nopeer what one serves itself", () => {
    pair.give("control-plane-2", withoutBatch, peerCa);
    const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const groups = (node: string, accept: string): readonly string[] => {
      const text = pair.status(node, "/apis", `-H 'Accept: ${accept}'`);
      return JSON.parse(text).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    const all = groups("control-plane", `${type};profile=nopeer`);
    expect(all).toContain("batch");
    expect(groups("control-plane-2", type)).toEqual(all);
    expect(groups("control-plane-2", `${type};profile=nopeer`)).toEqual(all.filter((name) => name !== "batch"));
    expect(pair.run("kubectl -s https://control-plane-2:6443 get cronjobs,jobs -o name")).toBe("job.batch/count\n");
  });

  it("[API-321] refuse flags that go with a feature that is off", () => {
    pair.give("control-plane-2", "--feature-gates=UnknownVersionInteroperabilityProxy=false", peerCa);
    expect(
      pair.run("ssh control-plane-2 'crictl logs $(crictl ps -a -q --name kube-apiserver | head -n 1) 2>&1 | tail -n 1'"),
    ).toContain("--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on");
    pair.run(`ssh control-plane-2 "sed -i '/peer-ca-file/d' ${manifest}"`);
    pair.wait(320);
    // Nobody is told where this server is: the first one cannot pass on what only this one knows.
    pair.give("control-plane", withoutBatch, peerCa);
    expect(pair.names("control-plane")).toBe(notFound);
  });
});

describe("a front proxy", () => {
  it("[API-316] names the user in headers where its certificate says that it may, and only there", () => {
    const pair = new Pair();
    const pki = "/etc/kubernetes/pki";
    const as = (certificate: string): string =>
      pair.run(
        `ssh control-plane "curl -s --cacert ${pki}/ca.crt --cert ${pki}/${certificate}.crt --key ${pki}/${certificate}.key -H 'X-Remote-User: jane' -H 'X-Remote-Group: dev' https://control-plane:6443/api/v1/nodes" | grep message`,
      );
    expect(as("front-proxy-client")).toContain('User \\"jane\\" cannot list resource \\"nodes\\"');
    expect(as("apiserver-kubelet-client")).not.toContain("jane");
  });
});
