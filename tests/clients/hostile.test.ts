// Clients that send nonsense: whatever comes over an upgraded connection, the port and the cluster behind it live on.

import { type Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveCluster, startLiveCluster } from "../../src/server/live-cluster.ts";
import { FrameWriter } from "../../src/server/spdy/frames.ts";

let cluster: LiveCluster;
const pod = "/api/v1/namespaces/default/pods/shell";

beforeAll(async () => {
  cluster = await startLiveCluster({ port: 0, nodes: 1, seed: 3, insecureHttp: true });
  const body = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "shell" },
    spec: { containers: [{ name: "a", image: "nginx" }] },
  };
  await ask("POST", "/api/v1/namespaces/default/pods", JSON.stringify(body));
  for (let tries = 0; tries < 200 && !(await ask("GET", pod)).includes('"phase":"Running"'); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

afterAll(() => new Promise<void>((resolve) => cluster.close(resolve)));

function ask(method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const agent: Agent | false = false;
    const outgoing = request({ host: "127.0.0.1", port: cluster.port, method, path, agent }, (incoming) => {
      let text = "";
      incoming.on("data", (part: Buffer) => {
        text += part.toString();
      });
      incoming.on("end", () => resolve(text));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** An upgraded connection: its socket once the server has agreed. */
function upgraded(path: string, headers: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(cluster.port, "127.0.0.1", () => {
      socket.write([`POST ${path} HTTP/1.1`, "Host: a", "Connection: Upgrade", ...headers, "", ""].join("\r\n"));
    });
    socket.on("error", () => undefined);
    socket.once("data", (head: Buffer) => {
      if (head.toString().startsWith("HTTP/1.1 101 ")) resolve(socket);
      else reject(new Error(head.toString()));
    });
  });
}

const webSocket = (protocol: string): readonly string[] => [
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  `Sec-WebSocket-Protocol: ${protocol}`,
];

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
      const socket = await upgraded(path, headers);
      for (const part of sample) socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
    }
    expect(await ask("GET", "/readyz")).toBe("ok");
    expect(await ask("GET", pod)).toContain('"phase":"Running"');
  });
});
