// Spans of time: as kubectl prints ages, and as Go writes durations in flags, configuration and messages.

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** An age as kubectl prints it (`5s`, `2m5s`, `3h12m`, `5d`, `2y30d`); rules of apimachinery's duration.HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(ms / hourMs);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return withRest(days, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

function withRest(amount: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${amount}${unit}` : `${amount}${unit}${rest}${restUnit}`;
}

/** An age in one unit, as older printers write it; rules of duration.ShortHumanDuration. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(ms / hourMs);
  if (hours < 24) return `${hours}h`;
  return hours < 24 * 365 ? `${Math.floor(hours / 24)}d` : `${Math.floor(hours / 24 / 365)}y`;
}

/** A duration as Go's time.Duration prints itself: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatGoDuration(ms: number): string {
  const nanos = Math.round(Math.abs(ms) * 1e6);
  const sign = ms < 0 ? "-" : "";
  if (nanos === 0) return "0s";
  if (nanos < 1e3) return `${sign}${nanos}ns`;
  if (nanos < 1e6) return `${sign}${decimal(nanos, 3)}µs`;
  if (nanos < 1e9) return `${sign}${decimal(nanos, 6)}ms`;
  const wholeSeconds = Math.floor(nanos / 1e9);
  const seconds = `${decimal((wholeSeconds % 60) * 1e9 + (nanos % 1e9), 9)}s`;
  const minutes = Math.floor(wholeSeconds / 60);
  if (minutes === 0) return sign + seconds;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60}m${seconds}`;
}

function decimal(value: number, places: number): string {
  const divisor = Number(`1e${places}`);
  const fraction = String(value % divisor)
    .padStart(places, "0")
    .replace(/0+$/, "");
  const whole = Math.floor(value / divisor);
  return fraction === "" ? String(whole) : `${whole}.${fraction}`;
}

const unitsMs: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: minuteMs,
  h: hourMs,
};

export type ParsedDuration = { readonly ms: number } | { readonly error: string };

/** A duration in Go's notation (`1h30m`, `10s`, `1.5h`), with the error texts of time.ParseDuration. */
export function parseGoDuration(text: string): ParsedDuration {
  const invalid = { error: `time: invalid duration ${JSON.stringify(text)}` };
  let rest = text.replace(/^[+-]/, "");
  const sign = text.startsWith("-") ? -1 : 1;
  if (rest === "0") return { ms: 0 };
  if (rest === "") return invalid;
  let total = 0;
  while (rest !== "") {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest);
    if (number === null) return invalid;
    rest = rest.slice(number[0].length);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? "";
    if (unit === "") return { error: `time: missing unit in duration ${JSON.stringify(text)}` };
    const unitMs = Object.hasOwn(unitsMs, unit) ? unitsMs[unit] : undefined;
    if (unitMs === undefined) return { error: `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}` };
    total += Number(number[0]) * unitMs;
    rest = rest.slice(unit.length);
  }
  return { ms: sign * total };
}
