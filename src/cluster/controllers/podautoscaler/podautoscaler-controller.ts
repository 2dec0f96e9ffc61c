// Sizes workloads by what is measured of them (pkg/controller/podautoscaler). Every 15 s an autoscaler asks for its target's scale and
// its metrics (`questions.ts`), and decides once all is answered (`autoscaler-pass.ts`).

import type { Pod, V2HorizontalPodAutoscaler } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./autoscaling-settings.ts";
import type { Findings } from "./questions.ts";
import type { ScalingHistory } from "./scaling-limits.ts";

export const podAutoscalerController = (settings: AutoscalingSettings = usualAutoscaling): ControllerDefinition => ({
  name: "horizontal-pod-autoscaler-controller",
  serviceAccount: "horizontal-pod-autoscaler",
  eventSource: "horizontal-pod-autoscaler",
  create: (context) => new PodAutoscalerController(context, settings),
});

/** What is kept of one autoscaler between its passes. */
interface Memory {
  readonly history: ScalingHistory;
  dueMs: number;
  isAsking: boolean;
  findings: Findings | undefined;
  /** Of its target's Pods, as last measured. */
  selector: string;
}

class PodAutoscalerController implements Controller {
  readonly name = "horizontal-pod-autoscaler-controller";
  readonly watches = [
    watchRule<V2HorizontalPodAutoscaler>({ resource: kinds.horizontalPodAutoscalers, keys: (autoscaler) => [keyOf(autoscaler)] }),
  ];
  readonly #context: ControllerContext;
  readonly #settings: AutoscalingSettings;
  readonly #autoscalers: Informer<V2HorizontalPodAutoscaler>;
  readonly #pods: Informer<Pod>;
  readonly #memories = new Map<string, Memory>();
  #enqueue: (key: string) => void = () => {};

  constructor(context: ControllerContext, settings: AutoscalingSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#autoscalers = context.informers.informer(kinds.horizontalPodAutoscalers);
    this.#pods = context.informers.informer(kinds.pods);
  }

  start(enqueue: (key: string) => void): void {
    this.#enqueue = enqueue;
  }

  reconcile(key: string): Requeue | undefined {
    const autoscaler = this.#autoscalers.get(key);
    if (autoscaler === undefined) {
      this.#memories.delete(key);
      return undefined;
    }
    const { nowMs } = this.#context.simulation;
    const memory = this.#memoryOf(key, nowMs);
    if (memory.isAsking) return undefined;
    if (memory.findings !== undefined) this.#decide(autoscaler, memory, memory.findings);
    else if (nowMs >= memory.dueMs) this.#ask(key, autoscaler, memory);
    return { requeueAfterMs: Math.max(1, memory.dueMs - nowMs), background: true };
  }

  #memoryOf(key: string, nowMs: number): Memory {
    let memory = this.#memories.get(key);
    if (memory === undefined) {
      const history = new latePasses.code.ScalingHistory();
      memory = { history, dueMs: nowMs + this.#settings.syncMs, isAsking: false, findings: undefined, selector: "" };
      this.#memories.set(key, memory);
    }
    return memory;
  }

  #ask(key: string, autoscaler: Stored<V2HorizontalPodAutoscaler>, memory: Memory): void {
    memory.dueMs = this.#context.simulation.nowMs + this.#settings.syncMs;
    memory.isAsking = true;
    latePasses.code.findOut(this.#context.client, autoscaler, (findings) => {
      memory.isAsking = false;
      memory.findings = findings;
      this.#enqueue(key);
    });
  }

  #decide(autoscaler: Stored<V2HorizontalPodAutoscaler>, memory: Memory, findings: Findings): void {
    memory.findings = undefined;
    const { namespace = "", name } = autoscaler.metadata;
    if (findings.metrics !== undefined && "scale" in findings.target)
      memory.selector = findings.target.scale.status?.selector ?? memory.selector;
    const selectors = new Map<string, string>();
    for (const other of this.#autoscalers.listNamespace(namespace)) {
      const selector = this.#memories.get(keyOf(other))?.selector ?? "";
      if (other.metadata.name !== name && selector !== "") selectors.set(other.metadata.name, selector);
    }
    const neighbourhood = { pods: this.#pods.listNamespace(namespace), selectors };
    const setup = { history: memory.history, neighbourhood, settings: this.#settings };
    new latePasses.code.AutoscalerPass(this.#context, autoscaler, setup).run(findings);
  }
}
