import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";
import { Random } from "../random.ts";
import { Simulation } from "../simulation.ts";
import { createStreamPair } from "./streams.ts";
import { encodeFrame, FrameDecoder, opcodes, WebSocket } from "./websocket.ts";

function pair() {
  const simulation = new Simulation({ startMs: 0, seed: 1 });
  const endpoint = { address: "127.0.0.1", port: 1 };
  const streams = createStreamPair(simulation, { client: endpoint, server: endpoint });
  return { simulation, client: new WebSocket(streams.client, simulation.random), server: new WebSocket(streams.server) };
}

describe("WebSocket", () => {
  it("frames as RFC 6455's examples show", () => {
    const mask = new Uint8Array([0x37, 0xfa, 0x21, 0x3d]);
    expect([...encodeFrame(opcodes.text, encodeUtf8("Hello"))]).toEqual([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]);
    expect([...encodeFrame(opcodes.text, encodeUtf8("Hello"), mask)]).toEqual([
      0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
    ]);
  });

  it("gives back frames of any size, cut anywhere", () => {
    const random = new Random(1);
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 125, 126, 65_535, 65_536),
        fc.integer({ min: 1, max: 40_000 }),
        fc.boolean(),
        (length, cut, masked) => {
          const payload = Uint8Array.from({ length }, () => random.below(256));
          const frame = encodeFrame(opcodes.binary, payload, masked ? new Uint8Array([1, 2, 3, 4]) : undefined);
          const decoder = new FrameDecoder();
          const frames = [];
          for (let at = 0; at < frame.length; at += cut) frames.push(...decoder.push(frame.subarray(at, at + cut)));
          expect(frames.length).toBe(1);
          expect(Buffer.compare(frames[0]?.payload ?? encodeUtf8("?"), payload)).toBe(0);
        },
      ),
    );
  });

  it("carries messages both ways and closes with a code", () => {
    const { simulation, client, server } = pair();
    const log: string[] = [];
    server.onMessage = (payload, text) => {
      log.push(`server ${decodeUtf8(payload)} ${text}`);
      server.send(new Uint8Array([104, 105]));
    };
    client.onMessage = (payload, text) => {
      log.push(`client ${decodeUtf8(payload)} ${text}`);
      client.close(1000);
    };
    client.onClose = (code) => log.push(`client closed ${code}`);
    server.onClose = (code) => log.push(`server closed ${code}`);
    client.send("ls");
    simulation.advance(10);
    expect(log).toEqual(["server ls true", "client hi false", "server closed 1000", "client closed 1000"]);
  });
});
