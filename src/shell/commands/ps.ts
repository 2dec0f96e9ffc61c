import type { Process, ProcessInfo } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { accountEntry, userName } from "../toolkit/accounts.ts";
import { memoryFigures } from "../toolkit/machine-figures.ts";
import { clockText, commandOf, fittingName, pad2, shortName, stateLetter } from "../toolkit/process-columns.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";
import { busyboxPs, busyboxUsage } from "./ps/busybox.ts";
import { type Call, failure, listOf, readWords } from "./ps/call.ts";

/** A column of `-o`: its title, what it shows, and whether it stands at the right. */
type Column = readonly [header: string, value: (info: ProcessInfo, width?: number) => string, right: boolean];

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
  readonly user = (info: ProcessInfo, width = 8) => (width === 8 ? fittingName(this.#self, info) : userName(this.#self, info.uid));
  readonly rss = (info: ProcessInfo) => String(Math.round(info.memoryBytes / 1024));

  /** What `--sort` compares. */
  sortable(): { readonly [name: string]: (info: ProcessInfo) => number | string } {
    const [memory, use, start] = [
      (info: ProcessInfo) => info.memoryBytes,
      (info: ProcessInfo) => Number(this.cpu(info)),
      (info: ProcessInfo) => info.startedMs,
    ];
    return {
      pid: ({ pid }) => pid,
      ppid: ({ ppid }) => ppid,
      uid: ({ uid }) => uid,
      user: ({ uid }) => userName(this.#self, uid),
      comm: shortName,
      cmd: commandOf,
      args: commandOf,
      rss: memory,
      vsz: memory,
      "%mem": memory,
      pmem: memory,
      "%cpu": use,
      pcpu: use,
      time: ({ cpuMs }) => cpuMs,
      start_time: start,
      lstart: start,
    };
  }

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

/** Those of the lists, or else those whom the flags mean: all, or those on the own terminal. */
function chosen(self: Process, { flags, pids, names, users }: Call): readonly ProcessInfo[] {
  const all = self.processes();
  if (pids !== undefined || names !== undefined || users !== undefined) {
    const badPid = pids?.find((pid) => !/^\d+$/u.test(pid));
    if (badPid !== undefined) throw failure("process ID list syntax error");
    const uids = users?.map((user) => {
      const uid = accountEntry(self, "passwd", user)?.[2] ?? (/^\d+$/u.test(user) ? user : undefined);
      if (uid === undefined && user !== "root") throw failure("user name does not exist");
      return Number(uid ?? 0);
    });
    return all.filter(
      (info) =>
        pids?.includes(String(info.pid)) === true ||
        names?.some((name) => name.slice(0, 15) === shortName(info)) === true ||
        uids?.includes(info.uid) === true,
    );
  }
  if (/[eAax]/u.test(flags)) return all;
  const tty = all.find(({ pid }) => pid === self.pid)?.tty;
  return all.filter((info) => (info.tty !== undefined && info.tty === tty) || info.pid === self.pid);
}

/** `-%mem,pid`: by the columns of that name, the first first; with a hyphen the greatest first. */
function sorted(
  columns: ReturnType<Views["sortable"]>,
  sort: string | undefined,
  shown: readonly ProcessInfo[],
): readonly ProcessInfo[] {
  if (sort === undefined) return shown;
  const keys = listOf(sort).map((entry) => {
    const value = columns[entry.replace(/^[-+]/u, "")];
    if (value === undefined) throw failure("unknown sort specifier");
    return { value, sign: entry.startsWith("-") ? -1 : 1 };
  });
  return shown.toSorted((a, b) => {
    for (const { value, sign } of keys) {
      const [left, right] = [value(a), value(b)];
      if (left !== right) return left < right ? -sign : sign;
    }
    return a.pid - b.pid;
  });
}

function formatted(
  call: Call,
  columns: { readonly [name: string]: Column },
  format: string,
  shown: readonly ProcessInfo[],
): string {
  const wanted = format.split(/[\s,]+/u).map((entry) => {
    const [, name = "", width, header] = /^([^=:]*)(?::(\d+))?(?:=(.*))?$/su.exec(entry) ?? [];
    const column = columns[name];
    if (column === undefined) throw failure(`unknown user-defined format specifier "${name || entry}"`);
    const [title, value, isRight] = column;
    return { title: header ?? title, value, isRight, width: width === undefined ? undefined : Number(width) };
  });
  const rows = shown.map((info) =>
    // With a width of its own a name is not cut to the usual one.
    wanted.map(({ value, width }) => (width === undefined ? value(info) : value(info, width).slice(0, width))),
  );
  const titles = wanted.map(({ title }) => title);
  const widths = wanted.map(
    ({ title, width }, index) => width ?? Math.max(title.length, ...rows.map((row) => (row[index] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        wanted[index]?.isRight === true ? cell.padStart(widths[index] as number) : cell.padEnd(widths[index] as number),
      )
      .join(" ")
      .trimEnd();
  const body = rows.map((row) => `${line(row)}\n`).join("");
  return !call.hasTitles || titles.every((title) => title === "") ? body : `${line(titles)}\n${body}`;
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

export const ps: CommandDefinition = {
  name: "ps",
  usage: busyboxUsage,
  *run(tool) {
    if (!tool.gnu) return yield* busyboxPs(tool);
    const { self, operands } = tool;
    const call = readWords(operands);
    const { flags, format } = call;
    const views = new Views(self);
    const shown = sorted(views.sortable(), call.sort, chosen(self, call));
    const table = (titles: string, row: (views: Views, info: ProcessInfo) => string) =>
      tool.print(`${call.hasTitles ? `${titles}\n` : ""}${shown.map((info) => row(views, info)).join("")}`);
    if (format !== undefined) yield* tool.print(formatted(call, views.columns(), format, shown));
    else if (/[fF]/u.test(flags)) yield* table("UID          PID    PPID  C STIME TTY          TIME CMD", fullRow);
    else if (flags.includes("u"))
      yield* table("USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND", userRow);
    else yield* table("    PID TTY          TIME CMD", shortRow);
    return shown.length === 0 ? 1 : 0;
  },
};
