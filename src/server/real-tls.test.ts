// A real TLS client through a plain stream to a port with TLS of the world's own.

import { connect, type TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpPeer } from "#sim/http.ts";
import type { ByteStream, Certificate } from "#sim/net.ts";
import { LoopbackNetwork } from "#sim/network/loopback.ts";
import { Simulation } from "#sim/simulation.ts";
import { makeCertificates } from "./certificates.ts";
import { duplexOver, RealTls } from "./real-tls.ts";

const own: Certificate = {
  commonName: "node-1@1",
  organizations: [],
  alternativeNames: ["localhost", "node-1", "127.0.0.1"],
  issuer: "node-1-ca@1",
  notBeforeMs: 0,
  notAfterMs: Number.MAX_SAFE_INTEGER,
};

const other: Certificate = { ...own, commonName: "web", alternativeNames: ["web.example.com"], issuer: "shop" };

function start() {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const network = new LoopbackNetwork(simulation);
  const peers: HttpPeer[] = [];
  network.listen({
    port: 10257,
    tls: { certificate: own, certificateFor: (name) => (name === "web.example.com" ? other : undefined) },
    onHttp: (_request, peer, responder) => {
      peers.push(peer);
      responder.reply(200, { "content-type": "text/plain" }, encodeUtf8("ok"));
    },
  });
  const enter = (action: () => void): void => {
    action();
    simulation.runUntilIdle({ limitMs: 1_000 });
  };
  const certificates = makeCertificates(["localhost"], Date.now());
  simulation.readTls = new RealTls(enter, [certificates.authorityPem]).receive;
  const dial = (): ByteStream => {
    let stream: ByteStream | undefined;
    network.connect({ address: "127.0.0.1", port: 10257 }, {}, (result) => {
      if (result.ok) stream = result.stream;
    });
    simulation.runUntilIdle({ limitMs: 1_000 });
    if (stream === undefined) throw new Error("nothing listens");
    return stream;
  };
  return { simulation, peers, certificates, enter, dial };
}

/** What a TLS client reads until the end of the connection. */
function ask(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("secureConnect", () => socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}

it("reads real TLS, shows the server's names, and tells the server whose certificate the client has", async () => {
  const { peers, certificates, enter, dial } = start();
  const { administrator } = certificates;
  const socket = connect({
    socket: duplexOver(dial(), enter),
    servername: "localhost",
    rejectUnauthorized: false,
    cert: administrator.certificatePem,
    key: administrator.keyPem,
  });
  const text = await ask(socket);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toMatch(/\r\n\r\nok$/);
  expect(peers).toHaveLength(1);
  expect(peers[0]).toMatchObject({ secure: true, certificate: { commonName: "kubernetes-admin" } });
  expect(peers[0]?.certificate?.isSignedBy?.(own)).toBe(true);
});

it("shows a certificate with the names and the issuer of the simulated one", async () => {
  const { enter, dial } = start();
  const socket = connect({ socket: duplexOver(dial(), enter), servername: "localhost", rejectUnauthorized: false });
  const text = ask(socket);
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  const shown = socket.getPeerCertificate();
  expect([shown.subject.CN, shown.issuer.CN]).toEqual(["node-1@1", "node-1-ca@1"]);
  expect(shown.subjectaltname).toBe("DNS:localhost, DNS:node-1, IP Address:127.0.0.1");
  await text;
});

it("[NET-221] shows the certificate for the name that the client asks for", async () => {
  const { enter, dial } = start();
  const socket = connect({ socket: duplexOver(dial(), enter), servername: "web.example.com", rejectUnauthorized: false });
  const text = ask(socket);
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  expect(socket.getPeerCertificate().subject.CN).toBe("web");
  await text;
});

it("hangs up on what is no handshake", () => {
  const { simulation, enter, dial } = start();
  const stream = dial();
  let closed = false;
  stream.onClose = () => {
    closed = true;
  };
  enter(() => stream.write(encodeUtf8("GET / HTTP/1.1\r\n\r\n")));
  simulation.runUntilIdle({ limitMs: 1_000 });
  expect(closed).toBe(true);
});
