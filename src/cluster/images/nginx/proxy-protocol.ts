// The first version of the PROXY protocol, which stands before HTTP on ports with `proxy_protocol`: one line that says whose
// connection a proxy passes on. `PROXY TCP4 192.0.2.202 10.0.42.7 12345 80`, CR, LF.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpPeer } from "#sim/http.ts";
import type { ByteStream, Endpoint } from "#sim/net.ts";
import type { ErrorLog } from "./error-log.ts";
import type { ProxiedPeer } from "./proxied-peer.ts";
import type { SharedCounts } from "./server.ts";

const line = /^PROXY (?:UNKNOWN[^\r\n]*|TCP[46] ([\da-fA-F.:]+) ([\da-fA-F.:]+) (\d{1,5}) (\d{1,5}))\r\n/;

/** Of one port. */
export class ProxyHeaders {
  /** The worker's that answers. */
  answerer: { readonly log: ErrorLog; readonly counts: SharedCounts } | undefined;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  readonly read = (stream: ByteStream, serve: (peer: HttpPeer) => void): void => {
    stream.onData = (bytes) => {
      const text = decodeUtf8(bytes);
      const match = line.exec(text);
      if (match === null) {
        this.#complain(text, stream.peer);
        // It goes with bytes unread, which the other side is told as a reset.
        stream.destroy();
        return;
      }
      const [whole, sourceAddress, targetAddress, sourcePort, targetPort] = match;
      const proxied =
        sourceAddress === undefined || targetAddress === undefined
          ? undefined
          : {
              source: { address: sourceAddress, port: Number(sourcePort) },
              target: { address: targetAddress, port: Number(targetPort) },
            };
      const peer: ProxiedPeer = { address: stream.peer, local: stream.local, certificate: undefined, secure: false, proxied };
      serve(peer);
      if (bytes.length > whole.length) stream.onData?.(bytes.subarray(whole.length));
    };
  };

  #complain(text: string, client: Endpoint): void {
    if (this.answerer === undefined) return;
    const { log, counts } = this.answerer;
    counts.requests += 1;
    const first = text.split(/[\r\n]/, 1)[0];
    const where = `client: ${client.address}, server: 0.0.0.0:${this.#port}`;
    log.write("error", `*${counts.requests} broken header: "${first}" while reading PROXY protocol, ${where}`);
  }
}
