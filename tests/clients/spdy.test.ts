// SPDY as kubectl speaks it: port-forward inside a WebSocket, and exec of older clients.

import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { encodeFrame, FrameDecoder, opcodes } from "#sim/network/websocket.ts";
import type { LiveCluster } from "../../src/server/live-cluster.ts";
import { FrameReader, FrameWriter, type SpdyFrame } from "../../src/server/spdy/frames.ts";
import { ask, pod, startWithPod, until, upgraded, webSocket } from "./port.test-kit.ts";

let cluster: LiveCluster;

beforeAll(async () => {
  cluster = await startWithPod(4);
});

afterAll(() => new Promise<void>((resolve) => cluster.close(resolve)));

/** What came on each stream, and whether it has ended. */
class Streams {
  readonly #parts = new Map<number, Uint8Array[]>();
  readonly #ended = new Set<number>();

  take(frames: readonly SpdyFrame[]): void {
    for (const frame of frames) {
      if (frame.type !== "data") continue;
      this.#parts.set(frame.stream, [...(this.#parts.get(frame.stream) ?? []), frame.bytes]);
      if (frame.last) this.#ended.add(frame.stream);
    }
  }

  text(stream: number): string {
    return decodeUtf8(concatBytes([new Uint8Array(), ...(this.#parts.get(stream) ?? [])]));
  }

  async end(...streams: readonly number[]): Promise<void> {
    await until("the streams' ends", () => streams.every((stream) => this.#ended.has(stream)));
  }
}

function plain(socket: Socket): Streams {
  const reader = new FrameReader();
  const streams = new Streams();
  socket.on("data", (bytes: Buffer) => streams.take(reader.push(new Uint8Array(bytes))));
  return streams;
}

const spdy = ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v4.channel.k8s.io"];

/** The status line, the type of the body, and the message of the Status in it, which clients tell their users. */
async function refusal(path: string, headers: readonly string[]): Promise<{ readonly head: string; readonly message: string }> {
  const text = await upgraded(cluster.port, path, headers).then(
    () => "upgraded\r\n\r\n{}",
    (error: Error) => error.message,
  );
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const { kind, apiVersion, status, message } = JSON.parse(body);
  expect({ kind, apiVersion, status }).toEqual({ kind: "Status", apiVersion: "v1", status: "Failure" });
  return { head: `${head.split("\r\n")[0]}, ${/content-type: (.*)/i.exec(head)?.[1]}`, message };
}

describe("SPDY", () => {
  it("forwards connections inside a WebSocket, each with its own pair of streams", async () => {
    const socket = await upgraded(cluster.port, `${pod}/portforward`, webSocket("SPDY/3.1+portforward.k8s.io"));
    const messages = new FrameDecoder();
    const reader = new FrameReader();
    const streams = new Streams();
    socket.on("data", (bytes: Buffer) => {
      for (const { opcode, payload } of messages.push(new Uint8Array(bytes))) {
        if (opcode === opcodes.binary) streams.take(reader.push(payload));
      }
    });
    const writer = new FrameWriter();
    const send = (bytes: Uint8Array) => socket.write(encodeFrame(opcodes.binary, bytes, new Uint8Array([1, 2, 3, 4])));
    for (const [id, port] of [
      ["0", "80"],
      ["1", "80"],
      ["2", "81"],
    ] as const) {
      const first = Number(id) * 4 + 1;
      send(writer.open(first, { streamtype: "error", port, requestid: id }));
      send(writer.data(first, new Uint8Array(), true));
      send(writer.open(first + 2, { streamtype: "data", port, requestid: id }));
      send(writer.data(first + 2, encodeUtf8("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), false));
    }
    await streams.end(1, 3, 5, 7, 9, 11);
    for (const stream of [3, 7]) expect(streams.text(stream)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Welcome to nginx!/);
    expect([streams.text(1), streams.text(5), streams.text(11)]).toEqual(["", "", ""]);
    expect(streams.text(9)).toMatch(
      /^error forwarding port 81 to pod [0-9a-f]{64}, uid : failed to execute portforward .* connect: connection refused $/,
    );
    socket.destroy();
  });

  it("runs commands for clients without WebSocket", async () => {
    const query = "command=sh&command=-c&command=cat%3B%20echo%20oops%20%3E%262%3B%20exit%203&stdin=1&stdout=1&stderr=1";
    const socket = await upgraded(cluster.port, `${pod}/exec?${query}`, spdy);
    const streams = plain(socket);
    const writer = new FrameWriter();
    for (const [id, streamtype] of [
      [1, "error"],
      [3, "stdin"],
      [5, "stdout"],
      [7, "stderr"],
    ] as const) {
      socket.write(writer.open(id, { streamtype }));
    }
    socket.write(writer.data(3, encodeUtf8("hello"), true));
    await streams.end(1, 5, 7);
    expect([streams.text(5), streams.text(7)]).toEqual(["hello", "oops\n"]);
    expect(JSON.parse(streams.text(1))).toMatchObject({ reason: "NonZeroExitCode", details: { causes: [{ message: "3" }] } });
    socket.destroy();
  });

  it("refuses before it upgrades, with the Status that the handler answers", async () => {
    const missing = "/api/v1/namespaces/default/pods/nope/portforward";
    expect(await refusal(missing, webSocket("SPDY/3.1+portforward.k8s.io"))).toEqual({
      head: "HTTP/1.1 404 Not Found, application/json",
      message: 'pods "nope" not found',
    });
  });

  it.each([
    ["exec over SPDY", "exec?command=ls&stdout=1", spdy],
    ["exec over a WebSocket", "exec?command=ls&stdout=1", webSocket("v5.channel.k8s.io")],
    ["attach over SPDY", "attach?stdout=1", spdy],
    ["attach over a WebSocket", "attach?stdout=1", webSocket("v5.channel.k8s.io")],
    ["port-forward over SPDY", "portforward", spdy],
    ["port-forward over SPDY in a WebSocket", "portforward", webSocket("SPDY/3.1+portforward.k8s.io")],
    ["port-forward over a WebSocket", "portforward?ports=80", webSocket("v4.channel.k8s.io")],
  ])("refuses %s to a Pod without a node with a Status", async (_way, call, headers) => {
    const spec = { nodeSelector: { nowhere: "true" }, containers: [{ name: "a", image: "nginx" }] };
    const big = { apiVersion: "v1", kind: "Pod", metadata: { name: "big" }, spec };
    await ask(cluster.port, "POST", "/api/v1/namespaces/default/pods", JSON.stringify(big));
    expect(await refusal(`/api/v1/namespaces/default/pods/big/${call}`, headers)).toEqual({
      head: "HTTP/1.1 400 Bad Request, application/json",
      message: "pod big does not have a host assigned",
    });
  });
});
