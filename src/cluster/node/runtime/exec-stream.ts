// Commands run beside a container's main process, and attachments to that process.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Kernel, ProcessHandle } from "#sim/kernel.ts";
import type { InputPipe } from "#sim/process/pipe.ts";
import type { TerminalDevice } from "#sim/terminal/device.ts";
import type { ExecRequest, ExecStream, RuntimeResult } from "./cri.ts";
import type { ContainerRecord, SandboxRecord } from "./records.ts";
import { causeOf } from "./start-errors.ts";

export { mountErrorMessage, outOfMemoryAtStart, startErrorMessage } from "./start-errors.ts";

class ProcessStream implements ExecStream {
  onStdout: ((bytes: Bytes) => void) | undefined;
  onStderr: ((bytes: Bytes) => void) | undefined;
  onExit: ((code: number) => void) | undefined;
  terminal: TerminalDevice | undefined;
  stdin: InputPipe | undefined;
  process: ProcessHandle | undefined;

  write(bytes: Bytes): void {
    if (this.terminal !== undefined) this.terminal.input(bytes);
    else this.stdin?.write(bytes);
  }

  closeStdin(): void {
    this.stdin?.end();
  }

  resize(columns: number, rows: number): void {
    this.terminal?.resize(columns, rows);
  }

  abort(): void {
    this.process?.signal("KILL");
  }

  /** The process runs on: its input ends, its terminal stays open (containerd: execInContainer, ExecIO.Attach). */
  detach(): void {
    this.onStdout = undefined;
    this.onStderr = undefined;
    this.onExit = undefined;
    this.closeStdin();
  }
}

export function execIn(
  kernel: Kernel,
  container: ContainerRecord,
  sandbox: SandboxRecord,
  request: ExecRequest,
  newId: () => string,
): RuntimeResult<ExecStream> {
  const { config, mounts, pids, group } = container;
  if (mounts === undefined || pids === undefined) return { ok: false, message: `container not running (${container.id})` };
  const stream = new ProcessStream();
  if (request.tty) {
    stream.terminal = kernel.createTerminal({ columns: 80, rows: 24 });
    stream.terminal.onOutput = (bytes) => stream.onStdout?.(bytes);
  } else if (request.stdin) stream.stdin = kernel.createInputPipe();
  const env = request.tty ? new Map([...config.env, ["TERM", "xterm"]]) : config.env;
  try {
    stream.process = kernel.start({
      run: request.argv[0] ?? "",
      argv: request.argv,
      env,
      cwd: config.workingDir,
      uid: config.user.uid,
      gid: config.user.gid,
      groups: config.user.groups,
      capabilities: config.capabilities,
      restrictions: config.restrictions,
      hostname: sandbox.config.hostname,
      pidNamespace: pids,
      mounts,
      userNamespace: sandbox.config.userNamespace,
      ipc: sandbox.ipc,
      network: sandbox.stack,
      ...(group === undefined ? {} : { controlGroup: group }),
      ...(stream.terminal === undefined
        ? { stdout: (bytes: Bytes) => stream.onStdout?.(bytes), stderr: (bytes: Bytes) => stream.onStderr?.(bytes) }
        : { terminal: stream.terminal }),
      ...(stream.stdin === undefined ? {} : { stdin: stream.stdin.file }),
    });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return { ok: false, message: execErrorMessage(newId(), request.argv, error) };
  }
  stream.process.onExit = (status) => stream.onExit?.(status.code);
  return { ok: true, value: stream };
}

/**
 * Output from now on; keys and input go to the container's own stdin. Where the end of the input does not end that, which is so
 * without `stdinOnce` and with a terminal, it ends the stream (containerd: ContainerIO.Attach).
 */
export function attachTo(container: ContainerRecord, stdin: boolean): ExecStream {
  let isOver = false;
  const end = (code: number): void => {
    container.attached?.delete(listener);
    if (!isOver) attachment.onExit?.(code);
    isOver = true;
  };
  const listener = (stream: "stdout" | "stderr", bytes: Bytes): void => {
    if (stream === "stdout") attachment.onStdout?.(bytes);
    else attachment.onStderr?.(bytes);
  };
  const attachment: ExecStream = {
    onStdout: undefined,
    onStderr: undefined,
    onExit: undefined,
    write(bytes) {
      if (!stdin) return;
      if (container.terminal !== undefined) container.terminal.input(bytes);
      else container.stdin?.write(bytes);
    },
    closeStdin() {
      if (!stdin) return;
      if (container.config.stdinOnce && container.terminal === undefined) container.stdin?.end();
      else end(0);
    },
    resize(columns, rows) {
      container.terminal?.resize(columns, rows);
    },
    abort() {
      container.attached?.delete(listener);
    },
    detach() {
      attachment.abort();
    },
  };
  container.attached ??= new Set();
  container.attached.add(listener);
  container.onExit.push(() => end(container.exitCode));
  return attachment;
}

/** The container whose PID namespace it is to share does not run (containerd: validateTargetContainer). */
export function targetErrorMessage(id: string, targetId: string, state: string): string {
  return `failed to generate container "${id}" spec: invalid target container: container "${targetId}" is not running - in state CONTAINER_${asciiUpperCase(state)}`;
}

function execErrorMessage(execId: string, argv: readonly string[], error: SysError): string {
  return `failed to start exec "${execId}": OCI runtime exec failed: exec failed: unable to start container process: ${causeOf(argv, error)}: unknown`;
}
