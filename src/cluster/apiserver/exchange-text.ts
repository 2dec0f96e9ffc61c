// The body of another server's reply as text, when all of it has come.

import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import type { HttpExchange } from "#sim/http.ts";

/** To be called in the callback that delivers the exchange. */
export function readText(exchange: HttpExchange, done: (text: string) => void): void {
  if (exchange.body !== undefined) {
    done(decodeUtf8(exchange.body));
    return;
  }
  const pieces: Bytes[] = [];
  exchange.onData = (piece) => void pieces.push(piece);
  exchange.onEnd = () => done(decodeUtf8(concatBytes(pieces)));
}
