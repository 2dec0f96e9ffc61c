// The documentation's sample images in a whole cluster.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("sample images", () => {
  let world: World;
  let learner: TypingLearner;

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const stress = (name: string, size: string) =>
      world.client.create(kinds.pods, {
        metadata: { name, namespace: "default" },
        spec: {
          restartPolicy: "Never",
          containers: [
            {
              name: "main",
              image: "polinux/stress",
              command: ["stress"],
              args: ["--vm", "1", "--vm-bytes", size, "--vm-hang", "1"],
              resources: { requests: { memory: "50Mi" }, limits: { memory: "200Mi" } },
            },
          ],
        },
      });
    stress("fits", "150M");
    stress("too-much", "250M");
    world.client.create(kinds.pods, {
      metadata: { name: "hello", namespace: "default" },
      spec: { containers: [{ name: "main", image: "gcr.io/google-samples/hello-app:1.0" }] },
    });
    world.client.create(kinds.pods, {
      metadata: { name: "whoami", namespace: "default" },
      spec: { containers: [{ name: "main", image: "traefik/whoami:v1.11", ports: [{ containerPort: 80 }] }] },
    });
    world.simulation.advance(60_000);
    learner = sitDown(world, { columns: 200 });
  });

  it("[POD-472] stress beyond the limit ends its container, below it it runs", () => {
    const state = (name: string) =>
      world.client.get(kinds.pods, { namespace: "default", name }).status?.containerStatuses?.[0]?.state;
    expect(Object.keys(state("fits") ?? {})).toEqual(["running"]);
    expect(state("too-much")?.terminated).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
  });

  it("whoami tells a Pod's name, its address, and the request as it came", () => {
    const address = world.client.get(kinds.pods, { namespace: "default", name: "whoami" }).status?.podIP ?? "";
    const answer = learner.run("kubectl get --raw '/api/v1/namespaces/default/pods/whoami/proxy/x?y=z'");
    expect(answer).toContain(`Hostname: whoami\nIP: 127.0.0.1\nIP: ${address}\nRemoteAddr: `);
    expect(answer).toContain("GET /x?y=z HTTP/1.1");
  });

  it("without a shell exec finds none", () => {
    expect(learner.run("kubectl exec hello -- sh").replace(/"[0-9a-f]{64}"/u, '"…"')).toBe(
      'error: Internal error occurred: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "…": OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown\n',
    );
  });
});
