// One probe of one container: asks every period, counts, and tells when the counted result changes.

import type { Container, Probe } from "#cluster/api/generated/types.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeContainer } from "../../runtime/cri.ts";
import { containerFieldPath } from "../field-path.ts";
import type { StoredPod } from "../pod-spec.ts";
import { type PreparedGet, type ProbeAnswer, portNumber, prepareGet, probeHttp } from "./handlers.ts";
import { lateHandlers } from "./late-handlers.ts";
import { type CountedProbe, countKey, type ProbeCounts, type ProbeKind } from "./probe-counts.ts";

export interface ProbeContext {
  readonly simulation: Simulation;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  /** Probes leave from the node. */
  readonly stack: NetworkStack;
  readonly userAgent: string;
  readonly podIpOf: (pod: StoredPod) => string;
  readonly counts: ProbeCounts;
}

/** Tries in a row before an error counts as an unknown result. */
const kindNames: { readonly [kind in ProbeKind]: string } = { startup: "Startup", liveness: "Liveness", readiness: "Readiness" };
/** Until the kubelet has seen the container run. */
const noticeMs = 1_000;
const background = { background: true } as const;

export class ProbeWorker implements CountedProbe {
  readonly kind: ProbeKind;
  readonly countKey: string;
  readonly containerName: string;
  pod: StoredPod;
  readonly #context: ProbeContext;
  readonly #container: RuntimeContainer;
  readonly #spec: Container;
  readonly #probe: Probe;
  readonly #periodMs: number;
  readonly #timeoutMs: number;
  readonly #onChange: (succeeded: boolean) => void;
  /** undefined: the initial one, no result yet. */
  #result: boolean | undefined;
  #lastAnswer: boolean | undefined;
  #inARow = 0;
  #timer: Timer | undefined;
  #askedMs = 0;
  #get: PreparedGet | undefined;
  #isStopped = false;

  constructor(
    context: ProbeContext,
    kind: ProbeKind,
    subject: { readonly pod: StoredPod; readonly container: RuntimeContainer; readonly spec: Container; readonly probe: Probe },
    onChange: (succeeded: boolean) => void,
  ) {
    this.#context = context;
    this.kind = kind;
    this.pod = subject.pod;
    this.#container = subject.container;
    this.#spec = subject.spec;
    this.containerName = subject.spec.name;
    this.countKey = countKey(kind, subject.pod, subject.spec.name);
    this.#probe = subject.probe;
    this.#periodMs = (subject.probe.periodSeconds ?? 10) * 1000;
    this.#timeoutMs = (subject.probe.timeoutSeconds ?? 1) * 1000;
    this.#onChange = onChange;
  }

  /** First probe after the initial delay, counted from the container's start; `firstDelayMs` overrides it. */
  start(firstDelayMs?: number): void {
    const { simulation } = this.#context;
    const delayMs = (this.#probe.initialDelaySeconds ?? 0) * 1000;
    const noticedMs = this.#container.startedMs + Math.ceil(simulation.random.fraction() * noticeMs);
    const firstMs = firstDelayMs === undefined ? noticedMs + delayMs : simulation.nowMs + firstDelayMs;
    this.#timer = simulation.at(firstMs, this.#tick, background);
  }

  stop(): void {
    this.#isStopped = true;
    this.#context.simulation.cancel(this.#timer);
  }

  readonly #tick = (): void => {
    if (this.#isStopped || this.#container.state !== "running") return;
    this.#timer = this.#context.simulation.after(this.#periodMs, this.#tick, background);
    this.#ask();
  };

  #ask(): void {
    const { simulation, runtime, stack } = this.#context;
    const { httpGet, tcpSocket, exec, grpc } = this.#probe;
    this.#askedMs = simulation.nowMs;
    if (httpGet !== undefined) {
      this.#get ??= this.#prepare();
      if (this.#get !== undefined) probeHttp(stack, this.#get, this.#answer);
    } else if (tcpSocket !== undefined) {
      const port = portNumber(tcpSocket.port, this.#spec.ports ?? []);
      const podIp = this.#context.podIpOf(this.pod);
      if (port === undefined) this.#unknownPort(tcpSocket.port);
      else lateHandlers.code.probeTcp(stack, { host: tcpSocket.host, port, podIp }, this.#timeoutMs, this.#answer);
    } else if (exec !== undefined) {
      const command = { containerId: this.#container.id, argv: exec.command ?? [] };
      lateHandlers.code.probeExec(simulation, runtime, command, this.#timeoutMs, this.#answer);
    } else if (grpc !== undefined) {
      const { userAgent, podIpOf } = this.#context;
      lateHandlers.code.probeGrpc(
        simulation,
        stack,
        grpc,
        { podIp: podIpOf(this.pod), userAgent, timeoutMs: this.#timeoutMs },
        this.#answer,
      );
    }
  }

  #prepare(): PreparedGet | undefined {
    const action = this.#probe.httpGet;
    if (action === undefined) return undefined;
    const port = portNumber(action.port, this.#spec.ports ?? []);
    if (port === undefined) {
      this.#unknownPort(action.port);
      return undefined;
    }
    return prepareGet(action, port, this.#context.podIpOf(this.pod), this.#context.userAgent, this.#timeoutMs);
  }

  /** A name that no port has is last read as a number, and that is the error one sees (pkg/probe/util.go of v1.36). */
  #unknownPort(port: string | number): void {
    this.#answer({ result: "error", output: `strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax` });
  }

  readonly #answer = (answer: ProbeAnswer): void => {
    if (this.#isStopped || this.#container.state !== "running") return;
    if (answer.result === "error") {
      this.#warn(`${kindNames[this.kind]} probe errored and resulted in unknown state: ${answer.output}`);
      return;
    }
    const succeeded = answer.result !== "failure";
    if (answer.result === "warning") this.#warn(`${kindNames[this.kind]} probe warning: ${answer.output}`, "ProbeWarning");
    const { counts, simulation } = this.#context;
    counts.answered(this, succeeded, simulation.nowMs - this.#askedMs);
    if (!succeeded) this.#warn(`${kindNames[this.kind]} probe failed: ${answer.output}`);
    this.#inARow = this.#lastAnswer === succeeded ? this.#inARow + 1 : 1;
    this.#lastAnswer = succeeded;
    const threshold = succeeded ? (this.#probe.successThreshold ?? 1) : (this.#probe.failureThreshold ?? 3);
    if (this.#inARow < threshold || this.#result === succeeded) return;
    this.#result = succeeded;
    this.#onChange(succeeded);
  };

  #warn(message: string, reason = "Unhealthy"): void {
    const { recorder } = this.#context;
    recorder.warning(this.pod, reason, message, containerFieldPath(this.pod, this.#spec.name));
  }
}
