import { describe, expect, it } from "vitest";
import { fetchFrom, networkWorld, serveName } from "./network.test-kit.ts";

describe("pod addresses", () => {
  it("come from the node's range one after the other, and not from the one just given back", () => {
    const { node } = networkWorld();
    const [first, second] = [node(0).addPod(), node(0).addPod()];
    second.remove();
    expect([first.address, second.address, node(0).addPod().address]).toEqual(["10.244.0.2", "10.244.0.3", "10.244.0.4"]);
  });

  it("run out with the range, in the network plugin's words", () => {
    const { network } = networkWorld();
    const small = network.addNode("small", "172.18.0.9");
    expect(() => small.addPod()).toThrow("cni plugin not initialized");
    small.podCidr = "10.244.9.0/30";
    small.addPod();
    expect(() => small.addPod()).toThrow(
      'plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.9.1-10.244.9.2',
    );
  });
});

describe("connections", () => {
  it("between pods keep their addresses; the node's own come from its bridge, the world's from the node", () => {
    const { simulation, network, node } = networkWorld();
    const [here, near, far] = [node(0).addPod(), node(0).addPod(), node(1).addPod()];
    serveName(near.stack, "near");
    serveName(far.stack, "far");
    serveName(node(1).host, "kubelet", 10_250);
    const outside = network.addHost("registry", "192.0.2.1");
    serveName(outside, "registry");
    const ask = (stack: typeof outside, address: string, port?: number) =>
      Object.values(fetchFrom(simulation, stack, address, port));
    expect(ask(here.stack, near.address)).toEqual(["near to 10.244.0.2", 0]);
    expect(ask(here.stack, far.address)).toEqual(["far to 10.244.0.2", 2]);
    expect(ask(node(0).host, near.address)).toEqual(["near to 10.244.0.1", 0]);
    expect(ask(node(0).host, far.address)).toEqual(["far to 172.18.0.2", 2]);
    expect(ask(here.stack, "172.18.0.3", 10_250)).toEqual(["kubelet to 172.18.0.2", 2]);
    expect(ask(here.stack, "192.0.2.1")).toEqual(["registry to 172.18.0.2", 2]);
    expect(ask(outside, "172.18.0.3", 10_250)).toEqual(["kubelet to 192.0.2.1", 2]);
    expect(ask(here.stack, "127.0.0.1")).toEqual(["ECONNREFUSED", 0]);
  });

  it.each([
    ["a port without listener", "10.244.0.3", 81, "ECONNREFUSED", 0],
    ["a pod address that nobody has", "10.244.1.77", 80, "EHOSTUNREACH", 3000],
    ["a machine that is not there", "172.18.0.77", 80, "EHOSTUNREACH", 3000],
    ["a Service address without Service", "10.96.7.7", 80, "ETIMEDOUT", 127_000],
    ["the world outside", "203.0.113.5", 80, "ETIMEDOUT", 127_000],
  ])("fail for %s", (_title, address, port, error, tookMs) => {
    const { simulation, node } = networkWorld();
    const [here, near] = [node(0).addPod(), node(0).addPod()];
    serveName(near.stack, "near");
    expect(fetchFrom(simulation, here.stack, address, port)).toEqual({ text: error, tookMs });
  });

  it("do not reach pods of a removed node", () => {
    const { simulation, network, node } = networkWorld();
    const far = node(1).addPod();
    serveName(far.stack, "far");
    network.removeNode("node-2");
    expect(fetchFrom(simulation, node(0).host, far.address).text).toBe("EHOSTUNREACH");
  });

  it("are told of with what was asked and where it ended; those within a pod are not", () => {
    const { simulation, network, node } = networkWorld();
    const [here, near] = [node(0).addPod(), node(0).addPod()];
    serveName(near.stack, "near");
    near.mapHostPort({ hostPort: 8080, protocol: "tcp", containerPort: 80 });
    const seen: unknown[] = [];
    network.onConnection.add((one) => seen.push(one));
    for (const [address, port] of [
      [near.address, 80],
      [near.address, 81],
      ["172.18.0.2", 8080],
      ["10.244.1.77", 80],
      ["127.0.0.1", 80],
    ] as const)
      fetchFrom(simulation, here.stack, address, port);
    const from = here.address;
    expect(seen).toEqual([
      { from, asked: { address: near.address, port: 80 }, reached: near.address, accepted: true },
      { from, asked: { address: near.address, port: 81 }, reached: near.address, accepted: false },
      { from, asked: { address: "172.18.0.2", port: 8080 }, reached: near.address, accepted: true },
      { from, asked: { address: "10.244.1.77", port: 80 }, reached: undefined, accepted: false },
    ]);
  });

  it("reach a pod by its host port", () => {
    const { simulation, network, node } = networkWorld();
    const pod = node(0).addPod();
    serveName(pod.stack, "pod", 8080);
    pod.mapHostPort({ hostPort: 80, protocol: "tcp", containerPort: 8080 });
    const outside = network.addHost("laptop", "192.0.2.1");
    expect(fetchFrom(simulation, outside, "172.18.0.2").text).toBe("pod to 192.0.2.1");
    pod.remove();
    expect(fetchFrom(simulation, outside, "172.18.0.2").text).toBe("ECONNREFUSED");
  });
});
