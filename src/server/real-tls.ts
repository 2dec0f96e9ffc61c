// Real TLS, as only real clients speak it, ends here. Inside the world a TLS connection is one whose certificates were compared; what comes
// through a forwarded port are records and handshakes, which Node's TLS reads in front of the port that they were meant for. The
// server shows a certificate with the names, the issuer and the time of the simulated one, with a key of this run.

import { Duplex } from "node:stream";
import { createSecureContext, createServer, type TLSSocket } from "node:tls";
import type { ByteStream, Certificate, ListenOptions } from "#sim/net.ts";
import { serveOverStream } from "#sim/network/http-text.ts";
import { shownTo } from "#sim/network/tls.ts";
import { type IssuedCertificate, standInFor } from "./certificates.ts";
import { certificateOf } from "./requests.ts";
import { streamOver } from "./upgrades.ts";

type Enter = (action: () => void) => void;

/** The first byte of a handshake. */
const handshakeRecord = 22;

export class RealTls {
  readonly #enter: Enter;
  readonly #clientAuthorities: readonly string[];
  readonly #standIns = new WeakMap<Certificate, IssuedCertificate>();

  /** `clientAuthorities`: PEM of those whose clients count. */
  constructor(enter: Enter, clientAuthorities: readonly string[]) {
    this.#enter = enter;
    this.#clientAuthorities = clientAuthorities;
  }

  /** A connection without TLS of the world's own has come to a port with it. */
  readonly receive = (stream: ByteStream, { tls, onStream, onHttp }: ListenOptions): void => {
    stream.onData = (first) => {
      if (first[0] !== handshakeRecord || tls === undefined) {
        stream.destroy();
        return;
      }
      const wire = duplexOver(stream, this.#enter);
      wire.push(first);
      const { certificatePem: cert, keyPem: key } = this.#standInFor(tls.certificate);
      const ca = [...this.#clientAuthorities];
      // One for each connection: Node does not tell of a secure socket which stream it is above.
      const server = createServer({
        cert,
        key,
        ca,
        requestCert: true,
        rejectUnauthorized: false,
        ALPNProtocols: ["http/1.1"],
        SNICallback: (name, done) => {
          const named = this.#standInFor(shownTo({ serverName: name }, tls));
          done(null, createSecureContext({ cert: named.certificatePem, key: named.keyPem, ca }));
        },
      });
      server.on("tlsClientError", (_error, socket: TLSSocket) => socket.destroy());
      server.on("secureConnection", (socket: TLSSocket) => {
        socket.on("error", () => undefined);
        const peer = { address: stream.peer, local: stream.local, certificate: certificateOf(socket), secure: true };
        const secure = streamOver(socket, peer, this.#enter);
        this.#enter(() => {
          if (onStream !== undefined) onStream(secure);
          else if (onHttp !== undefined) serveOverStream(secure, onHttp, peer);
        });
      });
      // Beside the world: Node answers as soon as it has read.
      setImmediate(() => server.emit("connection", wire));
    };
  };

  #standInFor(certificate: Certificate): IssuedCertificate {
    const made = this.#standIns.get(certificate) ?? standInFor(certificate, Date.now());
    this.#standIns.set(certificate, made);
    return made;
  }
}

/** A stream of the world as one of Node's. Both sides' callbacks run outside of the other's. */
export function duplexOver(stream: ByteStream, enter: Enter): Duplex {
  let ended = false;
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      setImmediate(() => {
        enter(() => stream.write(new Uint8Array(bytes)));
        done();
      });
    },
    final: (done) => {
      setImmediate(() => {
        enter(() => stream.end());
        done();
      });
    },
    destroy: (error, done) => {
      setImmediate(() => enter(() => (ended ? stream.end() : stream.destroy())));
      done(error);
    },
  });
  duplex.on("error", () => undefined);
  stream.onData = (bytes) => void setImmediate(() => duplex.push(bytes));
  stream.onEnd = () => {
    ended = true;
    setImmediate(() => duplex.push(null));
  };
  stream.onClose = () => void setImmediate(() => duplex.destroy());
  return duplex;
}
