// What every bench file shares: a figure, CPU time, medians.

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** At most this much, where the design sets a bar. */
  readonly bar?: number;
  /** At least this much, where more is better. */
  readonly floor?: number;
}

/** What a suite needs is not there, and where it is to be had. Said in the figures' place. */
export class CannotMeasure extends Error {}

/** CPU time that `action` used, in milliseconds, garbage collection included. */
export function cpuMs(action: () => void): number {
  const started = process.cpuUsage();
  action();
  const used = process.cpuUsage(started);
  return (used.user + used.system) / 1000;
}

export function median(runs: number, measure: () => number): number {
  return medianOf(Array.from({ length: runs }, measure));
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
