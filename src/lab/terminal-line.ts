// The page's end of one terminal: buffers output until a screen listens, and remembers its size for a restart.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { WorldInput } from "#world/input.ts";
import type { TerminalPort } from "./session.ts";

export interface TerminalLineEvents {
  readonly input: (input: WorldInput) => void;
  /** Its keyboard was used. */
  readonly used: () => void;
}

export class TerminalLine implements TerminalPort {
  readonly id: string;
  readonly title: ReadonlySignal<string>;
  readonly #ended = signal(false);
  readonly ended: ReadonlySignal<boolean> = this.#ended;
  readonly canonical: Signal<boolean> = signal(false);
  size: { readonly columns: number; readonly rows: number } = { columns: 80, rows: 24 };
  readonly #events: TerminalLineEvents;
  #listener: ((data: Uint8Array) => void) | undefined;
  #buffer: Uint8Array[] = [];

  constructor(id: string, events: TerminalLineEvents) {
    this.id = id;
    this.title = signal(id);
    this.#events = events;
  }

  write(data: string | Uint8Array): void {
    this.#events.used();
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    this.#events.input({ kind: "terminal-input", terminal: this.id, text });
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    if (size.columns === this.size.columns && size.rows === this.size.rows) return;
    this.size = size;
    this.#events.input(this.resizeInput());
  }

  onOutput(listener: (data: Uint8Array) => void): void {
    this.#listener = listener;
    const waiting = this.#buffer;
    this.#buffer = [];
    for (const data of waiting) listener(data);
  }

  close(): void {
    this.#events.input({ kind: "terminal-close", terminal: this.id });
  }

  openInput(): WorldInput {
    return { kind: "terminal-open", terminal: this.id, ...this.size };
  }

  resizeInput(): WorldInput {
    return { kind: "terminal-resize", terminal: this.id, ...this.size };
  }

  receive(data: Uint8Array): void {
    if (this.#listener === undefined) this.#buffer.push(data);
    else this.#listener(data);
  }

  end(): void {
    this.#ended.value = true;
  }

  /** A new world: the screen starts empty (RIS, the terminal's full reset), and who will read it is not known. */
  clear(): void {
    this.canonical.value = false;
    this.receive(new TextEncoder().encode("\u001bc"));
  }
}
