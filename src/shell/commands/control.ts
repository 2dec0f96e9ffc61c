// Programs that act on processes by name, or on how they run: killall, pidof, nice, renice, setsid, taskset, usleep, chroot, umount; and what
// is asked of a machine: getconf, lscpu, who.

import { SysError } from "#sim/errors.ts";
import type { Process, ProcessInfo } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { signalByName } from "../interpreter/signals.ts";
import { formatDate } from "../text/date-text.ts";
import { userName } from "./identity.ts";
import { type CommandDefinition, findProgram, runCommandLine, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

function isNamed(info: ProcessInfo, name: string): boolean {
  if (info.state === "zombie") return false;
  if (info.name === name.slice(0, 15)) return true;
  const called = info.argv[0] ?? "";
  return called === name || called.slice(called.lastIndexOf("/") + 1) === name;
}

const ownNumber = (self: Process) => (info: ProcessInfo) => info.pid !== self.pid;

export const killall: CommandDefinition = {
  name: "killall",
  *run(tool) {
    let signal = "TERM";
    let quiet = false;
    let verbose = false;
    const names: string[] = [];
    const words = [...tool.operands];
    while (words.length > 0) {
      const word = words.shift() as string;
      if (word === "--") names.push(...words.splice(0));
      else if (word === "-l" || word === "--list") {
        yield* tool.print(signalList(tool.gnu));
        return 0;
      } else if (word === "-q" || word === "--quiet") quiet = true;
      else if (tool.gnu && (word === "-v" || word === "--verbose")) verbose = true;
      else if (word === "-s" || word === "--signal") signal = words.shift() ?? "";
      else if (tool.gnu && /^-(?:[eIgiruwynoZ]|-\w.*)$/u.test(word)) throw new ToolFailure(`option ${word} is not supported here`);
      else if (word.startsWith("-")) signal = word.slice(1);
      else names.push(word);
    }
    const sent = signal === "0" ? undefined : signalByName(signal);
    if (sent === undefined && signal !== "0") {
      if (!tool.gnu) throw new ToolFailure(`bad signal name '${signal}'`);
      yield* tool.self.write(2, `${signal}: unknown signal; killall -l lists signals.\n`);
      return 1;
    }
    if (names.length === 0) {
      if (!tool.gnu) throw new ToolFailure("you need to specify whom to kill");
      yield* tool.self.write(2, "Usage: killall [OPTION]... [--] NAME...\n       killall -l, --list\n");
      return 1;
    }
    let status = 0;
    for (const name of names) {
      const found = tool.self
        .processes()
        .filter(ownNumber(tool.self))
        .filter((info) => isNamed(info, name));
      let reached = 0;
      for (const { pid } of found) {
        try {
          if (sent !== undefined) tool.self.kill(pid, sent);
          reached += 1;
          if (verbose)
            yield* tool.self.write(2, `Killed ${name}(${pid}) with signal ${sent === undefined ? 0 : signalNumbers[sent]}\n`);
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
          yield* tool.self.write(
            2,
            tool.gnu ? `${name}(${pid}): ${error.message}\n` : `killall: can't kill pid ${pid}: ${error.message}\n`,
          );
        }
      }
      if (found.length === 0 && !quiet)
        yield* tool.self.write(2, tool.gnu ? `${name}: no process found\n` : `killall: ${name}: no process killed\n`);
      if (reached === 0) status = 1;
    }
    return status;
  },
};

function signalList(gnu: boolean): string {
  const all = Object.entries(signalNumbers);
  if (gnu) return `${all.map(([name]) => name).join(" ")}\n`;
  return all.map(([name, number]) => `${String(number).padStart(2)}) ${name}\n`).join("");
}

export const pidof: CommandDefinition = {
  name: "pidof",
  options: "s,single-shot o,omit-pid= x c q S,separator= z",
  unsupported: "x c z",
  usage: "pidof [OPTIONS] [NAME]...",
  *run(tool) {
    const parent = String(tool.self.ppid);
    const omitted = tool
      .values("o")
      .flatMap((word) => word.split(","))
      .map((word) => (word === "%PPID" ? parent : word));
    const found = tool.self
      .processes()
      .filter((info) => tool.operands.some((name) => isNamed(info, name)) && !omitted.includes(String(info.pid)))
      .map(({ pid }) => pid)
      .reverse();
    if (found.length === 0) return 1;
    const shown = tool.has("s") ? found.slice(0, 1) : found;
    if (!tool.has("q")) yield* tool.print(`${shown.join(tool.value("S") ?? " ")}\n`);
    return 0;
  },
};

export const nice: CommandDefinition = {
  name: "nice",
  options: "n,adjustment=",
  usage: "nice [-n ADJUST] [PROG ARGS]",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const text = tool.value("n") ?? "10";
    if (!/^[-+]?\d+$/u.test(text))
      throw new ToolFailure(tool.gnu ? `invalid adjustment '${text}'` : `invalid number '${text}'`, tool.gnu ? 125 : 1);
    if (tool.operands.length === 0) {
      if (tool.has("n")) throw new UsageFailure("a command must be given with an adjustment");
      yield* tool.print("0\n");
      return 0;
    }
    if (Number(text) !== 0) throw new ToolFailure("cannot set niceness: Function not implemented", tool.gnu ? 125 : 1);
    return yield* runCommandLine(tool, tool.operands);
  },
};

