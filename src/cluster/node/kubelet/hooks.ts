// Lifecycle hooks: postStart and preStop, as a command, an HTTP request or a pause (kubelet's lifecycle/handlers.go).

import type { Container, ExecAction, HTTPGetAction, LifecycleHandler } from "#cluster/api/generated/types.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeContainer } from "../runtime/cri.ts";
import { containerFieldPath } from "./field-path.ts";
import type { KubeletJournal } from "./kubelet-journal.ts";
import { goList, podLabel, type StoredPod } from "./pod-spec.ts";
import { portNumber, prepareGet, probeHttp } from "./probes/handlers.ts";
import { call, type Task } from "./task.ts";

export interface HookRunnerOptions {
  readonly simulation: Simulation;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly journal: KubeletJournal;
  readonly stack: NetworkStack;
  readonly podIpOf: (pod: StoredPod) => string;
  readonly userAgent: string;
}

/** Nothing limits a hook's request; a day ends the worst of them. */
const unlimitedMs = 86_400_000;
/** What a container runtime takes to find that it cannot start a command. */
const failedExecMs = 50;
/** What is kept of each stream of a command. */
const maximumOutputBytes = 10 * 1024;

/** Why a hook failed, in Go's words. */
interface HookFailure {
  readonly error: string;
  /** What the container's waiting state says of a postStart hook; the event does not: it might give secrets away. */
  readonly message: string;
}

type Done = (failure: HookFailure | undefined) => void;

/** As Go prints a handler that is none of those that can be run. */
function unknownHandler({ tcpSocket }: LifecycleHandler): string {
  const { port = 0, host = "" } = tcpSocket ?? {};
  const number = typeof port === "number" ? `{0 ${port} }` : `{1 0 ${port}}`;
  const action = tcpSocket === undefined ? "nil" : `&TCPSocketAction{Port:${number},Host:${host},}`;
  return `invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${action},Sleep:nil,}`;
}

export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #inPostStart = new Set<string>();
  #isStopped = false;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  readonly isInPostStart = (container: RuntimeContainer): boolean => this.#inPostStart.has(container.id);

  /** Commands that run go on; nobody hears of their end. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Undefined when it went well, else why not. */
  *runPostStart(pod: StoredPod, container: RuntimeContainer, spec: Container): Task<string | undefined> {
    const handler = spec.lifecycle?.postStart;
    if (handler === undefined) return undefined;
    this.#inPostStart.add(container.id);
    try {
      const failure = yield* call<HookFailure | undefined>((done) => this.#run(pod, container, spec, handler, done));
      if (failure !== undefined) this.#options.journal.postStartFailed(pod, container, failure.error);
      return failure?.message;
    } finally {
      this.#inPostStart.delete(container.id);
    }
  }

  /**
   * Ends with the hook, or when the grace period is over: then the hook runs on until its container ends, and fails with it
   * (kuberuntime's executePreStopHook).
   */
  *runPreStop(pod: StoredPod, container: RuntimeContainer, spec: Container, graceSeconds: number): Task<void> {
    const handler = spec.lifecycle?.preStop;
    if (handler === undefined) return;
    const { simulation, journal } = this.#options;
    journal.preStop("running", pod, container);
    yield* call<undefined>((done) => {
      let isOver = false;
      const end = (outcome: "completed" | "notCompleted"): void => {
        if (isOver) return;
        isOver = true;
        simulation.cancel(timer);
        journal.preStop(outcome, pod, container, graceSeconds);
        done(undefined);
      };
      const timer = simulation.after(graceSeconds * 1000, () => end("notCompleted"), { background: true });
      this.#run(pod, container, spec, handler, (failure) => {
        if (this.#isStopped) return;
        if (failure !== undefined) this.#preStopFailed(pod, container, failure);
        end("completed");
      });
    });
  }

  #preStopFailed(pod: StoredPod, container: RuntimeContainer, failure: HookFailure): void {
    const { journal, recorder } = this.#options;
    journal.preStopFailed(pod, container, failure.error);
    recorder.warning(pod, "FailedPreStopHook", "PreStopHook failed", containerFieldPath(pod, container.config.name));
  }

  #run(pod: StoredPod, container: RuntimeContainer, spec: Container, handler: LifecycleHandler, done: Done): void {
    const { simulation, journal } = this.#options;
    const { exec, httpGet, sleep } = handler;
    const of = `for Container ${JSON.stringify(spec.name)} in Pod ${JSON.stringify(podLabel(pod))} failed - error:`;
    if (exec !== undefined) {
      const { command = [] } = exec;
      this.#exec(container, exec, (error, output) => {
        if (error === undefined || this.#isStopped) return done(undefined);
        journal.execHookFailed(pod, spec.name, command, output, error);
        const message = `Exec lifecycle hook (${goList(command)}) ${of} ${error}, message: ${JSON.stringify(output)}`;
        done({ error, message });
      });
    } else if (httpGet !== undefined) {
      this.#get(pod, spec, httpGet, (error) => {
        if (error === undefined || this.#isStopped) return done(undefined);
        const { path = "" } = httpGet;
        journal.httpHookFailed(pod, spec.name, path, error);
        done({ error, message: `HTTP lifecycle hook (${path}) ${of} ${error}` });
      });
    } else if (sleep !== undefined) {
      simulation.after(Number(sleep.seconds) * 1000, () => done(undefined), { background: true });
    } else {
      const error = unknownHandler(handler);
      journal.unknownHook(error);
      done({ error, message: `Cannot run handler: ${error}` });
    }
  }

  /** Runs a command in the container for as long as it takes; a failure has both of its streams in the output. */
  #exec(container: RuntimeContainer, { command = [] }: ExecAction, done: (error: string | undefined, output: string) => void) {
    const { simulation, runtime } = this.#options;
    const started = runtime.exec(container.id, { argv: command, tty: false, stdin: false });
    if (!started.ok) {
      const error = `rpc error: code = Unknown desc = failed to exec in container: ${started.message}`;
      simulation.after(failedExecMs, () => done(error, ""));
      return;
    }
    const stream = started.value;
    const collector = (): { add: (piece: Bytes) => void; text: () => string } => {
      const pieces: Bytes[] = [];
      let bytes = 0;
      return {
        add: (piece) => {
          if (bytes < maximumOutputBytes) pieces.push(piece);
          bytes += piece.length;
        },
        text: () => decodeUtf8(concatBytes(pieces).subarray(0, maximumOutputBytes)),
      };
    };
    const stdout = collector();
    const stderr = collector();
    stream.onStdout = stdout.add;
    stream.onStderr = stderr.add;
    stream.onExit = (code) => {
      if (code === 0) return done(undefined, "");
      const errors = stderr.text();
      done(`command '${command.join(" ")}' exited with ${code}: ${errors}`, stdout.text() + errors);
    };
  }

  /** Any answer will do: only a request without one fails. It is not sent again. */
  #get(pod: StoredPod, spec: Container, httpGet: HTTPGetAction, done: (error: string | undefined) => void): void {
    const { stack, podIpOf, userAgent } = this.#options;
    const port = portNumber(httpGet.port, spec.ports ?? []);
    if (port === undefined) {
      done(`couldn't find port: ${JSON.stringify(httpGet.port)}`);
      return;
    }
    const get = prepareGet(httpGet, port, podIpOf(pod), userAgent, unlimitedMs);
    probeHttp(stack, get, ({ result, output }) => {
      done(result !== "failure" || output.startsWith("HTTP probe failed") ? undefined : output);
    });
  }
}
