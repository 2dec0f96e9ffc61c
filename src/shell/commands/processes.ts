// ps, top, kill, pgrep, pkill, free, uptime, nproc.

import { SysError } from "#sim/errors.ts";
import type { Process, ProcessInfo, Sys } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { signalByName } from "../interpreter/signals.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { formatDate } from "../text/date-text.ts";
import { userName } from "./identity.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

const pad2 = (value: number) => String(value).padStart(2, "0");

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${pad2(Math.floor(seconds / 3600))}:${pad2(Math.floor(seconds / 60) % 60)}:${pad2(seconds % 60)}`;
}

function stateLetter(info: ProcessInfo): string {
  return { running: "R", sleeping: "S", stopped: "T", zombie: "Z" }[info.state];
}

/** On one line, whatever a script between the quotes of `sh -c` has (procps' and busybox's reading of /proc/PID/cmdline). */
function commandOf(info: ProcessInfo): string {
  return info.state === "zombie"
    ? `[${shortName(info)}] <defunct>`
    : info.argv
        .join(" ")
        .replaceAll(/[\n\t]/gu, " ")
        .trimEnd();
}

function shortName(info: ProcessInfo): string {
  return info.name;
}

/** /proc/meminfo in KiB by name. */
function memory(self: Process): ReadonlyMap<string, number> {
  try {
    const lines = self.readText("/proc/meminfo").split("\n");
    return new Map(
      lines
        .map((line) => /^(\w+):\s+(\d+)/u.exec(line))
        .filter((match) => match !== null)
        .map((match) => [match[1] as string, Number(match[2])]),
    );
  } catch (error) {
    if (error instanceof SysError) return new Map();
    throw error;
  }
}

/** What is longer than the column is cut (procps: do_one_name). */
function fittingName(self: Process, { uid }: ProcessInfo): string {
  return userName(self, uid).replace(/^(.{7}).{2,}$/u, "$1+");
}

export const ps: CommandDefinition = {
  name: "ps",
  *run(tool) {
    const { self } = tool;
    const words = tool.operands;
    // -o and -eo, or axo, with the format in the same word or in the next one.
    const at = words.findIndex((word) => /^-?[aAdefluxw]*o/u.test(word));
    const [, letters = "", attached = ""] = /^-?([aAdefluxw]*)o(.*)$/u.exec(words[at] ?? "") ?? [];
    const format = attached === "" && at >= 0 ? words[at + 1] : attached || undefined;
    const others = at < 0 ? words : [letters, ...words.slice(0, at), ...words.slice(attached === "" ? at + 2 : at + 1)];
    const flags = others
      .filter((word) => !/^[\d,]+$/u.test(word))
      .join("")
      .replace(/-/gu, "");
    const all = self.processes();
    if (!tool.gnu) {
      const rows = all.map(
        (info) =>
          `${String(info.pid).padStart(5)} ${userName(self, info.uid).padEnd(8)} ${busyboxTime(info.cpuMs)} ${commandOf(info)}`,
      );
      yield* tool.print(`PID   USER     TIME  COMMAND\n${rows.join("\n")}\n`);
      return 0;
    }
    const wanted = words.indexOf("-p") >= 0 ? (words[words.indexOf("-p") + 1] ?? "").split(",").map(Number) : undefined;
    const everyone = /[eAax]/u.test(flags);
    const tty = all.find((info) => info.pid === self.pid)?.tty;
    const shown = all.filter((info) =>
      wanted === undefined
        ? everyone || (info.tty !== undefined && info.tty === tty) || info.pid === self.pid
        : wanted.includes(info.pid),
    );
    const total = (memory(self).get("MemTotal") ?? 8_388_608) * 1024;
    const cpu = (info: ProcessInfo) => Math.min(99.9, (info.cpuMs / Math.max(1, self.nowMs - info.startedMs)) * 100).toFixed(1);
    const share = (info: ProcessInfo) => ((info.memoryBytes / total) * 100).toFixed(1);
    const ttyName = (info: ProcessInfo) => info.tty?.replace(/^\/dev\//u, "") ?? "?";
    const start = (info: ProcessInfo) => formatDate(self.nowMs - info.startedMs < 86_400_000 ? "%R" : "%b%d", info.startedMs);
    const minutes = (ms: number) => `${Math.floor(ms / 60_000)}:${pad2(Math.floor(ms / 1000) % 60)}`;
    const user = (info: ProcessInfo) => fittingName(self, info);
    const rss = (info: ProcessInfo) => String(Math.round(info.memoryBytes / 1024));
    const columns: { readonly [name: string]: readonly [header: string, value: (info: ProcessInfo) => string, right: boolean] } = {
      pid: ["PID", (info) => String(info.pid), true],
      ppid: ["PPID", (info) => String(info.ppid), true],
      pgid: ["PGID", (info) => String(info.pgid), true],
      user: ["USER", user, false],
      uid: ["UID", (info) => String(info.uid), true],
      comm: ["COMMAND", shortName, false],
      cmd: ["CMD", commandOf, false],
      args: ["COMMAND", commandOf, false],
      command: ["COMMAND", commandOf, false],
      stat: ["STAT", stateLetter, false],
      s: ["S", stateLetter, false],
      state: ["S", stateLetter, false],
      tty: ["TT", ttyName, false],
      time: ["TIME", (info) => clock(info.cpuMs), true],
      etime: ["ELAPSED", (info) => clock(self.nowMs - info.startedMs), true],
      rss: ["RSS", rss, true],
      vsz: ["VSZ", rss, true],
      "%cpu": ["%CPU", cpu, true],
      pcpu: ["%CPU", cpu, true],
      "%mem": ["%MEM", share, true],
      pmem: ["%MEM", share, true],
      lstart: ["STARTED", (info) => formatDate("%c", info.startedMs), true],
    };
    if (format !== undefined) {
      const chosen = format.split(",").map((entry) => {
        const [name, header] = entry.split("=");
        const column = columns[name as string];
        if (column === undefined)
          throw new ToolFailure(
            `error: unknown user-defined format specifier "${name}"\n\nUsage:\n ps [options]`.replace(/^/u, ""),
          );
        return [header ?? column[0], column[1], column[2]] as const;
      });
      const rows = shown.map((info) => chosen.map((column) => column[1](info)));
      const headers = chosen.map((column) => column[0]);
      const widths = headers.map((header, index) => Math.max(header.length, ...rows.map((row) => (row[index] as string).length)));
      const line = (cells: readonly string[]) =>
        cells
          .map((cell, index) =>
            chosen[index]?.[2] === true ? cell.padStart(widths[index] as number) : cell.padEnd(widths[index] as number),
          )
          .join(" ")
          .trimEnd();
      const body = rows.map((row) => `${line(row)}\n`).join("");
      yield* tool.print(headers.every((header) => header === "") ? body : `${line(headers)}\n${body}`);
    } else if (flags.includes("u") && !flags.includes("f")) {
      yield* tool.print("USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n");
      for (const info of shown) {
        yield* tool.print(
          `${user(info).padEnd(8)} ${String(info.pid).padStart(7)} ${cpu(info).padStart(4)} ${share(info).padStart(4)} ${rss(info).padStart(6)} ${rss(info).padStart(5)} ${ttyName(info).padEnd(8)} ${stateLetter(info).padEnd(4)} ${start(info).padStart(5)} ${minutes(info.cpuMs).padStart(6)} ${commandOf(info)}\n`,
        );
      }
    } else if (flags.includes("f")) {
      yield* tool.print("UID          PID    PPID  C STIME TTY          TIME CMD\n");
      for (const info of shown) {
        yield* tool.print(
          `${user(info).padEnd(8)} ${String(info.pid).padStart(7)} ${String(info.ppid).padStart(7)} ${Math.floor(Number(cpu(info)))
            .toString()
            .padStart(2)} ${start(info).padStart(5)} ${ttyName(info).padEnd(8)} ${clock(info.cpuMs)} ${commandOf(info)}\n`,
        );
      }
    } else {
      yield* tool.print("    PID TTY          TIME CMD\n");
      for (const info of shown)
        yield* tool.print(`${String(info.pid).padStart(7)} ${ttyName(info).padEnd(8)} ${clock(info.cpuMs)} ${shortName(info)}\n`);
    }
    return shown.length === 0 ? 1 : 0;
  },
};

function busyboxTime(ms: number): string {
  return `${String(Math.floor(ms / 60_000)).padStart(2)}:${pad2(Math.floor(ms / 1000) % 60)}`;
}

export const top: CommandDefinition = {
  name: "top",
  options: "b n= d= p= H o= u=",
  usage: "top [-b] [-n COUNT] [-d SECONDS]",
  *run(tool) {
    const { self } = tool;
    if (tool.has("b") || !self.isTty(1) || !self.isTty(0)) return yield* topRounds(tool, false);
    const terminal = self.terminal(0);
    const { modes } = terminal;
    terminal.setModes({ ...modes, canonical: false, echo: false });
    try {
      return yield* topRounds(tool, true);
    } finally {
      terminal.setModes(modes);
    }
  },
};

/** `interactive`: on the whole screen, until q. */
function* topRounds(tool: Tool, interactive: boolean): Sys<number> {
  const { self } = tool;
  const rounds = tool.has("n") ? Number(tool.value("n")) : Number.POSITIVE_INFINITY;
  const delayMs = Number(tool.value("d") ?? (tool.gnu ? 3 : 5)) * 1000;
  let before = new Map<number, number>();
  let since = self.nowMs;
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) {
      if (!interactive) yield* self.sleep(delayMs);
      else if ((yield* self.poll([0], delayMs)).length > 0 && new TextDecoder().decode(yield* self.read(0)).includes("q")) return 0;
    }
    const figures = memory(self);
    const [total, free] = [figures.get("MemTotal") ?? 0, figures.get("MemFree") ?? 0];
    const infos = self.processes();
    const elapsed = Math.max(1, self.nowMs - (round === 0 ? Math.min(...infos.map((info) => info.startedMs)) : since));
    const usage = (info: ProcessInfo) => ((info.cpuMs - (before.get(info.pid) ?? 0)) / elapsed) * 100;
    const rows = [...infos].sort((a, b) => usage(b) - usage(a) || a.pid - b.pid);
    let text = interactive ? "\x1b[H\x1b[J" : "";
    if (tool.gnu) {
      text += `top - ${formatDate("%T", self.nowMs)} up ${clock(self.nowMs - (infos[0]?.startedMs ?? self.nowMs))},  1 user,  load average: 0.00, 0.00, 0.00\n`;
      text += `Tasks: ${String(infos.length).padStart(3)} total, ${String(infos.filter((info) => info.state === "running").length).padStart(3)} running, ${String(infos.filter((info) => info.state === "sleeping").length).padStart(3)} sleeping, ${String(infos.filter((info) => info.state === "stopped").length).padStart(3)} stopped, ${String(infos.filter((info) => info.state === "zombie").length).padStart(3)} zombie\n`;
      text += `MiB Mem : ${(total / 1024).toFixed(1).padStart(8)} total, ${(free / 1024).toFixed(1).padStart(8)} free\n\n`;
      text += "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n";
      for (const info of rows) {
        const kib = Math.round(info.memoryBytes / 1024);
        text += `${String(info.pid).padStart(7)} ${fittingName(self, info).padEnd(8)}  20   0 ${String(kib).padStart(7)} ${String(kib).padStart(6)}      0 ${stateLetter(info)} ${usage(info).toFixed(1).padStart(5)} ${(total === 0 ? 0 : (kib / total) * 100).toFixed(1).padStart(5)} ${`${Math.floor(info.cpuMs / 60_000)}:${((info.cpuMs / 1000) % 60).toFixed(2).padStart(5, "0")}`.padStart(9)} ${shortName(info)}\n`;
      }
    } else {
      text += `Mem: ${total - free}K used, ${free}K free\n  PID  PPID USER     STAT   VSZ %VSZ %CPU COMMAND\n`;
      for (const info of rows) {
        const kib = Math.round(info.memoryBytes / 1024);
        text += `${String(info.pid).padStart(5)} ${String(info.ppid).padStart(5)} ${userName(self, info.uid).padEnd(8)} ${stateLetter(info).padEnd(4)} ${String(kib).padStart(5)} ${(total === 0 ? 0 : (kib / total) * 100).toFixed(0).padStart(3)}% ${usage(info).toFixed(0).padStart(3)}% ${commandOf(info)}\n`;
      }
    }
    before = new Map(infos.map((info) => [info.pid, info.cpuMs]));
    since = self.nowMs;
    if (interactive)
      text = `${text
        .trimEnd()
        .split("\n")
        .slice(0, Math.max(1, self.terminal(0).rows - 1))
        .join("\n")}\n`;
    yield* tool.print(text);
    yield* tool.flush();
  }
  return 0;
}

export const kill: CommandDefinition = {
  name: "kill",
  *run(tool) {
    let words = [...tool.operands];
    let name = "TERM";
    if (words[0] === "-l") {
      yield* tool.print(`${Object.keys(signalNumbers).join(" ")}\n`);
      return 0;
    }
    if (words[0] === "-s") {
      name = words[1] ?? "";
      words = words.slice(2);
    } else if (words[0] !== undefined && /^-[A-Za-z0-9]+$/u.test(words[0]) && words.length > 1) {
      name = words[0].slice(1);
      words = words.slice(1);
    }
    const signal = name === "0" ? undefined : signalByName(name);
    if (signal === undefined && name !== "0")
      throw new ToolFailure(tool.gnu ? `unknown signal ${name}` : `bad signal name '${name}'`);
    if (words.length === 0) throw new UsageFailure(tool.gnu ? "not enough arguments" : "you need to specify whom to kill");
    for (const word of words) {
      if (!/^-?\d+$/u.test(word)) {
        yield* tool.warn(tool.gnu ? `failed to parse argument: '${word}'` : `invalid number '${word}'`);
        continue;
      }
      try {
        if (signal !== undefined) tool.self.kill(Number(word), signal);
        else if (!tool.self.processes().some((info) => info.pid === Number(word))) throw new SysError("ESRCH");
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        yield* tool.warn(
          tool.gnu ? `sending signal to ${word} failed: ${error.message}` : `can't kill pid ${word}: ${error.message}`,
        );
      }
    }
    return 0;
  },
};

