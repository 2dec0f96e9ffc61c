// UDP as who sits at a terminal meets it, and names on the nodes themselves.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("in a whole cluster", () => {
  let world: World;
  let learner: TypingLearner;

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files: {} });
    world.boot();
    const metadata = { name: "pong", namespace: "default", labels: { app: "pong" } };
    const answer = "while true; do echo pong | nc -u -l -p 5353 -w 1; done";
    const server = { name: "pong", image: "busybox:1.36", command: ["sh", "-c", answer] };
    world.client.create(kinds.pods, {
      metadata,
      spec: { containers: [{ ...server, ports: [{ containerPort: 5353, hostPort: 5354, protocol: "UDP" }] }], nodeName: "node-1" },
    });
    world.client.create(kinds.pods, {
      metadata: { name: "box", namespace: "default" },
      spec: { containers: [{ name: "box", image: "busybox:1.36", command: ["sleep", "infinity"] }] },
    });
    world.client.create(kinds.services, {
      metadata,
      spec: {
        type: "NodePort",
        clusterIP: "10.96.53.53",
        selector: { app: "pong" },
        ports: [{ port: 53, targetPort: 5353, nodePort: 30_053, protocol: "UDP" }],
      },
    });
    world.simulation.advance(60_000);
    learner = sitDown(world, { columns: 200, rows: 60 });
  });

  it.each([
    ["a Service by its name", "kubectl exec box -- sh -c 'echo ping | nc -u -w 1 pong 53'"],
    ["a Service from a node", "ssh node-2 'echo ping | nc -u -w 1 10.96.53.53 53'"],
    ["a node port", "echo ping | nc -u -w 1 node-2 30053"],
    ["a host port", "echo ping | nc -u -w 1 node-1 5354"],
  ])("a datagram reaches %s, and the answer comes back", (_, command) => {
    expect(learner.run(`${command}; sleep 3`)).toBe("pong\n");
  });

  it("a sender has the port that it asks for, which datagrams alone may", () => {
    expect(learner.run("kubectl exec box -- sh -c 'echo ping | nc -u -p 4000 -w 1 pong 53; nc -p 4000 pong 53'; sleep 3")).toBe(
      "pong\nnc: -p is supported here with -u or -l only\ncommand terminated with exit code 1\n",
    );
    const taken = "nc -u -l -p 4000 & sleep 1; echo ping | nc -u -p 4000 -w 1 pong 53; kill $!";
    expect(learner.run(`kubectl exec box -- sh -c '${taken}'`)).toContain("nc: bind: Address already in use\n");
  });

  it("a Service without endpoints refuses it", () => {
    world.client.create(kinds.services, {
      metadata: { name: "empty", namespace: "default" },
      spec: { clusterIP: "10.96.53.54", selector: { app: "nobody" }, ports: [{ port: 53, protocol: "UDP" }] },
    });
    world.simulation.advance(2000);
    expect(learner.run("kubectl exec box -- nc -z -u -v -w 1 empty 53; echo $?")).toBe("command terminated with exit code 1\n1\n");
  });

  it("nodes know the world outside, and are told at once what does not exist", () => {
    expect(learner.run("ssh node-1 'getent hosts kubernetes.io; time -p curl http://nosuch'").replace(/real.*/su, "real")).toBe(
      "192.0.2.20      kubernetes.io\ncurl: (6) Could not resolve host: nosuch\nreal",
    );
    const took = world.simulation.nowMs;
    learner.run("ssh node-1 'getent hosts nosuch.example'");
    expect(world.simulation.nowMs - took).toBeLessThan(1000);
    expect(learner.run("ssh node-1 'getent hosts pong.default.svc.cluster.local'; echo $?")).toBe("2\n");
  });
});
