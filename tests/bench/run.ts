// `npm run bench`: prints the figures of the quality bars as a table. Figures, not timed tests: machines differ.

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** At most this much, where the design sets a bar. */
  readonly bar?: number;
}

/** The median of `runs` timings of `action` in milliseconds. */
export function medianMs(runs: number, action: () => void): number {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = process.cpuUsage();
    action();
    const used = process.cpuUsage(started);
    times.push((used.user + used.system) / 1000);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] as number;
}
