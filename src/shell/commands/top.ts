import type { ProcessInfo, Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { userName } from "../toolkit/accounts.ts";
import { memoryFigures } from "../toolkit/machine-figures.ts";
import { clockText, commandOf, fittingName, shortName, stateLetter } from "../toolkit/process-columns.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

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
    const figures = memoryFigures(self);
    const [total, free] = [figures.get("MemTotal") ?? 0, figures.get("MemFree") ?? 0];
    const infos = self.processes();
    const elapsed = Math.max(1, self.nowMs - (round === 0 ? Math.min(...infos.map((info) => info.startedMs)) : since));
    const usage = (info: ProcessInfo) => ((info.cpuMs - (before.get(info.pid) ?? 0)) / elapsed) * 100;
    const rows = [...infos].sort((a, b) => usage(b) - usage(a) || a.pid - b.pid);
    let text = interactive ? "\x1b[H\x1b[J" : "";
    if (tool.gnu) {
      text += `top - ${formatDate("%T", self.nowMs)} up ${clockText(self.nowMs - (infos[0]?.startedMs ?? self.nowMs))},  1 user,  load average: 0.00, 0.00, 0.00\n`;
      const count = (...states: readonly ProcessInfo["state"][]) =>
        String(infos.filter((info) => states.includes(info.state)).length).padStart(3);
      text += `Tasks: ${String(infos.length).padStart(3)} total, ${count("running")} running, ${count("sleeping", "waiting for the disk")} sleeping, ${count("stopped")} stopped, ${count("zombie")} zombie\n`;
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
