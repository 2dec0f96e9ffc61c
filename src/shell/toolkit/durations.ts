// Spans of time as sleep and timeout take them.

/** `1.5`, `2m`, `1h30m` (busybox) in milliseconds; undefined when it is none. */
export function durationMs(text: string): number | undefined {
  if (text === "infinity" || text === "inf") return 2 ** 45;
  const match = /^(\d+\.?\d*|\.\d+)([smhd]?)$/u.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * ({ "": 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as "s"] as number);
}
