import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Signal } from "#sim/signals.ts";
import { signalByName } from "../interpreter/signals.ts";
import { durationMs } from "../toolkit/durations.ts";
import { findProgram } from "../toolkit/other-programs.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const timeout: CommandDefinition = {
  name: "timeout",
  options: "s,signal= k,kill-after= foreground preserve-status v,verbose t=",
  usage: "timeout [-s SIG] [-k KILL_SECS] SECS PROG ARGS",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const { self } = tool;
    const [limit, ...words] = tool.operands;
    if (limit === undefined || words.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const ms = durationMs(limit);
    if (ms === undefined) throw new UsageFailure(tool.gnu ? `invalid time interval ‘${limit}’` : `invalid number '${limit}'`);
    const signal = signalByName(tool.value("s") ?? "TERM");
    if (signal === undefined) throw new UsageFailure(`'${tool.value("s")}': invalid signal`);
    // GNU's ends what the command has started too (src/timeout.c): they are all of one group, which it leads.
    const endsAll = tool.gnu && !tool.has("foreground");
    let pid: number;
    try {
      if (endsAll && self.pgid !== self.pid) self.setProcessGroup(self.pid, self.pid);
      pid = self.spawn({ run: findProgram(self, words[0] as string, self.env.get("PATH")), argv: words });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      yield* tool.warn(
        tool.gnu ? `failed to run command '${words[0]}': ${error.message}` : `can't execute '${words[0]}': ${error.message}`,
      );
      return error.code === "ENOENT" ? 127 : 126;
    }
    let timedOut = false;
    let over = false;
    const kill = (which: Signal) => {
      send(self, pid, which);
      if (!endsAll) return;
      if (which !== "KILL") self.setSignal(which, "ignore");
      send(self, 0, which);
      send(self, 0, "CONT");
    };
    if (ms > 0) {
      self.startThread(function* () {
        yield* self.sleep(ms);
        if (over) return;
        timedOut = true;
        kill(signal);
        const more = durationMs(tool.value("k") ?? "");
        if (more === undefined) return;
        yield* self.sleep(more);
        if (!over) kill("KILL");
      });
    }
    const status = yield* self.wait(pid);
    over = true;
    // BusyBox's is the command itself, with its own end.
    return timedOut && tool.gnu && !tool.has("preserve-status") ? 124 : (status?.code ?? 0);
  },
};

/** Whoever has ended already is not looked for. */
function send(self: Process, pid: number, signal: Signal): void {
  try {
    self.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
}
