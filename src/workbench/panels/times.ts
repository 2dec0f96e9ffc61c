// Cluster times as texts: UTC, as in the cluster's own logs.

/** `09:05:12` */
export function clockText(timeMs: number): string {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString().slice(11, 19) : "";
}

/** `09:05:12.345` */
export function fineClockText(timeMs: number): string {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString().slice(11, 23) : "";
}

/** Since an earlier moment, with a unit that fits: `+0 ms`, `+340 ms`, `+1.2 s`, `+3 min 20 s`. */
export function sinceText(durationMs: number, language: string): string {
  const number = (value: number, unit: "millisecond" | "second" | "minute", digits = 0): string =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits }).format(value);
  if (durationMs < 1000) return `+${number(durationMs, "millisecond")}`;
  if (durationMs < 60_000) return `+${number(durationMs / 1000, "second", 1)}`;
  const minutes = Math.floor(durationMs / 60_000);
  return `+${number(minutes, "minute")} ${number(Math.round((durationMs % 60_000) / 1000), "second")}`;
}
