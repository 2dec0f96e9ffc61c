// What crictl does to containers, sandboxes and images of its node, behind the kubelet's back: the kubelet makes again what
// its pods want.

import { compareBytes } from "#cluster/api/json-write.ts";
import type { ExecStream, RuntimeResult, StoredImage } from "#cluster/node/runtime/cri.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Call, containerOf, containersOf, has, Refusal, type RuntimeMachine, sandboxesOf, sandboxOf } from "./crictl-call.ts";
import { log, preciseSize, shortId, table } from "./crictl-output.ts";
import { Output, relay } from "./relayed-output.ts";

type Runtime = RuntimeMachine["runtime"];

/** Starts something that calls back, and waits for it. */
function* waitFor(self: Process, start: (done: () => void) => void): Sys<void> {
  const output = new Output();
  start(() => {
    output.exit = 0;
    output.wake();
  });
  yield* relay(self, output, () => {});
}

function* eachOf(self: Process, ids: readonly string[], act: (id: string) => Sys<void>): Sys<number> {
  let failed: string | undefined;
  for (const id of ids) {
    try {
      yield* act(id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (failed !== undefined) yield* log(self, "error", failed);
      failed = error.message;
    }
  }
  if (failed !== undefined) throw new Refusal(failed);
  return 0;
}

/** A container or sandbox that is not there has been stopped already: containerd's calls are idempotent. */
function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.message.includes("code = NotFound");
}

function known<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function* stopContainer(self: Process, runtime: Runtime, id: string, graceMs: number): Sys<void> {
  const container = known(() => containerOf(runtime, id));
  if (container !== undefined) yield* waitFor(self, (done) => runtime.stopContainer(container.id, graceMs, done));
  yield* self.write(1, `${id}\n`);
}

export function* stopContainers(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const running = containersOf(runtime).filter(({ state }) => state === "running");
  if (has(call, "all") && call.operands.length > 0) throw new Refusal("cannot specify CONTAINER-ID(s) when using --all");
  if (!has(call, "all") && call.operands.length === 0) throw new Refusal("you must specify at least one CONTAINER-ID or use --all");
  if (has(call, "all") && running.length === 0) yield* self.write(1, "No running containers found.\n");
  const graceMs = Number(call.options.get("timeout") ?? 0) * 1000;
  const ids = has(call, "all") ? running.map(({ id }) => id) : call.operands;
  return yield* eachOf(self, ids, (id) => stopContainer(self, runtime, id, graceMs));
}

export function* removeContainers(self: Process, { runtime, machine }: RuntimeMachine, call: Call): Sys<number> {
  const ids = has(call, "all") ? containersOf(runtime).map(({ id }) => id) : call.operands;
  if (ids.length === 0 && !has(call, "all")) throw new Refusal("ID cannot be empty");
  const remove = function* (id: string): Sys<void> {
    const container = known(() => containerOf(runtime, id));
    if (container === undefined) {
      const cause = `rpc error: code = NotFound desc = an error occurred when try to find container "${id}": not found`;
      throw new Refusal(`getting container status "${id}": ${cause}`);
    }
    if (container.state === "running") {
      if (!has(call, "force")) throw new Refusal(`container "${id}" is running, please stop it first`);
      yield* stopContainer(self, runtime, id, 0);
    }
    runtime.removeContainer(container.id);
    yield* self.write(1, `${id}\n`);
    if (has(call, "keep-logs")) return;
    const { path } = container.config.logFile;
    const directory = path.slice(0, path.lastIndexOf("/"));
    for (const name of machine.files.exists(directory) ? machine.files.readdir(directory) : [])
      if (`${directory}/${name}` === path || `${directory}/${name}`.startsWith(`${path}.`))
        machine.files.unlink(`${directory}/${name}`);
  };
  return yield* eachOf(self, ids, remove);
}

export function* stopSandboxes(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  if (call.operands.length === 0) throw new Refusal("ID cannot be empty");
  return yield* eachOf(self, call.operands, (id) => stopSandbox(self, runtime, id));
}

function* stopSandbox(self: Process, runtime: Runtime, id: string): Sys<void> {
  const sandbox = known(() => sandboxOf(runtime, id));
  if (sandbox !== undefined) yield* waitFor(self, (done) => runtime.stopSandbox(sandbox.id, done));
  yield* self.write(1, `Stopped sandbox ${id}\n`);
}

export function* removeSandboxes(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const ids = has(call, "all") ? sandboxesOf(runtime).map(({ id }) => id) : call.operands;
  if (ids.length === 0 && !has(call, "all")) throw new Refusal("ID cannot be empty");
  const remove = function* (id: string): Sys<void> {
    const sandbox = known(() => sandboxOf(runtime, id));
    if (sandbox === undefined) {
      const cause = `rpc error: code = NotFound desc = an error occurred when try to find sandbox "${id}": not found`;
      throw new Refusal(`getting sandbox status of pod "${id}": ${cause}`);
    }
    if (sandbox.state === "ready") {
      if (!has(call, "force")) throw new Refusal(`pod sandbox "${id}" is running, please stop it first`);
      yield* stopSandbox(self, runtime, id);
    }
    for (const container of runtime.containersOf(sandbox.config.podUid))
      if (container.sandboxId === sandbox.id) runtime.removeContainer(container.id);
    runtime.removeSandbox(sandbox.id);
    yield* self.write(1, `Removed sandbox ${id}\n`);
  };
  return yield* eachOf(self, ids, remove);
}

