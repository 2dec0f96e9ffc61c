// Upgraded connections over TLS, as a client that waits for the socket after each message meets them.

import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { expect, it } from "vitest";
import { encodeUtf8 } from "#sim/bytes.ts";
import { makeCertificates } from "./certificates.ts";
import { upgraderFor } from "./upgrades.ts";

const end = { address: "127.0.0.1", port: 1 };
const peer = { local: end, address: end, certificate: undefined, secure: true };

it("sends what is written each in a TLS record of its own: who waits for the socket after each message misses none", async () => {
  const { serving } = makeCertificates(["127.0.0.1"], Date.now());
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }, (socket) => {
    const responder = upgraderFor(socket, { headers: {} } as IncomingMessage, new Uint8Array(), peer, (action) => action());
    const stream = responder.upgrade({});
    for (const piece of ["output", "status", "close"]) stream.write(encodeUtf8(piece));
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const records: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const client = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    client.on("data", (bytes: Buffer) => records.push(bytes.toString()));
    client.on("error", reject);
    client.on("close", () => resolve());
  });
  await new Promise((resolve) => server.close(resolve));
  expect(records.slice(1)).toEqual(["output", "status", "close"]);
});
