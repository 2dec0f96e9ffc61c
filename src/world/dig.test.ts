// dig in a Pod, against the cluster's own DNS.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let learner: TypingLearner;

beforeAll(() => {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl run box --image=registry.k8s.io/e2e-test-images/agnhost:2.63.0 -- pause");
  learner.run("kubectl create service clusterip web --tcp=80 --clusterip=10.96.7.7");
  learner.run("kubectl create service externalname away --external-name=example.com");
  learner.run(`kubectl patch service web --type=json -p '[{"op":"replace","path":"/spec/ports/0/name","value":"http"}]'`);
  world.simulation.advance(20_000);
});

const web = "web.default.svc.cluster.local.";
const away = "away.default.svc.cluster.local.";
// The screen of the test kit shows no tabs.
const dig = (words: string): string => learner.run(`kubectl exec box -- dig ${words}`);

describe("dig", () => {
  it("asks for addresses, ports, aliases and names of addresses", () => {
    expect(dig(`+noall +answer ${web}`)).toBe(`${web}30INA10.96.7.7\n`);
    expect(dig(`+noall +answer _http._tcp.${web} SRV`)).toBe(`_http._tcp.${web}30INSRV0 100 80 ${web}\n`);
    expect(dig(`+short ${away} CNAME`)).toBe("example.com.\n");
    expect(dig(`+short ${away}`)).toBe("example.com.\n192.0.2.10\n");
    expect(dig("+short -x 10.96.7.7")).toBe(`${web}\n`);
    expect(dig(`+short @10.96.0.10 -t a ${web}`)).toBe("10.96.7.7\n");
  });

  it("uses the search list when it is told to", () => {
    expect(dig("+short web").trim()).toBe("");
    expect(dig("+short +search web")).toBe("10.96.7.7\n");
    expect(dig("+tcp +noall +answer +search web.default.svc A")).toBe(`${web}30INA10.96.7.7\n`);
    expect(dig("+noall +answer +search nobody A").trim()).toBe("");
  });

  it("shows the whole exchange otherwise", () => {
    expect(dig(web).replace(/id: \d+/, "id: N")).toBe(
      `
; <<>> DiG 9.20.9 <<>> ${web}
;; global options: +cmd
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: N
;; flags: qr aa rd; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 0

;; QUESTION SECTION:
;${web}INA

;; ANSWER SECTION:
${web}30INA10.96.7.7

;; Query time: 0 msec
;; SERVER: 10.96.0.10#53(10.96.0.10) (UDP)

`,
    );
    expect(dig("gone.default.svc.cluster.local")).toContain("status: NXDOMAIN");
  });

  it("refuses what it does not do", () => {
    expect(dig("web MX")).toBe("dig: type MX: not supported by this dig\ncommand terminated with exit code 1\n");
    expect(dig("web +trace")).toBe("dig: +trace: not supported by this dig\ncommand terminated with exit code 1\n");
  });

  it("says that no server answers", () => {
    learner.run("kubectl -n kube-system scale deployment coredns --replicas=0; sleep 40");
    expect(dig(web)).toBe(";; connection timed out; no servers could be reached\ncommand terminated with exit code 9\n");
  });
});

it("agnhost's image has getent", () => {
  expect(learner.run("kubectl exec box -- getent hosts box")).toMatch(/^10\.244\.\d+\.\d+\s*box\n$/);
});