function matching(tool: Tool): ProcessInfo[] {
  const pattern = tool.operands[0];
  if (pattern === undefined) throw new UsageFailure("no matching criteria specified", 2);
  const regex = new BoundedRegExp(tool.has("x") ? `^(?:${pattern})$` : pattern, "u");
  return tool.self
    .processes()
    .filter(
      (info) =>
        info.pid !== tool.self.pid && info.state !== "zombie" && regex.test(tool.has("f") ? info.argv.join(" ") : shortName(info)),
    );
}

export const pgrep: CommandDefinition = {
  name: "pgrep",
  options: "f,full l,list-name x,exact a n o",
  *run(tool) {
    const found = matching(tool);
    for (const info of found)
      yield* tool.print(`${info.pid}${tool.has("a") ? ` ${info.argv.join(" ")}` : tool.has("l") ? ` ${shortName(info)}` : ""}\n`);
    return found.length === 0 ? 1 : 0;
  },
};

export const pkill: CommandDefinition = {
  name: "pkill",
  options: "f,full x,exact s,signal= 9 1 2",
  *run(tool) {
    const signal = signalByName(tool.value("s") ?? tool.lastOf("9", "1", "2") ?? "TERM");
    if (signal === undefined) throw new ToolFailure(`invalid signal`, 2);
    const found = matching(tool);
    for (const info of found) tool.self.kill(info.pid, signal);
    return found.length === 0 ? 1 : 0;
  },
};

