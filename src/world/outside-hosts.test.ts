// Machines outside the cluster: who reaches them, how, and whom they see.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const answers = `server {
  listen 9376;
  location / { return 200 "$hostname to $remote_addr\\n"; }
}
`;
const image = "nginx:1.27";
const files = { "/etc/nginx/conf.d/default.conf": answers };

/** Once it is booted there is a log to write into. */
const calls = "while true; do sleep 5; curl -s -A caller http://172.18.0.3:30080/; done";

describe("machines outside the cluster", () => {
  let learner: TypingLearner;
  const inPod = (command: string) => learner.run(`kubectl exec client -- ${command}`);

  beforeAll(() => {
    const world = new World({
      startMs: 1_767_225_600_000,
      seed: 1,
      nodes: 1,
      files: {},
      hosts: [
        { name: "terminal", address: "192.0.2.42", image, files },
        { name: "mail-1", address: "198.51.100.7", names: ["mail.example.net"], image, files },
        { name: "mail-2", address: "198.51.100.8", names: ["mail.example.net"], image, files },
        { name: "caller", address: "198.51.100.77", image, command: ["sh", "-c", calls] },
      ],
    });
    world.boot();
    world.client.create(kinds.pods, {
      metadata: { name: "client", namespace: "default" },
      spec: { containers: [{ name: "client", image: "busybox:1.36", command: ["sleep", "infinity"] }] },
    });
    world.client.create(kinds.services, {
      metadata: { name: "payments", namespace: "default" },
      spec: { ports: [{ port: 80, targetPort: 9376 }] },
    });
    world.client.create(kinds.endpointSlices, {
      metadata: { name: "payments-1", namespace: "default", labels: { "kubernetes.io/service-name": "payments" } },
      addressType: "IPv4",
      ports: [{ name: "", protocol: "TCP", port: 9376 }],
      endpoints: [{ addresses: ["192.0.2.42"] }],
    });
    world.client.create(kinds.pods, {
      metadata: { name: "page", namespace: "default", labels: { app: "page" } },
      spec: { containers: [{ name: "page", image }] },
    });
    world.client.create(kinds.services, {
      metadata: { name: "page", namespace: "default" },
      spec: {
        type: "NodePort",
        externalTrafficPolicy: "Local",
        selector: { app: "page" },
        ports: [{ port: 80, nodePort: 30080 }],
      },
    });
    world.simulation.advance(30_000);
    learner = sitDown(world);
  });

  it("answer Pods, whose node they see, and the workstation", () => {
    expect(inPod("wget -qO- http://192.0.2.42:9376")).toBe("terminal to 172.18.0.3\n");
    expect(learner.run("curl -s http://192.0.2.42:9376")).toBe("terminal to 172.18.255.1\n");
  });

  it("stand behind a Service without a selector, by a slice made by hand", () => {
    expect(inPod("wget -qO- http://payments")).toBe("terminal to 172.18.0.3\n");
  });

  it("refuse what nothing listens for, and nobody is told that they are the internet", () => {
    expect(learner.run("curl -s http://192.0.2.42:80; echo $?")).toBe("7\n");
    expect(inPod("wget -qO- http://192.0.2.42")).toContain("can't connect to remote host (192.0.2.42): Connection refused");
    expect(learner.run("curl -s -m 1 http://192.0.2.43; echo $?")).toContain("192.0.2.43 is on the internet.");
  });

  it("run a command of their own, which reaches the cluster by a node, with their address", () => {
    expect(learner.run("kubectl logs page | grep caller | tail -n 1")).toMatch(/^198\.51\.100\.77 - - .*"caller"/u);
  });

  it("have the names that they are given, of several machines too", () => {
    expect(inPod("nslookup mail.example.net")).toContain("Address: 198.51.100.7\n");
    expect(inPod("nslookup mail.example.net")).toContain("Address: 198.51.100.8\n");
    expect(inPod("wget -qO- http://mail.example.net:9376")).toMatch(/^mail-[12] to 172\.18\.0\.3\n$/);
    expect(learner.run("curl -s http://mail.example.net:9376")).toMatch(/^mail-[12] to 172\.18\.255\.1\n$/);
    expect(inPod("nslookup example.org")).toContain("Address: 192.0.2.11\n");
  });
});
