// ICMP echo between Pods, nodes and the workstation, as busybox's and iputils' ping show it.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let learner: TypingLearner;
let addresses: Readonly<Record<string, string>>;

const pod = (name: string, node: string, fields = ""): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
  nodeName: ${node}
  terminationGracePeriodSeconds: 0
  containers:
  - {name: main, image: "busybox:1.36", command: [sleep, 1d]${fields}}
`;

beforeAll(() => {
  const manifests = [
    pod("here", "node-1"),
    pod("beside", "node-1"),
    pod("there", "node-2"),
    pod("bare", "node-1", ", securityContext: {capabilities: {drop: [ALL]}}"),
  ];
  const world = new World({
    startMs: Date.UTC(2026, 0, 15, 9),
    seed: 7,
    nodes: 2,
    files: { "pods.yaml": manifests.join("---\n") },
  });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl apply -f pods.yaml; kubectl expose pod there --port=80");
  learner.run("kubectl wait --for=condition=Ready pod --all");
  const table = learner.run(`kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.status.podIP}{"\\n"}{end}'`);
  addresses = Object.fromEntries(
    table
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const service = learner.run("kubectl get service there -o custom-columns=IP:.spec.clusterIP --no-headers").trim();
  addresses = { ...addresses, service };
});

const withoutTimes = (text: string): string => text.replace(/(?<![.\d])\d\.\d\d+(?!\.)/g, "T");

describe("busybox's ping", () => {
  it.each([
    ["beside", 64],
    ["there", 62],
  ])("asks another Pod: %s, whose answer passes the routers between", (name, ttl) => {
    const address = addresses[name] ?? "";
    expect(withoutTimes(learner.run(`kubectl exec here -- ping -c 2 ${address}`))).toBe(
      `PING ${address} (${address}): 56 data bytes\n64 bytes from ${address}: seq=0 ttl=${ttl} time=T ms\n64 bytes from ${address}: seq=1 ttl=${ttl} time=T ms\n\n--- ${address} ping statistics ---\n2 packets transmitted, 2 packets received, 0% packet loss\nround-trip min/avg/max = T/T/T ms\n`,
    );
  });

  it("[NET-153] gets no answer from a cluster IP, for no rule is about ICMP", () => {
    expect(learner.run("kubectl exec here -- ping -c 2 -W 1 there")).toBe(
      `PING there (${addresses["service"]}): 56 data bytes\n\n--- there ping statistics ---\n2 packets transmitted, 0 packets received, 100% packet loss\ncommand terminated with exit code 1\n`,
    );
  });

  it("needs a raw socket", () => {
    expect(learner.run(`kubectl exec bare -- ping -c 1 ${addresses["here"]}`)).toBe(
      "ping: permission denied (are you root?)\ncommand terminated with exit code 1\n",
    );
  });
});

describe("iputils' ping", () => {
  it("asks a node from the workstation, until Ctrl-C", () => {
    learner.press("ping node-1\r", 2500);
    const shown = withoutTimes(learner.press("\x03"));
    expect(shown).toContain("3 packets transmitted, 3 received, 0% packet loss, time 2");
    expect(shown).toMatch(/rtt min\/avg\/max\/mdev = T\/T\/T\/T ms/);
  });

  it("has no way to a Pod's address", () => {
    const address = addresses["here"] ?? "";
    expect(learner.run(`ping -c 1 -W 1 ${address}; echo $?`)).toBe(
      `PING ${address} (${address}) 56(84) bytes of data.\n\n--- ${address} ping statistics ---\n1 packets transmitted, 0 received, 100% packet loss, time 1000ms\n\n1\n`,
    );
  });

  it("is told by its own machine that nobody is there", () => {
    const shown = learner.run("ssh node-1 ping -c 1 172.18.0.99");
    expect(shown).toContain("From 172.18.0.3 icmp_seq=1 Destination Host Unreachable\n");
    expect(shown).toContain("1 packets transmitted, 0 received, +1 errors, 100% packet loss");
  });
});
