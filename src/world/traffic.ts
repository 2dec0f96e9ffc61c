// Steady clients: each sends a request every so often, from its place, to its URL, and counts what comes back.

import { Listeners } from "#sim/listeners.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type BrowsedPage, fetchPage } from "./browser.ts";
import type { UnseenClients } from "./unseen-clients.ts";

export interface TrafficClient {
  readonly name: string;
  /** As in `UnseenClients.start`. */
  readonly from: string;
  readonly url: string;
  readonly everyMs: number;
}

export interface TrafficCounts {
  /** Requests that have ended. */
  readonly sent: number;
  /** Of them, those without an answer in time or with a code from 400 on. */
  readonly failed: number;
}

/** Longer than any answer takes that a person would wait for. */
const patienceMs = 2000;

export class Traffic {
  readonly #simulation: Simulation;
  readonly #clients: UnseenClients;
  readonly #counts = new Map<string, TrafficCounts>();
  #isStopped = false;
  /** A request has failed. */
  readonly onFailure = new Listeners();

  constructor(simulation: Simulation, clients: UnseenClients) {
    this.#simulation = simulation;
    this.#clients = clients;
  }

  get counts(): { readonly [name: string]: TrafficCounts } {
    return Object.fromEntries(this.#counts);
  }

  start(client: TrafficClient): void {
    this.#counts.set(client.name, { sent: 0, failed: 0 });
    const next = (): void => {
      if (this.#isStopped) return;
      this.#send(client);
      this.#simulation.after(client.everyMs, next, { background: true });
    };
    next();
  }

  /** Nobody counts any more. */
  stop(): void {
    this.#isStopped = true;
  }

  #send({ name, from, url }: TrafficClient): void {
    const get = fetchPage(url, (page) => this.#count(name, isGood(page)), {
      timeoutMs: patienceMs,
      userAgent: "steady-client",
      follows: false,
    });
    if (!this.#clients.start(from, get)) this.#count(name, false);
  }

  #count(name: string, good: boolean): void {
    const { sent, failed } = this.#counts.get(name) as TrafficCounts;
    this.#counts.set(name, { sent: sent + 1, failed: failed + (good ? 0 : 1) });
    if (!good) this.onFailure.tell();
  }
}

function isGood(page: BrowsedPage): boolean {
  return page.kind === "page" && page.status < 400;
}
