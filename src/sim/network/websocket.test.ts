import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes, decodeUtf8, encodeUtf8 } from "../bytes.ts";
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

  it("gives back frames of any size, one behind the other, cut anywhere", () => {
    const random = new Random(1);
    const noise = Uint8Array.from({ length: 65_536 }, () => random.below(256));
    const lengths = fc.array(fc.constantFrom(0, 1, 125, 126, 65_535, 65_536), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 40_000 }), fc.boolean(), (all, cut, masked) => {
        const payloads = all.map((length) => noise.subarray(0, length));
        const mask = masked ? new Uint8Array([1, 2, 3, 4]) : undefined;
        const bytes = concatBytes(payloads.map((payload) => encodeFrame(opcodes.binary, payload, mask)));
        const decoder = new FrameDecoder();
        const frames = [];
        for (let at = 0; at < bytes.length; at += cut) frames.push(...decoder.push(bytes.subarray(at, at + cut)));
        expect(frames.map(({ payload }) => payload.length)).toEqual(all);
        for (const [index, { payload }] of frames.entries()) {
          expect(Buffer.compare(payload, payloads[index] ?? encodeUtf8("?"))).toBe(0);
        }
      }),
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