export const free: CommandDefinition = {
  name: "free",
  options: "b,bytes k,kibi m,mebi g,gibi h,human w t",
  usage: "free [-bkmgh]",
  *run(tool) {
    const figures = memory(tool.self);
    const kib = (name: string) => figures.get(name) ?? 0;
    const total = kib("MemTotal");
    const unused = kib("MemFree");
    const cache = kib("Buffers") + kib("Cached");
    const available = figures.get("MemAvailable") ?? unused + cache;
    const shown = (value: number) => {
      if (tool.has("h"))
        return value >= 1_048_576
          ? `${(value / 1_048_576).toFixed(1)}Gi`
          : value >= 1024
            ? `${Math.round(value / 1024)}Mi`
            : `${value}Ki`;
      const factor = tool.has("b") ? 1 / 1024 : tool.has("m") ? 1024 : tool.has("g") ? 1_048_576 : 1;
      return String(Math.floor(value / factor));
    };
    const row = (label: string, values: readonly number[]) =>
      `${label.padEnd(7)}${values.map((value) => shown(value).padStart(12)).join("")}\n`.replace(/^(.{7}) /u, "$1 ");
    yield* tool.print("               total        used        free      shared  buff/cache   available\n");
    yield* tool.print(`Mem:    ${row("", [total, total - unused - cache, unused, 0, cache, available]).slice(7)}`);
    yield* tool.print(`Swap:   ${row("", [0, 0, 0]).slice(7)}`);
    return 0;
  },
};

export const uptime: CommandDefinition = {
  name: "uptime",
  options: "p,pretty s,since",
  *run(tool) {
    const started = Math.min(...tool.self.processes().map((info) => info.startedMs));
    const minutes = Math.floor((tool.self.nowMs - started) / 60_000);
    const up = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}:${pad2(minutes % 60)}`;
    yield* tool.print(` ${formatDate("%T", tool.self.nowMs)} up ${up},  1 user,  load average: 0.00, 0.00, 0.00\n`);
    return 0;
  },
};

export const nproc: CommandDefinition = {
  name: "nproc",
  options: "all",
  *run(tool) {
    let count = 1;
    try {
      count =
        tool.self
          .readText("/proc/cpuinfo")
          .split("\n")
          .filter((line) => line.startsWith("processor")).length || 1;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    yield* tool.print(`${count}\n`);
    return 0;
  },
};
