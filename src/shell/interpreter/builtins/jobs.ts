// jobs, fg, bg, wait, kill, disown.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { Interrupted } from "../control.ts";
import { reapJobs } from "../ended-jobs.ts";
import { type Job, jobLine } from "../jobs.ts";
import { resumeForeground } from "../pipeline.ts";
import type { Shell } from "../shell.ts";
import { handleSignals, runTrap, signalByName, signalByNumber } from "../signals.ts";
import type { Builtin } from "./builtin.ts";

function* findJob(shell: Shell, spec: string | undefined, name: string): Sys<Job | undefined> {
  const job = shell.jobs.find(spec ?? "%%");
  if (job === undefined) yield* shell.complain(`${name}: ${spec ?? "current"}: no such job`);
  return job;
}

/** Waits until the condition holds; a trapped signal ends the wait with 128 + its number. */
function* waitUntil(shell: Shell, isDone: () => boolean): Sys<number | undefined> {
  while (!isDone()) {
    try {
      const status = yield* shell.self.wait(-1, { untraced: true });
      if (status !== undefined) shell.jobs.note(status.pid, status.code, status.stopped);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      if (error.code === "ECHILD") return undefined;
      if (error.code !== "EINTR") throw error;
      for (const signal of shell.self.takeSignals()) {
        if (shell.traps.has(signal)) {
          yield* runTrap(shell, signal);
          return 128 + signalNumbers[signal];
        }
        if (signal === "INT" && shell.interactive) {
          yield* shell.writeError("\n");
          throw new Interrupted();
        }
      }
    }
  }
  return undefined;
}

const wait: Builtin = function* (shell, args) {
  yield* handleSignals(shell);
  const targets = args.filter((arg) => !arg.startsWith("-"));
  if (args.includes("-n")) {
    const before = shell.jobs.endedStatuses.size;
    const running = shell.jobs.list.filter((job) => job.state === "running");
    if (running.length === 0) return 127;
    const interrupted = yield* waitUntil(shell, () => shell.jobs.endedStatuses.size > before);
    return interrupted ?? running.find((job) => job.state === "done")?.status ?? 0;
  }
  if (targets.length === 0) {
    const interrupted = yield* waitUntil(shell, () => shell.jobs.list.every((job) => job.state !== "running"));
    if (interrupted !== undefined) return interrupted;
    if (!shell.interactive) for (const job of [...shell.jobs.list]) if (job.state === "done") shell.jobs.remove(job);
    return 0;
  }
  let status = 0;
  for (const target of targets) {
    const job = target.startsWith("%")
      ? shell.jobs.find(target)
      : shell.jobs.list.find((each) => each.pids.includes(Number(target)));
    if (job === undefined) {
      const ended = shell.jobs.endedStatuses.get(Number(target));
      if (ended === undefined) {
        yield* shell.complain(
          target.startsWith("%") ? `wait: ${target}: no such job` : `wait: pid ${target} is not a child of this shell`,
        );
        status = 127;
      } else status = ended;
      continue;
    }
    const interrupted = yield* waitUntil(shell, () => job.state !== "running");
    if (interrupted !== undefined) return interrupted;
    status = job.state === "stopped" ? 148 : (job.ended.get(Number(target)) ?? job.status);
    if (job.state === "done" && !shell.interactive) shell.jobs.remove(job);
  }
  return status;
};

