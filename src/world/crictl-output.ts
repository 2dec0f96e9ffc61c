// How crictl writes: columns of a tabwriter, sizes and ages of docker/go-units, messages of logrus.

import { formatTime } from "#cluster/api/time.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import type { Process, Sys } from "#sim/program.ts";

const minimumWidth = 20;
const padding = 3;
const truncatedIdLength = 13;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Rows of equally many cells; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(minimumWidth, ...rows.map((row) => (row[column] ?? "").length + padding)),
  );
  return rows
    .map((row) => `${row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join("")}\n`)
    .join("");
}

/** The first thirteen digits, without the name of the hash. */
export function shortId(id: string): string {
  return id.replace(/^sha256:/u, "").slice(0, truncatedIdLength);
}

/** `59.8MB`: three digits, thousands. */
export function humanSize(bytes: number): string {
  return sizeWith(3, bytes);
}

/** The same with four digits. */
export function preciseSize(bytes: number): string {
  return sizeWith(4, bytes);
}

function sizeWith(digits: number, bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit += 1) size /= 1000;
  return `${Number(size.toPrecision(digits))}${units[unit]}`;
}

/** `About an hour`, `3 days`. */
export function humanAge(ms: number): string {
  const seconds = Math.floor(ms / second);
  const minutes = Math.floor(ms / minute);
  const hours = Math.floor(ms / hour + 0.5);
  const days = Math.floor(hours / 24);
  if (seconds < 1) return "Less than a second";
  if (seconds === 1) return "1 second";
  if (seconds < 60) return `${seconds} seconds`;
  if (minutes === 1) return "About a minute";
  if (minutes < 60) return `${minutes} minutes`;
  if (hours === 1) return "About an hour";
  if (hours < 48) return `${hours} hours`;
  if (hours < 24 * 7 * 2) return `${days} days`;
  if (hours < 24 * 30 * 2) return `${Math.floor(days / 7)} weeks`;
  if (hours < 24 * 365 * 2) return `${Math.floor(days / 30)} months`;
  return `${Math.floor(ms / hour / 24 / 365)} years`;
}

/** Logs as logrus does, in colour on a terminal. */
export function* log(self: Process, level: "error" | "fatal", message: string): Sys<void> {
  const time = formatTime(self.nowMs);
  const plain = `time="${time}" level=${level} msg=${JSON.stringify(message)}\n`;
  const word = asciiUpperCase(level.slice(0, 4));
  yield* self.write(2, self.isTty(2) ? `\u001b[31m${word}\u001b[0m[0000] ${message.padEnd(44)} \n` : plain);
}

/** What ends crictl is logged as fatal (cmd/crictl/main.go). Gives the exit code. */
export function* fail(self: Process, message: string): Sys<number> {
  yield* log(self, "fatal", message);
  return 1;
}
