import type { Process, ProcessInfo } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { userName } from "../toolkit/accounts.ts";
import { memoryFigures } from "../toolkit/machine-figures.ts";
import { clockText, commandOf, fittingName, pad2, shortName, stateLetter } from "../toolkit/process-columns.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

/** A column of `-o`: its title, what it shows, and whether it stands at the right. */
type Column = readonly [header: string, value: (info: ProcessInfo) => string, right: boolean];

/** What ps says of a process. */
class Views {
  readonly #self: Process;
  readonly #totalBytes: number;

  constructor(self: Process) {
    this.#self = self;
    this.#totalBytes = (memoryFigures(self).get("MemTotal") ?? 8_388_608) * 1024;
  }

  readonly cpu = (info: ProcessInfo) =>
    Math.min(99.9, (info.cpuMs / Math.max(1, this.#self.nowMs - info.startedMs)) * 100).toFixed(1);
  readonly share = (info: ProcessInfo) => ((info.memoryBytes / this.#totalBytes) * 100).toFixed(1);
  readonly tty = (info: ProcessInfo) => info.tty?.replace(/^\/dev\//u, "") ?? "?";
  readonly start = (info: ProcessInfo) =>
    formatDate(this.#self.nowMs - info.startedMs < 86_400_000 ? "%R" : "%b%d", info.startedMs);
  readonly user = (info: ProcessInfo) => fittingName(this.#self, info);
  readonly rss = (info: ProcessInfo) => String(Math.round(info.memoryBytes / 1024));

  columns(): { readonly [name: string]: Column } {
    return {
      pid: ["PID", (info) => String(info.pid), true],
      ppid: ["PPID", (info) => String(info.ppid), true],
      pgid: ["PGID", (info) => String(info.pgid), true],
      user: ["USER", this.user, false],
      uid: ["UID", (info) => String(info.uid), true],
      comm: ["COMMAND", shortName, false],
      cmd: ["CMD", commandOf, false],
      args: ["COMMAND", commandOf, false],
      command: ["COMMAND", commandOf, false],
      stat: ["STAT", stateLetter, false],
      s: ["S", stateLetter, false],
      state: ["S", stateLetter, false],
      tty: ["TT", this.tty, false],
      time: ["TIME", (info) => clockText(info.cpuMs), true],
      etime: ["ELAPSED", (info) => clockText(this.#self.nowMs - info.startedMs), true],
      rss: ["RSS", this.rss, true],
      vsz: ["VSZ", this.rss, true],
      "%cpu": ["%CPU", this.cpu, true],
      pcpu: ["%CPU", this.cpu, true],
      "%mem": ["%MEM", this.share, true],
      pmem: ["%MEM", this.share, true],
      lstart: ["STARTED", (info) => formatDate("%c", info.startedMs), true],
    };
  }
}

/** The words of a call: flags of any style as letters, and the format of `-o`. */
function readWords(words: readonly string[]): { readonly flags: string; readonly format: string | undefined } {
  // -o and -eo, or axo, with the format in the same word or in the next one.
  const at = words.findIndex((word) => /^-?[aAdefluxw]*o/u.test(word));
  const [, letters = "", attached = ""] = /^-?([aAdefluxw]*)o(.*)$/u.exec(words[at] ?? "") ?? [];
  const format = attached === "" && at >= 0 ? words[at + 1] : attached || undefined;
  const others = at < 0 ? words : [letters, ...words.slice(0, at), ...words.slice(attached === "" ? at + 2 : at + 1)];
  const flags = others
    .filter((word) => !/^[\d,]+$/u.test(word))
    .join("")
    .replace(/-/gu, "");
  return { flags, format };
}

/** Those whom the flags mean: all, those of `-p`, or those on the own terminal. */
function chosen(self: Process, words: readonly string[], flags: string): readonly ProcessInfo[] {
  const all = self.processes();
  const at = words.indexOf("-p");
  if (at >= 0) {
    const wanted = (words[at + 1] ?? "").split(",").map(Number);
    return all.filter(({ pid }) => wanted.includes(pid));
  }
  if (/[eAax]/u.test(flags)) return all;
  const tty = all.find(({ pid }) => pid === self.pid)?.tty;
  return all.filter((info) => (info.tty !== undefined && info.tty === tty) || info.pid === self.pid);
}

function formatted(columns: { readonly [name: string]: Column }, format: string, shown: readonly ProcessInfo[]): string {
  const wanted = format.split(",").map((entry): Column => {
    const [name, header] = entry.split("=");
    const column = columns[name as string];
    if (column === undefined)
      throw new ToolFailure(`error: unknown user-defined format specifier "${name}"\n\nUsage:\n ps [options]`);
    return [header ?? column[0], column[1], column[2]];
  });
  const rows = shown.map((info) => wanted.map((column) => column[1](info)));
  const headers = wanted.map((column) => column[0]);
  const widths = headers.map((header, index) => Math.max(header.length, ...rows.map((row) => (row[index] as string).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        wanted[index]?.[2] === true ? cell.padStart(widths[index] as number) : cell.padEnd(widths[index] as number),
      )
      .join(" ")
      .trimEnd();
  const body = rows.map((row) => `${line(row)}\n`).join("");
  return headers.every((header) => header === "") ? body : `${line(headers)}\n${body}`;
}

/** `ps u`. */
function userRow(views: Views, info: ProcessInfo): string {
  const { user, cpu, share, rss, tty, start } = views;
  const minutes = `${Math.floor(info.cpuMs / 60_000)}:${pad2(Math.floor(info.cpuMs / 1000) % 60)}`;
  return `${user(info).padEnd(8)} ${String(info.pid).padStart(7)} ${cpu(info).padStart(4)} ${share(info).padStart(4)} ${rss(info).padStart(6)} ${rss(info).padStart(5)} ${tty(info).padEnd(8)} ${stateLetter(info).padEnd(4)} ${start(info).padStart(5)} ${minutes.padStart(6)} ${commandOf(info)}\n`;
}

/** `ps -f`. */
function fullRow(views: Views, info: ProcessInfo): string {
  const { user, cpu, tty, start } = views;
  const use = String(Math.floor(Number(cpu(info)))).padStart(2);
  return `${user(info).padEnd(8)} ${String(info.pid).padStart(7)} ${String(info.ppid).padStart(7)} ${use} ${start(info).padStart(5)} ${tty(info).padEnd(8)} ${clockText(info.cpuMs)} ${commandOf(info)}\n`;
}

function shortRow(views: Views, info: ProcessInfo): string {
  return `${String(info.pid).padStart(7)} ${views.tty(info).padEnd(8)} ${clockText(info.cpuMs)} ${shortName(info)}\n`;
}

function busyboxText(self: Process): string {
  const rows = self
    .processes()
    .map(
      (info) =>
        `${String(info.pid).padStart(5)} ${userName(self, info.uid).padEnd(8)} ${busyboxTime(info.cpuMs)} ${commandOf(info)}`,
    );
  return `PID   USER     TIME  COMMAND\n${rows.join("\n")}\n`;
}

export const ps: CommandDefinition = {
  name: "ps",
  *run(tool) {
    const { self, operands } = tool;
    if (!tool.gnu) {
      yield* tool.print(busyboxText(self));
      return 0;
    }
    const { flags, format } = readWords(operands);
    const shown = chosen(self, operands, flags);
    const views = new Views(self);
    const table = (titles: string, row: (views: Views, info: ProcessInfo) => string) =>
      tool.print(`${titles}\n${shown.map((info) => row(views, info)).join("")}`);
    if (format !== undefined) yield* tool.print(formatted(views.columns(), format, shown));
    else if (flags.includes("f")) yield* table("UID          PID    PPID  C STIME TTY          TIME CMD", fullRow);
    else if (flags.includes("u"))
      yield* table("USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND", userRow);
    else yield* table("    PID TTY          TIME CMD", shortRow);
    return shown.length === 0 ? 1 : 0;
  },
};

function busyboxTime(ms: number): string {
  return `${String(Math.floor(ms / 60_000)).padStart(2)}:${pad2(Math.floor(ms / 1000) % 60)}`;
}
