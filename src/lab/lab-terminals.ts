// The terminals of a lab, on the page's side: which there are, which a screen shows, and what is typed before there is a world.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { WorldInput } from "#world/input.ts";
import type { WorkerMessage } from "./protocol.ts";
import type { SessionState, TerminalPort } from "./session.ts";
import { TerminalLine } from "./terminal-line.ts";
import { TypedAhead } from "./typed-ahead.ts";

/** What terminals need of their session. */
export interface TerminalsSession {
  state(): SessionState["kind"];
  /** To the world, which is there. */
  input(input: WorldInput): void;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

export class LabTerminals {
  readonly #session: TerminalsSession;
  readonly #lines = new Map<string, TerminalLine>();
  /** Terminals that a screen shows or has shown; others exist in the world alone, as after a replay. */
  readonly #onScreen = new Set<string>();
  /** Terminals of the last visit that no screen has taken yet. */
  readonly #detached: Signal<readonly string[]> = signal([]);
  readonly left: ReadonlySignal<number> = computed(() => this.#detached.value.length);
  readonly #typedAhead = new TypedAhead();
  readonly typedAhead: ReadonlySignal<boolean> = this.#typedAhead.any;
  #next = 1;
  #lastUsed: string | undefined;

  constructor(session: TerminalsSession) {
    this.#session = session;
  }

  open(size: Size): TerminalPort {
    const [left, ...others] = this.#detached.value;
    this.#detached.value = others;
    const line = (left === undefined ? undefined : this.#lines.get(left)) ?? this.#newLine(size);
    this.#lastUsed = line.id;
    this.#onScreen.add(line.id);
    if (left !== undefined) line.resize(size);
    return line;
  }

  /** Into the terminal that was used last, with Enter. */
  run(command: string): void {
    const line = this.#lastUsed === undefined ? undefined : this.#lines.get(this.#lastUsed);
    line?.write(`${command.trimEnd().replaceAll("\n", "\r")}\r`);
  }

  receive(message: Extract<WorkerMessage, { readonly kind: "output" | "canonical" | "closed" }>): void {
    switch (message.kind) {
      case "output":
        this.#lineOf(message.terminal).receive(message.bytes);
        break;
      case "canonical":
        this.#lineOf(message.terminal).canonical.value = message.canonical;
        break;
      case "closed":
        this.#lines.get(message.terminal)?.end();
        this.#lines.delete(message.terminal);
        this.#onScreen.delete(message.terminal);
        break;
    }
  }

  /** `open`: those that the world has, from a journal that was replayed. */
  know(open: readonly string[]): void {
    for (const id of open) this.#next = Math.max(this.#next, Number(id) + 1);
    for (const id of open) this.#lineOf(id);
    this.#detached.value = open.filter((id) => !this.#onScreen.has(id));
  }

  /** There is a world: it is told of the screens that were there first, and of what was typed meanwhile. */
  begin(open: readonly string[]): void {
    // Terminals of a new world, or asked for while it was starting.
    for (const id of this.#onScreen) {
      const line = this.#lineOf(id);
      this.#give(open.includes(id) ? line.resizeInput() : line.openInput());
    }
    for (const input of this.#typedAhead.take((id) => this.#lines.has(id), open[0])) this.#give(input);
  }

  /** Another run takes the place of this one: what was typed was not meant for it. */
  dropTyped(): void {
    this.#typedAhead.drop();
  }

  /** A new worker: screens that are there stay and begin empty. */
  clear(): void {
    for (const line of this.#lines.values()) line.clear();
  }

  /** Nobody reads: the notice of the failure stands over the screens. */
  release(): void {
    for (const line of this.#lines.values()) line.canonical.value = true;
  }

  #newLine(size: Size): TerminalLine {
    const line = this.#lineOf(String(this.#next++));
    line.size = size;
    if (this.#session.state() === "ready") this.#give(line.openInput());
    return line;
  }

  #lineOf(id: string): TerminalLine {
    const known = this.#lines.get(id);
    if (known !== undefined) return known;
    const line = new TerminalLine(id, {
      input: (input) => this.#give(input),
      used: () => {
        this.#lastUsed = id;
      },
    });
    this.#lines.set(id, line);
    return line;
  }

  /** An input of the learner's: to the world, or kept until there is one. */
  #give(input: WorldInput): void {
    const state = this.#session.state();
    if (state === "ready") this.#session.input(input);
    else if (state === "starting") this.#typedAhead.keep(input);
  }
}
