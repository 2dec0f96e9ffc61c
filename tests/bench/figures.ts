// What every bench file shares: a figure, CPU time, medians.

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** At most this much, where the design sets a bar. */
  readonly bar?: number;
}

/** CPU time that `action` used, in milliseconds, garbage collection included. */
export function cpuMs(action: () => void): number {
  const started = process.cpuUsage();
  action();
  const used = process.cpuUsage(started);
  return (used.user + used.system) / 1000;
}

export function median(runs: number, measure: () => number): number {
  return Array.from({ length: runs }, measure).sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
}
