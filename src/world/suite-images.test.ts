// Images of Kubernetes' own tests in a whole cluster: pulled, calling each other by name, serving the API server.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { suiteImages } from "#cluster/images/suite-images.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const agnhost = "registry.k8s.io/e2e-test-images/agnhost:2.63.0";

describe("images of Kubernetes' own tests", () => {
  let world: World;
  let learner: TypingLearner;

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files: {} });
    world.boot();
    const pod = (name: string, ...args: readonly string[]) =>
      world.client.create(kinds.pods, {
        metadata: { name, namespace: "default", labels: { app: name } },
        spec: { containers: [{ name: "main", image: agnhost, ...(args.length === 0 ? {} : { args }) }] },
      });
    pod("web", "netexec");
    pod("caller");
    for (const [name, protocol, port] of [
      ["web", "TCP", 8080],
      ["web-udp", "UDP", 8081],
    ] as const)
      world.client.create(kinds.services, {
        metadata: { name, namespace: "default" },
        spec: { selector: { app: "web" }, ports: [{ protocol, port: 80, targetPort: port }] },
      });
    for (const { repository, tag } of suiteImages.filter((each) => each.repository.endsWith("/nautilus")))
      world.client.create(kinds.pods, {
        metadata: { name: "picture", namespace: "default" },
        spec: { containers: [{ name: "main", image: `${repository}:${tag}` }] },
      });
    world.simulation.advance(60_000);
    learner = sitDown(world, { columns: 200 });
  });

  it("are pulled by whoever names them", () => {
    expect(learner.run("kubectl get pods -o custom-columns=NAME:.metadata.name,PHASE:.status.phase --no-headers")).toBe(
      "caller    Running\npicture   Running\nweb       Running\n",
    );
  });

  it("answer through Services, over TCP and UDP", () => {
    const inCaller = (line: string) => learner.run(`kubectl exec caller -- ${line}; echo`);
    expect(inCaller("curl -q -s --connect-timeout 5 http://web/hostname")).toBe("web\n");
    expect(inCaller("sh -c 'echo hostname | nc -u -w 1 web-udp 80'")).toBe("web\n");
    const dial = (query: string) => inCaller(`curl -s 'http://web/dial?${query}&request=hostname&tries=2'`);
    expect(dial("host=web-udp&port=80&protocol=udp")).toBe('{"responses":["web","web"]}\n');
    expect(dial("host=web.default&port=80")).toBe('{"responses":["web","web"]}\n');
  });

  it("ask the cluster's name server for every kind of record", () => {
    const dig = (words: string) => learner.run(`kubectl exec caller -- dig ${words} | tr '\\t' ' '`);
    const { clusterIP = "" } = world.client.get(kinds.services, { namespace: "default", name: "web" }).spec ?? {};
    const full = "web.default.svc.cluster.local.";
    expect([
      dig("+notcp +noall +answer +search web A"),
      dig("+short web.default.svc.cluster.local"),
      dig("+tcp +noall +answer +search _nope._tcp.web.default.svc SRV"),
      dig(`+short -x ${clusterIP}`),
      dig("+short web.default A"),
      learner.run("kubectl exec caller -- getent hosts web-udp").replace(/^\S+ +/u, ""),
    ]).toEqual([
      `${full} 30 IN A ${clusterIP}\n`,
      `${clusterIP}\n`,
      "\n",
      `${full}\n`,
      "\n",
      "web-udp.default.svc.cluster.local\n",
    ]);
    expect(dig("web.default.svc.cluster.local SRV")).toContain(`;; ANSWER SECTION:\n${full} 30 IN SRV 0 100 80 ${full}\n`);
    expect(dig("nope.default.svc.cluster.local")).toContain("status: NXDOMAIN");
  });

  it("bring a name server of their own, for tests that fill it", () => {
    learner.run(`cat > names.yaml <<'.'
apiVersion: v1
kind: ConfigMap
metadata: {name: names}
data:
  Corefile: |
    . {
      hosts {
        1.1.1.1 notexistname.resolv.conf.local
      }
      log
    }
---
apiVersion: v1
kind: Pod
metadata: {name: names}
spec:
  dnsPolicy: Default
  containers:
  - name: main
    image: ${agnhost}
    command: [/coredns]
    args: [-conf, /etc/coredns/Corefile]
    volumeMounts: [{name: names, mountPath: /etc/coredns}]
  volumes: [{name: names, configMap: {name: names}}]
.
kubectl apply -f names.yaml && kubectl wait --for=condition=Ready pod/names`);
    const address = world.client.get(kinds.pods, { namespace: "default", name: "names" }).status?.podIP ?? "";
    const dig = (words: string) => learner.run(`kubectl exec caller -- dig @${address} ${words}`);
    expect([dig("+short notexistname.resolv.conf.local"), dig("+short -x 1.1.1.1")]).toEqual([
      "1.1.1.1\n",
      "notexistname.resolv.conf.local.\n",
    ]);
    expect(dig("nope.resolv.conf.local")).toContain("status: SERVFAIL");
    const log = learner.run("kubectl logs names");
    expect(log).toMatch(/^\.:53\n\S+Z \[INFO\] CoreDNS-1\.6\.2\n/u);
    expect(log).toMatch(
      /\n\S+Z \[INFO\] 10\.244\.\S+ - \d+ "A IN notexistname\.resolv\.conf\.local\. udp \d+ false 512" NOERROR qr,aa,rd /u,
    );
  });

  it.each([
    ["default", {}, "0\n", "NoNewPrivs: 0\nSeccomp: 0\n"],
    [
      "restricted",
      { allowPrivilegeEscalation: false, seccompProfile: { type: "RuntimeDefault" } },
      "1000\n",
      "NoNewPrivs: 1\nSeccomp: 2\n",
    ],
    ["privileged", { privileged: true, seccompProfile: { type: "RuntimeDefault" } }, "0\n", "NoNewPrivs: 0\nSeccomp: 0\n"],
  ])("run set-user-ID programs as far as their container may: %s", (name, securityContext, uid, status) => {
    world.client.create(kinds.pods, {
      metadata: { name, namespace: "default" },
      spec: {
        containers: [
          {
            name: "main",
            image: "registry.k8s.io/e2e-test-images/nonewprivs:1.4",
            command: ["sh", "-c", "nnp; grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status"],
            securityContext: { runAsUser: 1000, ...securityContext },
          },
        ],
        restartPolicy: "Never",
      },
    });
    world.simulation.advance(10_000);
    expect(learner.run(`kubectl logs ${name} | tr '\\t' ' '`)).toBe(`Effective uid: ${uid}${status}`);
  });

  it("serve their picture through the API server", () => {
    expect(learner.run("kubectl get --raw /api/v1/namespaces/default/pods/picture:80/proxy/data.json")).toBe(
      '{\n  "image": "nautilus.jpg"\n}\n',
    );
  });

  it("say why they ended", () => {
    learner.run("kubectl exec caller -- kill 1");
    world.simulation.advance(5000);
    const { status } = world.client.get(kinds.pods, { namespace: "default", name: "caller" });
    const { terminated } = status?.containerStatuses?.[0]?.lastState ?? {};
    expect([terminated?.exitCode, terminated?.message]).toEqual([2, 'exiting because of signal "terminated"\n']);
  });
});