export const renice: CommandDefinition = {
  name: "renice",
  usage: "renice [-n] PRIORITY [[-p|g|u] ID...]...",
  *run(tool) {
    const words = tool.operands.filter((word) => !/^-(?:n|p|g|u|-priority|-pid|-pgrp|-user|-relative)$/u.test(word));
    const [, ...targets] = words;
    if (targets.length === 0) throw new UsageFailure(tool.gnu ? "not enough arguments" : "");
    const alive = new Set(tool.self.processes().map(({ pid }) => String(pid)));
    for (const target of targets) {
      const known = alive.has(target);
      const reason = known ? "Function not implemented" : "No such process";
      yield* tool.warn(
        tool.gnu ? `failed to ${known ? "set" : "get"} priority for ${target} (process ID): ${reason}` : `setpriority: ${reason}`,
      );
    }
    return 1;
  },
};

export const setsid: CommandDefinition = {
  name: "setsid",
  options: "c,ctty f,fork w,wait",
  unsupported: "c",
  inOrder: true,
  usage: "setsid [-c] PROG ARGS",
  *run(tool) {
    const { self, operands } = tool;
    const [name] = operands;
    if (name === undefined) throw new UsageFailure(tool.gnu ? "no command specified" : "");
    let pid: number;
    try {
      pid = self.spawn({ run: findProgram(self, name, self.env.get("PATH")), argv: operands, newSession: true });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      const message = tool.gnu ? `failed to execute ${name}: ${error.message}` : `can't execute '${name}': ${error.message}`;
      throw new ToolFailure(message, error.code === "ENOENT" ? 127 : 126);
    }
    // Who leads a group cannot begin a session: then a child does, and nobody waits for it.
    if ((self.pgid === self.pid || tool.has("f")) && !tool.has("w")) return 0;
    return (yield* self.wait(pid))?.code ?? 0;
  },
};

export const usleep: CommandDefinition = {
  name: "usleep",
  options: "",
  usage: "usleep N\n\nPause for N microseconds",
  *run(tool) {
    const [text = ""] = tool.operands;
    if (!/^\d+$/u.test(text)) throw text === "" ? new UsageFailure("") : new ToolFailure(`invalid number '${text}'`);
    yield* tool.self.sleep(Number(text) / 1000);
    return 0;
  },
};

export const chroot: CommandDefinition = {
  name: "chroot",
  options: "groups= userspec= skip-chdir",
  unsupported: "groups userspec skip-chdir",
  inOrder: true,
  usageStatus: 125,
  usage: "chroot NEWROOT [PROG ARGS]\n\nRun PROG with root directory set to NEWROOT",
  *run(tool) {
    const [root, ...command] = tool.operands;
    if (root === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    try {
      tool.self.chroot(root);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(
        `${tool.gnu ? "cannot" : "can't"} change root directory to '${root}': ${error.message}`,
        tool.gnu ? 125 : 1,
      );
    }
    const shell = tool.self.env.get("SHELL") ?? "/bin/sh";
    return yield* runCommandLine(tool, command.length === 0 ? [shell, "-i"] : command);
  },
};

export const umount: CommandDefinition = {
  name: "umount",
  options: "a,all r,read-only l,lazy f,force d,detach-loop t,types= v,verbose n,no-mtab R,recursive q,quiet O,test-opts=",
  usage: "umount [-rlfda] [-t FSTYPE] FILESYSTEM|DIRECTORY",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length === 0 && !tool.has("a")) throw new UsageFailure(tool.gnu ? "bad usage" : "");
    const mounted = self.mounts();
    const targets = tool.has("a") ? mounted.map(({ path }) => path) : tool.operands;
    for (const target of targets) {
      const isThere = self.exists(target);
      const isMounted = isThere && mounted.some(({ path }) => path === self.realpath(target));
      if (!tool.gnu) {
        const reason = isThere ? (isMounted ? "Operation not permitted" : "Invalid argument") : "No such file or directory";
        yield* tool.warn(`can't unmount ${target}: ${reason}`);
      } else if (!isThere) yield* tool.warn(`${target}: no mount point specified.`, 32);
      else if (!isMounted) yield* tool.warn(`${target}: not mounted.`, 32);
      else yield* tool.warn(`${target}: must be superuser to unmount.`, 32);
    }
    return tool.status;
  },
};

function cpus(self: Process): number {
  try {
    return self.readText("/proc/cpuinfo").match(/^processor/gmu)?.length ?? 1;
  } catch (error) {
    if (error instanceof SysError) return 1;
    throw error;
  }
}

