import { expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { kubectlWorld } from "../kubectl.test-kit.ts";

it("[POD-487] describes a Pod with its class of service", () => {
  const world = kubectlWorld();
  const both = { cpu: "100m", memory: "64Mi" };
  const create = (name: string, resources: object) =>
    world.client.create(pods, {
      metadata: { name, namespace: "default" },
      spec: { containers: [{ name: "main", image: "nginx", resources }] },
    });
  create("guaranteed", { limits: both });
  create("burstable", { requests: both });
  create("besteffort", {});
  const classOf = (name: string) => /^QoS Class:.*$/mu.exec(world.run(`describe pod ${name}`).stdout)?.[0];
  expect(classOf("guaranteed")).toBe("QoS Class:                   Guaranteed");
  expect(classOf("burstable")).toBe("QoS Class:                   Burstable");
  expect(classOf("besteffort")).toBe("QoS Class:                   BestEffort");
});
