// ssh from the workstation to the machines of the cluster: a root shell there on a terminal of its own, or one command.

import type { Machine } from "#cluster/node/host/machine.ts";
import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { ProcessHandle } from "#sim/kernel.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { TerminalDevice } from "#sim/terminal/device.ts";
import type { MachinePower } from "./machine-power.ts";
import { Output, relay } from "./relayed-output.ts";

export interface SshOptions {
  /** The machine of a name or address. */
  readonly machine: (name: string) => Machine | undefined;
  /** By the machine's own name. */
  readonly powerOf: (hostname: string) => MachinePower | undefined;
  /** A name or address of another machine, where nobody can log in. */
  readonly isClosed: (name: string) => boolean;
}

interface Call {
  readonly destination: string;
  readonly command: readonly string[];
  /** -t: a terminal even for a command. */
  readonly terminal: boolean;
  /** -n: no input. */
  readonly noInput: boolean;
}

/** Three ARP requests without an answer, a second each. */
const unreachableMs = 3_000;
const usage = "usage: ssh [-nqTtv46] [-l login_name] [-o option] [-p port] destination [command [argument ...]]\n";
const environment = new Map([
  ["HOME", "/root"],
  ["USER", "root"],
  ["LOGNAME", "root"],
  ["SHELL", "/bin/bash"],
  ["PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
  ["LANG", "C.UTF-8"],
]);

/** The program `ssh`. Every machine takes the learner's key; only root has an account there. */
export function ssh({ machine, powerOf, isClosed }: SshOptions): Program {
  return function* (self) {
    const call = readCall(self.argv.slice(1));
    if (typeof call === "string") {
      yield* self.write(2, call);
      return 255;
    }
    const at = call.destination.lastIndexOf("@");
    const [user, name] = at < 0 ? ["root", call.destination] : [call.destination.slice(0, at), call.destination.slice(at + 1)];
    const target = machine(name);
    if (target === undefined && isClosed(name)) {
      yield* self.write(2, `ssh: connect to host ${name} port 22: Connection refused\r\n`);
      return 255;
    }
    if (target === undefined) {
      yield* self.write(2, `ssh: Could not resolve hostname ${name}: Name or service not known\r\n`);
      return 255;
    }
    if (!target.network.isReachable) {
      yield* self.sleep(unreachableMs);
      yield* self.write(2, `ssh: connect to host ${name} port 22: No route to host\r\n`);
      return 255;
    }
    if (powerOf(target.name)?.state === "stopping") {
      yield* self.write(2, `ssh: connect to host ${name} port 22: Connection refused\r\n`);
      return 255;
    }
    if (user !== "root") {
      yield* self.write(2, `${user}@${name}: Permission denied (publickey).\r\n`);
      return 255;
    }
    const interactive = self.isTty(0) && (call.terminal || call.command.length === 0);
    const { bootId } = target;
    const code = interactive ? yield* onTerminal(self, target, call) : yield* onPipes(self, target, call);
    const isGone = powerOf(target.name)?.state !== "on" || target.bootId !== bootId;
    if (isGone) yield* self.write(2, `Connection to ${name} closed by remote host.\r\n`);
    if (interactive && (isGone || call.command.length === 0)) yield* self.write(2, `Connection to ${name} closed.\n`);
    return isGone ? 255 : code;
  };
}

function readCall(args: readonly string[]): Call | string {
  let terminal = false;
  let noInput = false;
  let login: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as string;
    if (!word.startsWith("-") || word === "-") {
      const destination = login === undefined || word.includes("@") ? word : `${login}@${word}`;
      return { destination, command: args.slice(at + 1), terminal, noInput };
    }
    const letter = word[1] as string;
    if (letter === "t") terminal = true;
    else if (letter === "n") noInput = true;
    else if (letter === "l") login = word.length > 2 ? word.slice(2) : args[++at];
    // Host keys, ports and verbosity make no difference on this wire.
    else if ("opi".includes(letter)) at += word.length > 2 ? 0 : 1;
    else if (!"qTv46".includes(letter)) return `unknown option -- ${letter}\n${usage}`;
  }
  return usage;
}

function watchExit(handle: ProcessHandle, output: Output): void {
  handle.onExit = ({ code }) => {
    output.exit = code;
    output.wake();
  };
}

function* onTerminal(self: Process, machine: Machine, call: Call): Sys<number> {
  const local = self.terminal(0);
  const modes = local.modes;
  const remote = machine.kernel.createTerminal({ columns: local.columns, rows: local.rows });
  const output = new Output();
  remote.onOutput = (bytes) => output.add(1, bytes);
  const handle = machine.start({
    run: "/bin/bash",
    argv: call.command.length === 0 ? ["-bash"] : ["bash", "-c", call.command.join(" ")],
    env: new Map([...environment, ["TERM", self.env.get("TERM") ?? "xterm"], ["PS1", "\\u@\\h:\\w\\$ "]]),
    cwd: "/root",
    uid: 0,
    gid: 0,
    terminal: remote,
    background: false,
  });
  watchExit(handle, output);
  self.setSignal("WINCH", "catch");
  local.setModes({ canonical: false, echo: false, signals: false, outputCrLf: false });
  let code: number;
  try {
    self.startThread(() => typing(self, remote));
    code = yield* relay(self, output, () => {
      self.takeSignals();
      remote.resize(local.columns, local.rows);
    });
  } finally {
    local.setModes(modes);
    remote.hangUp();
  }
  return code;
}

function* typing(self: Process, remote: TerminalDevice): Sys<void> {
  for (;;) {
    let bytes: Bytes = noBytes;
    try {
      bytes = yield* self.read(0);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      continue;
    }
    if (bytes.length === 0) {
      remote.hangUp();
      return;
    }
    remote.input(bytes);
  }
}

/** A command without a terminal: its input is read to the end first, unless that would be the keyboard's. */
function* onPipes(self: Process, machine: Machine, call: Call): Sys<number> {
  const input = call.noInput || self.isTty(0) ? noBytes : yield* readAll(self);
  const output = new Output();
  const script = call.command.length === 0 ? "exec bash" : call.command.join(" ");
  const run: Program = function* (there) {
    const [readEnd, writeEnd] = there.pipe();
    const fds = new Map([
      [0, readEnd],
      [1, 1],
      [2, 2],
    ]);
    const pid = there.spawn({ run: "/bin/bash", argv: ["bash", "-c", script], fds });
    there.close(readEnd);
    try {
      if (input.length > 0) yield* there.write(writeEnd, input);
    } catch (error) {
      // The command did not want all of it.
      if (!(error instanceof SysError) || error.code !== "EPIPE") throw error;
    }
    there.close(writeEnd);
    return (yield* there.wait(pid))?.code ?? 255;
  };
  const handle = machine.start({
    run,
    argv: ["sshd: root@notty"],
    env: environment,
    cwd: "/root",
    uid: 0,
    gid: 0,
    stdout: (bytes) => output.add(1, bytes),
    stderr: (bytes) => output.add(2, bytes),
    background: false,
  });
  watchExit(handle, output);
  return yield* relay(self, output, () => handle.signal("HUP"));
}

function* readAll(self: Process): Sys<Bytes> {
  const parts: Bytes[] = [];
  for (;;) {
    const bytes = yield* self.read(0);
    if (bytes.length === 0) return concatBytes(parts);
    parts.push(bytes);
  }
}
