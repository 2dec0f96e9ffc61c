// Times in container logs have nanoseconds: below the millisecond of the simulation they only keep lines in order.

import { formatMicroTime } from "#cluster/api/time.ts";
import type { Bytes } from "#sim/bytes.ts";

/** Of `2026-01-01T00:00:00.123000045Z`. */
export const timeBytes = 30;
/** Up to the millisecond. */
const coarseBytes = 23;
const zero = 0x30;
const letterZ = 0x5a;
/** Between two lines of one millisecond. */
const stepNanoseconds = 1_009;
const nanosecondsPerMillisecond = 1_000_000;

/** `2026-01-01T00:00:00.123000000Z` */
export function formatLogTimeOf(timeMs: number): string {
  return `${formatMicroTime(timeMs).slice(0, coarseBytes)}000000Z`;
}

/** A time up to the millisecond, the one that was written last: logs of many containers have lines of the same moment. */
const coarse = new Uint8Array(coarseBytes);
let coarseMs = Number.NaN;

function coarseOf(timeMs: number): Bytes {
  if (timeMs !== coarseMs) {
    const text = formatMicroTime(timeMs);
    for (let at = 0; at < coarseBytes; at += 1) coarse[at] = text.charCodeAt(at);
    coarseMs = timeMs;
  }
  return coarse;
}

/** The clock of one log: no line has an earlier time than the one before it. */
export class LogClock {
  #timeMs = Number.NaN;
  #finer = 0;
  #lines = 0;

  /** Writes the time of the next line to `target` from `offset` on. */
  write(target: Bytes, offset: number, timeMs: number): void {
    this.#lines += 1;
    if (timeMs === this.#timeMs) this.#finer = Math.min(this.#finer + stepNanoseconds, nanosecondsPerMillisecond - 1);
    else {
      this.#timeMs = timeMs;
      this.#finer = (this.#lines * 7919) % (nanosecondsPerMillisecond / 2);
    }
    target.set(coarseOf(timeMs), offset);
    let left = this.#finer;
    for (let at = offset + timeBytes - 2; at >= offset + coarseBytes; at -= 1) {
      target[at] = zero + (left % 10);
      left = Math.floor(left / 10);
    }
    target[offset + timeBytes - 1] = letterZ;
  }
}
