// Clients that send nonsense: whatever comes over an upgraded connection, the port and the cluster behind it live on.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LiveCluster } from "../../src/server/live-cluster.ts";
import { FrameWriter } from "../../src/server/spdy/frames.ts";
import { ask, pod, startWithPod, upgraded, webSocket } from "./port.test-kit.ts";

let cluster: LiveCluster;

beforeAll(async () => {
  cluster = await startWithPod(3);
});

afterAll(() => new Promise<void>((resolve) => cluster.close(resolve)));

const doors: readonly (readonly [string, string, readonly string[]])[] = [
  ["exec over WebSocket", `${pod}/exec?command=cat&stdin=1&stdout=1`, webSocket("v5.channel.k8s.io")],
  ["port-forward over WebSocket", `${pod}/portforward?ports=80`, webSocket("v4.channel.k8s.io")],
  ["port-forward over SPDY in WebSocket", `${pod}/portforward`, webSocket("SPDY/3.1+portforward.k8s.io")],
  ["port-forward over SPDY", `${pod}/portforward`, ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: portforward.k8s.io"]],
  [
    "exec over SPDY",
    `${pod}/exec?command=cat&stdin=1&stdout=1`,
    ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v4.channel.k8s.io"],
  ],
];

/** Nonsense, and nonsense that begins well. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.tuple(fc.constantFrom(0x82, 0x81, 0x88, 0x89, 0x02), fc.uint8Array({ maxLength: 60 })).map(([first, rest]) => {
    return new Uint8Array([first, 0x80 | rest.length, 0, 0, 0, 0, ...rest]);
  }),
  fc.uint8Array({ maxLength: 40 }).map((rest) => new Uint8Array([0x80, 3, 0, 1, 0, 0, 0, rest.length, ...rest])),
  fc.tuple(fc.constantFrom("error", "data", "stdin", "nothing"), fc.string({ maxLength: 6 })).map(([streamtype, port]) => {
    return new FrameWriter().open(1, { streamtype, port, requestid: "0" });
  }),
);

describe("clients that send nonsense", () => {
  it.each(doors)("%s", async (_name, path, headers) => {
    for (const sample of fc.sample(fc.array(bytes, { minLength: 1, maxLength: 4 }), { numRuns: 25, seed: 5 })) {
      const socket = await upgraded(cluster.port, path, headers);
      for (const part of sample) socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
    }
    expect(await ask(cluster.port, "GET", "/readyz")).toBe("ok");
    expect(await ask(cluster.port, "GET", pod)).toContain('"phase":"Running"');
  });
});