export function* pull(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const [name] = call.operands;
  if (name === undefined) throw new Refusal("Image name cannot be empty");
  const [username = "", password = ""] = (call.options.get("creds") ?? "").split(":");
  let result: RuntimeResult<StoredImage> | undefined;
  yield* waitFor(self, (done) =>
    runtime.pullImage(name, username === "" ? undefined : { username, password }, (answer) => {
      result = answer;
      done();
    }),
  );
  if (result === undefined) return 1;
  if (!result.ok) throw new Refusal(`pulling image: ${result.message}`);
  yield* self.write(1, `Image is up to date for ${result.value.id}\n`);
  return 0;
}

export function* stats(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const wanted = call.options.get("id") ?? call.operands[0] ?? "";
  const fits = (id: string, sandboxId: string): boolean =>
    id.startsWith(wanted) && sandboxId.startsWith(call.options.get("pod") ?? "");
  const used = () =>
    new Map(
      containersOf(runtime)
        .filter(({ id, sandboxId }) => fits(id, sandboxId))
        .map(({ id, config, state }) => [id, { name: config.name, isRunning: state === "running", ...runtime.use(id) }] as const),
    );
  const before = used();
  const startMs = self.nowMs;
  yield* self.sleep(Math.max(1, Number(call.options.get("seconds") ?? 1)) * 1000);
  const rows = [...used()]
    .filter(([id, { isRunning }]) => before.has(id) && (isRunning || has(call, "all")))
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([id, use]) => {
      const percent = (100 * (use.cpuMs - (before.get(id)?.cpuMs ?? 0))) / (self.nowMs - startMs);
      const sizes = [preciseSize(use.memoryBytes), preciseSize(use.writableLayerBytes)];
      return [shortId(id), use.name, percent.toFixed(2), ...sizes, String(use.writableLayerInodes)];
    });
  yield* self.write(1, table([["CONTAINER", "NAME", "CPU %", "MEM", "DISK", "INODES"], ...rows]));
  return 0;
}

export function* exec(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const [id, ...argv] = call.operands;
  if (id === undefined || argv.length === 0) throw new Refusal("crictl exec: a container's ID and a command are wanted");
  const [tty, stdin] = [has(call, "tty"), has(call, "interactive")];
  if (tty && !stdin) throw new Refusal(`execing command in container ${id}: tty=true must be specified with interactive=true`);
  if (tty && !self.isTty(0)) throw new Refusal(`execing command in container ${id}: input is not a terminal`);
  const container = known(() => containerOf(runtime, id));
  if (container === undefined)
    throw new Refusal(
      `execing command in container ${id}: rpc error: code = NotFound desc = failed to find container "${id}" in store: not found`,
    );
  if (container.state !== "running")
    throw new Refusal(
      `execing command in container ${id}: rpc error: code = Unknown desc = container is in ${container.state === "exited" ? "CONTAINER_EXITED" : "CONTAINER_CREATED"} state`,
    );
  const started = runtime.exec(container.id, { argv, tty, stdin });
  if (!started.ok)
    throw new Refusal(
      `execing command in container ${id}: Internal error occurred: error executing command in container: ${started.message}`,
    );
  const code = yield* converse(self, started.value, tty, stdin);
  if (code === 0) return 0;
  throw new Refusal(`execing command in container ${id}: command terminated with exit code ${code}`);
}

/** Hands input and output on until the command has ended; its exit code. */
function* converse(self: Process, stream: ExecStream, tty: boolean, stdin: boolean): Sys<number> {
  const output = new Output();
  stream.onStdout = (bytes) => output.add(1, bytes);
  stream.onStderr = (bytes) => output.add(2, bytes);
  stream.onExit = (code) => {
    output.exit = code;
    output.wake();
  };
  if (stdin) self.startThread(() => feed(self, stream));
  if (!tty) return yield* relay(self, output, () => stream.abort());
  const local = self.terminal(0);
  const { modes } = local;
  stream.resize(local.columns, local.rows);
  self.setSignal("WINCH", "catch");
  local.setModes({ canonical: false, echo: false, signals: false, outputCrLf: false });
  try {
    return yield* relay(self, output, () => {
      self.takeSignals();
      stream.resize(local.columns, local.rows);
    });
  } finally {
    local.setModes(modes);
  }
}

function* feed(self: Process, stream: ExecStream): Sys<void> {
  for (;;) {
    try {
      const bytes = yield* self.read(0);
      if (bytes.length === 0) {
        stream.closeStdin();
        return;
      }
      stream.write(bytes);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
    }
  }
}