const kill: Builtin = function* (shell, args, name) {
  let rest = [...args];
  let signal: ReturnType<typeof signalByName> = "TERM";
  const first = rest[0];
  if (first === "-l" || first === "-L") return yield* listSignals(shell, rest.slice(1));
  if (first === "-s" || first === "-n") {
    signal = signalByName(rest[1] ?? "");
    if (signal === undefined) {
      yield* shell.complain(`${name}: ${rest[1] ?? ""}: invalid signal specification`);
      return 1;
    }
    rest = rest.slice(2);
  } else if (first !== undefined && /^-[A-Za-z0-9]+$/u.test(first)) {
    if (first !== "-0") {
      signal = signalByName(first.slice(1));
      if (signal === undefined) {
        yield* shell.complain(`${name}: ${first.slice(1)}: invalid signal specification`);
        return 1;
      }
    } else signal = undefined;
    rest = rest.slice(1);
  }
  if (rest[0] === "--") rest = rest.slice(1);
  if (rest.length === 0) {
    yield* shell.writeError("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n");
    return 2;
  }
  let status = 0;
  for (const target of rest) {
    const job = target.startsWith("%") ? shell.jobs.find(target) : undefined;
    if (target.startsWith("%") && job === undefined) {
      yield* shell.complain(`${name}: ${target}: no such job`);
      status = 1;
      continue;
    }
    if (job === undefined && !/^-?\d+$/u.test(target)) {
      yield* shell.complain(`${name}: ${target}: arguments must be process or job IDs`);
      status = 1;
      continue;
    }
    try {
      let pids: readonly number[] = [Number(target)];
      if (job !== undefined) pids = shell.has("monitor") ? [-job.pgid] : job.pids;
      for (const pid of pids) {
        if (signal === undefined) {
          if (!shell.self.processes().some((info) => info.pid === pid && info.state !== "zombie")) throw new SysError("ESRCH");
          continue;
        }
        shell.self.kill(pid, signal);
      }
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      yield* shell.complain(
        shell.bash ? `${name}: (${target}) - ${error.message}` : `${name}: can't kill pid ${target}: ${error.message}`,
      );
      status = 1;
    }
  }
  yield* handleSignals(shell);
  return status;
};

function* listSignals(shell: Shell, args: readonly string[]): Sys<number> {
  if (args.length === 0) {
    yield* shell.print(
      `${Object.entries(signalNumbers)
        .map(([name, number]) => `${String(number).padStart(2)}) SIG${name}`)
        .join("\n")}\n`,
    );
    return 0;
  }
  for (const arg of args) {
    const number = Number(arg);
    const signal = Number.isNaN(number) ? signalByName(arg) : signalByNumber(number > 128 ? number - 128 : number);
    if (signal === undefined) {
      yield* shell.complain(`kill: ${arg}: invalid signal specification`);
      return 1;
    }
    yield* shell.print(`${Number.isNaN(number) ? signalNumbers[signal] : signal}\n`);
  }
  return 0;
}

export const jobBuiltins: { readonly [name: string]: Builtin } = {
  wait,
  kill,
  *jobs(shell, args) {
    yield* reapJobs(shell);
    for (const job of [...shell.jobs.list]) {
      if (args.includes("-p")) yield* shell.print(`${job.pgid}\n`);
      else if (!(args.includes("-r") && job.state !== "running") && !(args.includes("-s") && job.state !== "stopped")) {
        yield* shell.print(jobLine(shell.jobs, job, args.includes("-l")));
      }
      if (job.state === "done") shell.jobs.remove(job);
    }
    return 0;
  },
  *fg(shell, args) {
    if (!shell.has("monitor")) {
      yield* shell.complain("fg: no job control");
      return 1;
    }
    const job = yield* findJob(shell, args[0], "fg");
    if (job === undefined) return 1;
    yield* shell.print(`${job.text}\n`);
    shell.jobs.remove(job);
    const left = job.pids.filter((pid) => !job.ended.has(pid));
    if (left.length === 0) return job.status;
    return yield* resumeForeground(shell, job.pgid, left, job.text);
  },
  *bg(shell, args) {
    if (!shell.has("monitor")) {
      yield* shell.complain("bg: no job control");
      return 1;
    }
    const job = yield* findJob(shell, args[0], "bg");
    if (job === undefined) return 1;
    job.state = "running";
    job.notified = false;
    yield* shell.print(`[${job.number}]${shell.jobs.mark(job)} ${job.text} &\n`);
    shell.self.kill(-job.pgid, "CONT");
    return 0;
  },
  *disown(shell, args) {
    const job = yield* findJob(
      shell,
      args.find((arg) => arg.startsWith("%")),
      "disown",
    );
    if (job === undefined) return 1;
    shell.jobs.remove(job);
    return 0;
  },
};
