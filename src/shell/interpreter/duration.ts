// Durations as `time` and `times` print them.

export function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes}m${((ms - minutes * 60_000) / 1000).toFixed(3)}s`;
}
