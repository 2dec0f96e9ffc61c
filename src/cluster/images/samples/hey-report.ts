// hey's summary and its CSV (requester/report.go, requester/print.go). Seconds.

import { compareTexts } from "#sim/compare-texts.ts";

export interface HeyAnswer {
  readonly status: number;
  readonly size: number;
  readonly total: number;
  /** Lookup and dialling. */
  readonly connection: number;
  readonly dns: number;
  readonly write: number;
  readonly delay: number;
  readonly read: number;
  /** Since the start. */
  readonly offset: number;
}

export type HeyResult = HeyAnswer | { readonly error: string };

export function reportOf(results: readonly HeyResult[], totalMs: number, isCsv: boolean): string {
  const answers = results.filter((result): result is HeyAnswer => !("error" in result));
  return isCsv ? `${csv(answers)}\n` : `${summary(results, answers, totalMs / 1000)}\n`;
}

function csv(answers: readonly HeyAnswer[]): string {
  const rows = answers.map(({ total, connection, dns, write, delay, read, status, offset }) =>
    [number(total), number(connection), number(dns), number(write), number(delay), number(read), status, number(offset)].join(","),
  );
  return ["response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset", ...rows].join("\n");
}

function number(value: number): string {
  return (Number.isNaN(value) ? "NaN" : value.toFixed(4)).padStart(4);
}

function summary(results: readonly HeyResult[], answers: readonly HeyAnswer[], total: number): string {
  const times = ascending(answers.map((answer) => answer.total));
  const [fastest, slowest] = [times[0] ?? 0, times.at(-1) ?? 0];
  const size = answers.reduce((sum, answer) => sum + answer.size, 0);
  const sizes = `\n  Total data:\t${size} bytes\n  Size/request:\t${Math.trunc(size / answers.length)} bytes`;
  const latencies = times.length === 0 ? "" : percentiles(times);
  const detail = (name: string, of: (answer: HeyAnswer) => number): string => {
    const values = ascending(answers.map(of));
    const row = [average(values), values[0] ?? 0, values.at(-1) ?? 0].map((value) => `${number(value)} secs`);
    return `  ${name}:\t${row.join(", ")}\n`;
  };
  const statuses = counted(answers.map(({ status }) => status))
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `\n  [${status}]\t${count} responses`);
  return `
Summary:
  Total:\t${number(total)} secs
  Slowest:\t${number(slowest)} secs
  Fastest:\t${number(fastest)} secs
  Average:\t${number(average(times))} secs
  Requests/sec:\t${number(results.length / total)}
  ${size > 0 ? sizes : ""}

Response time histogram:
${histogram(times)}

Latency distribution:${latencies}

Details (average, fastest, slowest):
${detail("DNS+dialup", ({ connection }) => connection)}${detail("DNS-lookup", ({ dns }) => dns)}${detail("req write", ({ write }) => write)}${detail("resp wait", ({ delay }) => delay)}${detail("resp read", ({ read }) => read)}
Status code distribution:${statuses.join("")}

${errorsOf(results)}
`;
}

function ascending(values: number[]): readonly number[] {
  return values.sort((a, b) => a - b);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function counted<T>(values: readonly T[]): (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

function errorsOf(results: readonly HeyResult[]): string {
  const errors = counted(results.flatMap((result) => ("error" in result ? [result.error] : [])));
  if (errors.length === 0) return "";
  const rows = errors.sort(([a], [b]) => compareTexts(a, b)).map(([error, count]) => `\n  [${count}]\t${error}`);
  return `Error distribution:${rows.join("")}`;
}

const percents = [10, 25, 50, 75, 90, 95, 99];

/** The lines of percentages; what few answers do not tell is 0. */
function percentiles(times: readonly number[]): string {
  const found: number[] = [];
  for (const [index, time] of times.entries()) {
    const percent = percents[found.length];
    if (percent !== undefined && Math.trunc((index * 100) / times.length) >= percent) found.push(time);
  }
  return percents
    .map((percent, index) => {
      const time = found[index] ?? 0;
      return `\n  ${time > 0 ? percent : 0}%% in ${number(time)} secs`;
    })
    .join("");
}

const bars = 10;
const longestBar = 40;

/** Eleven marks from the fastest to the slowest. */
function histogram(times: readonly number[]): string {
  const [fastest, slowest] = [times[0], times.at(-1)];
  if (fastest === undefined || slowest === undefined) return "";
  const marks = Array.from({ length: bars }, (_, index) => fastest + ((slowest - fastest) / bars) * index);
  marks.push(slowest);
  const counts = marks.map(() => 0);
  let at = 0;
  for (const time of times) {
    while (time > (marks[at] ?? 0) && at < bars) at += 1;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return marks
    .map((mark, index) => {
      const count = counts[index] ?? 0;
      const length = Math.trunc((count * longestBar + Math.trunc(most / 2)) / most);
      return `  ${mark.toFixed(3)} [${count}]\t|${"■".repeat(length)}\n`;
    })
    .join("");
}
