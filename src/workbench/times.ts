// Cluster times as texts: UTC, as in the cluster's own logs.

import type { Locale } from "../i18n/locales.ts";

/** `09:05:12` */
export function clockText(timeMs: number): string {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString().slice(11, 19) : "";
}

/** `09:05:12.345` */
export function fineClockText(timeMs: number): string {
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString().slice(11, 23) : "";
}

/** Between number and unit, as each language sets it. */
const spaces: Readonly<Record<Locale, string>> = { fr: "\u202f", es: "\u202f", zh: " ", ja: "" };

/** Since an earlier moment, with a unit that fits: `+0 ms`, `+340 ms`, `+1.2 s`, `+3 min 20 s`. */
export function sinceText(durationMs: number, locale: Locale): string {
  const number = (value: number, unit: string): string => {
    const text = String(Math.round(value * 10) / 10);
    // The course's Spanish writes a decimal point, as its YAML does.
    return `${locale === "fr" ? text.replace(".", ",") : text}${spaces[locale]}${unit}`;
  };
  if (durationMs < 1000) return `+${number(durationMs, "ms")}`;
  if (durationMs < 60_000) return `+${number(durationMs / 1000, "s")}`;
  const seconds = Math.round(durationMs / 1000);
  return `+${number(Math.floor(seconds / 60), "min")} ${number(seconds % 60, "s")}`;
}
