import type { ProcessInfo } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { userName } from "../toolkit/accounts.ts";
import { memory } from "../toolkit/machine-figures.ts";
import { clock, commandOf, fittingName, pad2, shortName, stateLetter } from "../toolkit/process-columns.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

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
