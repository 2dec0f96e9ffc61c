// Lifecycle hooks: postStart and preStop, as a command, an HTTP request or a pause.

import type { Container, LifecycleHandler } from "#cluster/api/generated/types.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeContainer } from "../runtime/cri.ts";
import { containerFieldPath } from "./field-path.ts";
import type { StoredPod } from "./pod-spec.ts";
import { type ProbeAnswer, portNumber, prepareGet, probeExec, probeHttp } from "./probes/handlers.ts";
import { call, type Task } from "./task.ts";

export interface HookRunnerOptions {
  readonly simulation: Simulation;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly stack: NetworkStack;
  readonly podIpOf: (pod: StoredPod) => string;
  readonly userAgent: string;
}

/** A preStop hook that has not ended by the end of the grace period gets this much more. */
const preStopExtensionMs = 2_000;
/** Nothing limits a postStart hook; a day ends the worst of them. */
const unlimitedMs = 86_400_000;
const hookTimeoutMs = 30_000;

export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #inPostStart = new Set<string>();

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  readonly isInPostStart = (container: RuntimeContainer): boolean => this.#inPostStart.has(container.id);

  /** Undefined when it went well, else why not. */
  *runPostStart(pod: StoredPod, container: RuntimeContainer, spec: Container): Task<string | undefined> {
    const handler = spec.lifecycle?.postStart;
    if (handler === undefined) return undefined;
    this.#inPostStart.add(container.id);
    try {
      const answer = yield* this.#run(pod, container, spec, handler, unlimitedMs);
      return answer.result === "success" ? undefined : answer.output;
    } finally {
      this.#inPostStart.delete(container.id);
    }
  }

  /** Ends with the hook, or when the grace period is over. */
  *runPreStop(pod: StoredPod, container: RuntimeContainer, spec: Container, graceMs: number): Task<void> {
    const handler = spec.lifecycle?.preStop;
    if (handler === undefined) return;
    const answer = yield* this.#run(pod, container, spec, handler, graceMs + preStopExtensionMs);
    if (answer.result === "success" || answer.output === "") return;
    this.#options.recorder.warning(pod, "FailedPreStopHook", "PreStopHook failed", containerFieldPath(pod, spec.name));
  }

  *#run(
    pod: StoredPod,
    container: RuntimeContainer,
    spec: Container,
    handler: LifecycleHandler,
    limitMs: number,
  ): Task<ProbeAnswer> {
    const { simulation, runtime, stack, podIpOf, userAgent } = this.#options;
    const { exec, httpGet, sleep } = handler;
    return yield* call<ProbeAnswer>((done) => {
      if (exec !== undefined) {
        probeExec(simulation, runtime, container.id, exec, limitMs, done);
      } else if (sleep !== undefined) {
        const pauseMs = Math.min(sleep.seconds * 1000, limitMs);
        simulation.after(pauseMs, () => done({ result: "success", output: "" }), { background: true });
      } else if (httpGet !== undefined) {
        const port = portNumber(httpGet.port, spec.ports ?? []);
        if (port === undefined) {
          done({ result: "failure", output: `couldn't find port: ${JSON.stringify(httpGet.port)}` });
          return;
        }
        const get = prepareGet(httpGet, port, podIpOf(pod), userAgent, Math.min(hookTimeoutMs, limitMs));
        // Any answer will do: only a connection that fails is a failure.
        probeHttp(stack, get, (answer) => {
          const answered = answer.output.startsWith("HTTP probe failed");
          done(answered ? { result: "success", output: "" } : answer);
        });
      } else {
        done({ result: "failure", output: "invalid handler: tcpSocket is not supported" });
      }
    });
  }
}
