// What becomes of a line of the audit log: cut short where it is too long, collected in batches, and written.

import type { Simulation, Timer } from "#sim/simulation.ts";
import type { LogSettings } from "./log-settings.ts";

/** An event, in the forms in which it may be needed. */
export interface WrittenEvent {
  readonly hasObjects: boolean;
  /** With a line feed. */
  json(): string;
  withoutObjects(): string;
  /** Without one. */
  legacy(): string;
  /** Why it cannot be written as JSON. */
  readonly fault: string | undefined;
}

export interface EventWriter {
  write(event: WrittenEvent): void;
  close(): void;
}

/** Where lines go. Throws an error of ours. */
export type LineSink = (line: string) => void;

export class LogWriter implements EventWriter {
  readonly #simulation: Simulation;
  readonly #settings: LogSettings;
  readonly #sink: LineSink;
  readonly #onFault: (text: string) => void;
  #waiting: WrittenEvent[] = [];
  #timer: Timer | undefined;

  /** `onFault` gets what upstream logs of events that are lost. */
  constructor(simulation: Simulation, settings: LogSettings, sink: LineSink, onFault: (text: string) => void) {
    this.#simulation = simulation;
    this.#settings = settings;
    this.#sink = sink;
    this.#onFault = onFault;
  }

  write(event: WrittenEvent): void {
    const fitting = this.#fitting(event);
    if (fitting === undefined) return;
    const { mode, batchMaxSize, batchMaxWaitMs } = this.#settings;
    if (mode !== "batch" || batchMaxSize <= 1 || batchMaxWaitMs <= 0) {
      this.#put(fitting);
      return;
    }
    // Its text is that of now: an event goes on to change.
    const [json, legacy] = [fitting.json(), fitting.legacy()];
    this.#waiting.push({ ...fitting, json: () => json, legacy: () => legacy });
    if (this.#waiting.length >= batchMaxSize) this.#flush();
    else this.#timer ??= this.#simulation.after(batchMaxWaitMs, () => this.#flush(), { background: true });
  }

  close(): void {
    this.#flush();
  }

  /** What waits is written now. */
  #flush(): void {
    this.#simulation.cancel(this.#timer);
    this.#timer = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#put(event);
  }

  #fitting(event: WrittenEvent): WrittenEvent | undefined {
    const { truncates, maxEventBytes } = this.#settings;
    if (!truncates || event.fault !== undefined || byteLength(event.json()) <= maxEventBytes) return event;
    const shorter = event.hasObjects ? event.withoutObjects() : event.json();
    if (byteLength(shorter) <= maxEventBytes) return { ...event, json: () => shorter, legacy: () => event.legacy() };
    this.#lose("truncate", "event is too large even after truncating", event);
    return undefined;
  }

  #put(event: WrittenEvent): void {
    const isJson = this.#settings.format === "json";
    if (isJson && event.fault !== undefined) {
      this.#lose("log", event.fault, event);
      return;
    }
    try {
      this.#sink(isJson ? event.json() : `${event.legacy()}\n`);
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      this.#lose("log", error.message, event);
    }
  }

  #lose(plugin: string, cause: string, event: WrittenEvent): void {
    this.#onFault(`Error in audit plugin '${plugin}' affecting 1 audit events: ${cause}\nImpacted events:\n${event.legacy()}\n`);
  }
}

/** Why a line could not be written, in Go's words. */
export class LogFault extends Error {}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