export const taskset: CommandDefinition = {
  name: "taskset",
  options: "a,all-tasks c,cpu-list p,pid",
  inOrder: true,
  usage: "taskset [-ap] [HEXMASK | -c LIST] { PID | PROG ARGS }",
  *run(tool) {
    const { self, operands } = tool;
    const count = cpus(self);
    const all = (2n ** BigInt(count) - 1n).toString(16);
    const list = count === 1 ? "0" : count === 2 && tool.gnu ? "0,1" : `0-${count - 1}`;
    const [first, second] = operands;
    if (first === undefined || (!tool.has("p") && second === undefined)) throw new UsageFailure(tool.gnu ? "bad usage" : "");
    if (tool.has("p") && second === undefined) {
      if (!self.processes().some(({ pid }) => String(pid) === first))
        throw new ToolFailure(
          tool.gnu
            ? `failed to get pid ${first}'s affinity: No such process`
            : `can't get pid ${first}'s affinity: No such process`,
        );
      yield* tool.print(`pid ${first}'s current affinity ${tool.has("c") ? `list: ${list}` : `mask: ${all}`}\n`);
      return 0;
    }
    const isAll = tool.has("c") ? first === list || first === `0-${count - 1}` : first.replace(/^0x/u, "") === all;
    if (!isAll) throw new ToolFailure(`failed to set pid ${tool.has("p") ? second : 0}'s affinity: Function not implemented`);
    return tool.has("p") ? 0 : yield* runCommandLine(tool, operands.slice(1));
  },
};

export const getconf: CommandDefinition = {
  name: "getconf",
  *run(tool) {
    const [name] = tool.operands;
    if (name === undefined) {
      yield* tool.self.write(2, "Usage: getconf [-v specification] variable_name [pathname]\n");
      return 2;
    }
    const value = configuration(tool, name);
    if (value === undefined) {
      yield* tool.self.write(2, `getconf: Unrecognized variable \`${name}'\n`);
      return 2;
    }
    yield* tool.print(`${value}\n`);
    return 0;
  },
};

const fixedConfiguration: { readonly [name: string]: number } = {
  ARG_MAX: 2_097_152,
  CHAR_BIT: 8,
  CLK_TCK: 100,
  HOST_NAME_MAX: 64,
  INT_MAX: 2_147_483_647,
  LONG_BIT: 64,
  NAME_MAX: 255,
  OPEN_MAX: 1024,
  PAGESIZE: 4096,
  PAGE_SIZE: 4096,
  PATH_MAX: 4096,
  PIPE_BUF: 4096,
};

function configuration({ self }: Tool, name: string): number | undefined {
  if (Object.hasOwn(fixedConfiguration, name)) return fixedConfiguration[name];
  if (name === "_NPROCESSORS_ONLN" || name === "_NPROCESSORS_CONF") return cpus(self);
  const row = { _PHYS_PAGES: "MemTotal", _AVPHYS_PAGES: "MemFree" }[name];
  if (row === undefined) return undefined;
  const match = new RegExp(`^${row}:\\s+(\\d+)`, "mu").exec(self.readText("/proc/meminfo"));
  return match === null ? undefined : Math.floor(Number(match[1]) / 4);
}

export const lscpu: CommandDefinition = {
  name: "lscpu",
  options: "a b c e=? p=? x y J,json",
  unsupported: "a b c e p x y J",
  *run(tool) {
    const count = cpus(tool.self);
    const model = /^model name\s*: (.*)$/mu.exec(tool.self.readText("/proc/cpuinfo"))?.[1] ?? "";
    const rows: readonly (readonly [string, string])[] = [
      ["Architecture", "x86_64"],
      ["CPU op-mode(s)", "32-bit, 64-bit"],
      ["Byte Order", "Little Endian"],
      ["CPU(s)", String(count)],
      ["On-line CPU(s) list", count === 1 ? "0" : `0-${count - 1}`],
      ["Model name", model],
    ];
    for (const [name, value] of rows) yield* tool.print(`${`${name}:`.padEnd(25)}${value}\n`);
    return 0;
  },
};

export const who: CommandDefinition = {
  name: "who",
  options: "a,all b,boot d,dead H,heading l,login m p,process q,count r,runlevel s,short t,time T,mesg u,users lookup ips w",
  unsupported: "a b d l p q r t T u lookup ips w",
  usage: "who [-aH]",
  *run(tool) {
    const { self } = tool;
    // Login shells have a dash before their name.
    const logins = self.processes().filter(({ argv, tty }) => argv[0]?.startsWith("-") === true && tty !== undefined);
    if (tool.has("H"))
      yield* tool.print(tool.gnu ? "NAME     LINE         TIME             COMMENT\n" : "USER\t\tTTY\t\tIDLE\tTIME\t\t HOST\n");
    for (const { uid, tty = "", startedMs } of logins) {
      const line = tty.replace(/^\/dev\//u, "");
      yield* tool.print(`${userName(self, uid).padEnd(8)} ${line.padEnd(12)} ${formatDate("%F %R", startedMs)}\n`);
    }
    return 0;
  },
};
