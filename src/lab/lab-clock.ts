// The clock of a lab's world, as the page shows and turns it.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClockReport, PageMessage } from "./protocol.ts";
import type { ClockVerbs, ClockView, Speed } from "./session.ts";

export class LabClock implements ClockVerbs {
  readonly #post: (message: PageMessage) => void;
  readonly #report: Signal<ClockReport>;
  readonly #speed: Signal<Speed> = signal(1);
  readonly #paused = signal(false);
  readonly view: ReadonlySignal<ClockView>;

  constructor(nowMs: number, post: (message: PageMessage) => void) {
    this.#post = post;
    this.#report = signal({ nowMs, eventsPerSecond: 0, context: "", namespace: "" });
    this.view = computed(() => ({ ...this.#report.value, speed: this.#speed.value, paused: this.#paused.value }));
  }

  get nowMs(): number {
    return this.#report.value.nowMs;
  }

  setSpeed(speed: Speed): void {
    this.#speed.value = speed;
    this.#post({ kind: "speed", speed });
  }

  setPaused(paused: boolean): void {
    this.#paused.value = paused;
    this.#post({ kind: "pause", paused });
  }

  skip(durationMs: number): void {
    this.#post({ kind: "skip", durationMs });
  }

  step(to: "instant" | "write"): void {
    this.setPaused(true);
    this.#post({ kind: "step", to });
  }

  receive(report: ClockReport): void {
    this.#report.value = report;
  }

  /** Another run takes the place of this one. */
  moveTo(nowMs: number): void {
    this.#report.value = { ...this.#report.value, nowMs };
  }

  /** A new worker, whose clock runs as all do at first. */
  beginAgain(): void {
    this.#speed.value = 1;
    this.#paused.value = false;
  }
}
