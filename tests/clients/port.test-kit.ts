// For tests of the port: a live cluster over plain HTTP with one running Pod, requests, and upgraded connections.

import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type LiveCluster, startLiveCluster } from "../../src/server/live-cluster.ts";

/** The Pod's address. */
export const pod = "/api/v1/namespaces/default/pods/shell";

export async function startWithPod(seed: number): Promise<LiveCluster> {
  const cluster = await startLiveCluster({ port: 0, nodes: 1, seed, insecureHttp: true, withoutAddons: true });
  const body = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "shell" },
    spec: { containers: [{ name: "a", image: "nginx" }] },
  };
  await ask(cluster.port, "POST", "/api/v1/namespaces/default/pods", JSON.stringify(body));
  await until("the Pod to run", async () => (await ask(cluster.port, "GET", pod)).includes('"phase":"Running"'));
  return cluster;
}

const patienceMs = 300_000;

/** Looks again and again. Throws when it does not come about, after a time that no machine is too slow for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const startedMs = performance.now(); !(await holds()); await pause(25)) {
    if (performance.now() - startedMs > patienceMs) throw new Error(`waited ${patienceMs / 1000} s for ${what}`);
  }
}

export function ask(port: number, method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent: false }, (incoming) => {
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
export function upgraded(port: number, path: string, headers: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      const method = headers.some((header) => header.includes("SPDY/3.1") && header.startsWith("Upgrade")) ? "POST" : "GET";
      socket.write([`${method} ${path} HTTP/1.1`, "Host: a", "Connection: Upgrade", ...headers, "", ""].join("\r\n"));
    });
    socket.on("error", () => undefined);
    socket.once("data", (head: Buffer) => {
      if (!head.toString().startsWith("HTTP/1.1 101 ")) {
        reject(new Error(head.toString()));
        return;
      }
      const rest = head.subarray(head.indexOf("\r\n\r\n") + 4);
      socket.pause();
      if (rest.length > 0) socket.unshift(rest);
      resolve(socket);
      // By then whoever waited for the socket listens to it.
      setImmediate(() => socket.resume());
    });
  });
}

export const webSocket = (protocol: string): readonly string[] => [
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  `Sec-WebSocket-Protocol: ${protocol}`,
];
