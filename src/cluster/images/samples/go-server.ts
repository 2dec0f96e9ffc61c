// What the small servers written in Go share: net/http's answers and the log package's lines.

import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { TlsServer } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { httpDate, slashedDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { atTheCostOf, ProcessorTime } from "../processor-time.ts";

/** `text/plain` unless another type is given. */
export function answerText(
  self: Process,
  responder: HttpResponder,
  status: number,
  text: string,
  headers: { readonly [name: string]: string } = {},
): void {
  const body = encodeUtf8(text);
  const own = { date: httpDate(self.nowMs), "content-length": String(body.length), "content-type": "text/plain; charset=utf-8" };
  responder.reply(status, { ...own, ...headers }, body);
}

export function logLine(self: Process, text: string): void {
  writeWithoutWaiting(self, 2, `${slashedDate(self.nowMs)} ${text}\n`);
}

/** Query parameters, decoded; the last of a name counts. */
export function parametersOf(target: string): ReadonlyMap<string, string> {
  const at = target.indexOf("?");
  const pairs = at < 0 ? [] : target.slice(at + 1).split("&");
  return new Map(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decoded(name), decoded(value.join("="))] as const;
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Microseconds of a processor. */
const unitsPerAnswer = 50;

export type Answer = (request: HttpRequest, peer: HttpPeer, responder: HttpResponder) => void;

/** Where a server listens beside its port. */
export interface Place {
  readonly address?: string;
  readonly tls?: TlsServer;
}

/** Serves until a signal ends it; the log line and status 1 when the port is taken. */
export function* serve(self: Process, port: number, answer: Answer, place: Place = {}): Sys<number> {
  if (!listen(self, port, answer, place)) return 1;
  return yield* untilSignalled(self, () => self.pause());
}

/**
 * A Go program has handlers for signals that it does not ask for: they end it. What the kernel keeps from killing a container's first
 * process makes it exit with 2 (runtime.dieFromSignal).
 */
export function* untilSignalled(self: Process, body: () => Sys<number>): Sys<number> {
  if (self.pid === 1) for (const signal of ["TERM", "INT", "HUP"] as const) self.setSignal(signal, "catch");
  try {
    return yield* body();
  } catch (error) {
    if (error instanceof SysError && error.code === "EINTR") return 2;
    throw error;
  }
}

/** False, and said so in the log, when the port is taken. */
export function listen(self: Process, port: number, answer: Answer, place: Place = {}): boolean {
  try {
    self.serveHttp({ ...place, port, handler: atTheCostOf(unitsPerAnswer, new ProcessorTime(self, self.processors), answer) });
    return true;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const reason = error.code === "EACCES" ? "permission denied" : "address already in use";
    logLine(self, `listen tcp ${place.address ?? ""}:${port}: bind: ${reason}`);
    return false;
  }
}
