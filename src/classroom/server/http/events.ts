// Server-sent events: an answer that goes on as long as the page is open.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { Refused } from "./refusals.ts";

export interface EventSource {
  /** What is to be sent, worked out when it is sent; undefined ends the answer. */
  event(): Promise<{ readonly name: string; readonly data: unknown } | undefined>;
  end(): void;
}

export interface EventTiming {
  /** No two events come closer than this. */
  readonly everyMs: number;
  /** An event comes after this time even if nothing changed; without it a line that keeps the connection open does. */
  readonly atLeastMs?: number;
  readonly log: FastifyBaseLogger;
}

const keepAliveMs = 20_000;
/** Of one person at once: some browsers with some pages each. */
const mostStreams = 30;
const streams = new Map<string, number>();

/** Sends an event at once, and then after each `changed`. */
export function sendEvents(
  { person }: FastifyRequest,
  reply: FastifyReply,
  { everyMs, atLeastMs, log }: EventTiming,
  listen: (changed: () => void) => EventSource,
): void {
  const who = person?.id ?? "";
  const open = streams.get(who) ?? 0;
  if (open >= mostStreams) throw new Refused("too-many-requests");
  const headers = {
    ...reply.getHeaders(),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  };
  reply.hijack();
  const { raw } = reply;
  // Gone before it began.
  if (raw.closed) return;
  streams.set(who, open + 1);
  raw.writeHead(200, headers as Record<string, string>);
  let due: NodeJS.Timeout | undefined;
  let sentAt = 0;
  let isBusy = false;
  let isWanted = true;

  const send = async (): Promise<void> => {
    due = undefined;
    isWanted = false;
    isBusy = true;
    try {
      const event = await source.event();
      if (event === undefined) {
        raw.end();
        return;
      }
      const { name, data } = event;
      // Who does not read is not waited for: the next event says it all again.
      if (!raw.writableNeedDrain) raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    } catch (error) {
      log.warn(error);
    }
    isBusy = false;
    sentAt = Date.now();
    if (isWanted) plan();
  };
  const plan = (): void => {
    isWanted = true;
    if (due !== undefined || isBusy || raw.closed) return;
    due = setTimeout(() => void send(), Math.max(0, sentAt + everyMs - Date.now()));
  };
  const source = listen(plan);
  const alive = setInterval(() => (atLeastMs === undefined ? raw.write(":\n\n") : plan()), atLeastMs ?? keepAliveMs);
  raw.once("close", () => {
    clearInterval(alive);
    clearTimeout(due);
    source.end();
    const left = (streams.get(who) ?? 1) - 1;
    if (left === 0) streams.delete(who);
    else streams.set(who, left);
  });
  raw.on("error", () => {});
  plan();
}
