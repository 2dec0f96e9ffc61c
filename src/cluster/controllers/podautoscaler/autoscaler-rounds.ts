// The rounds of all autoscalers: every 15 s each asks for its target's scale and its metrics (`questions.ts`), and decides once all is answered
// (`autoscaler-pass.ts`).

import type { Pod, V2HorizontalPodAutoscaler } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { AutoscalerPass } from "./autoscaler-pass.ts";
import type { AutoscalingSettings } from "./autoscaling-settings.ts";
import { type Findings, findOut } from "./questions.ts";
import { ScalingHistory } from "./scaling-limits.ts";

/** What is kept of one autoscaler between its passes. */
interface Memory {
  readonly history: ScalingHistory;
  dueMs: number;
  isAsking: boolean;
  findings: Findings | undefined;
  /** Of its target's Pods, as last measured. */
  selector: string;
}

export interface RoundsSetup {
  readonly context: ControllerContext;
  readonly settings: AutoscalingSettings;
  readonly autoscalers: Informer<V2HorizontalPodAutoscaler>;
  readonly pods: Informer<Pod>;
  readonly enqueue: (key: string) => void;
}

export class AutoscalerRounds {
  readonly #setup: RoundsSetup;
  readonly #memories = new Map<string, Memory>();

  constructor(setup: RoundsSetup) {
    this.#setup = setup;
  }

  reconcile(key: string): Requeue | undefined {
    const { autoscalers, context } = this.#setup;
    const autoscaler = autoscalers.get(key);
    if (autoscaler === undefined) {
      this.#memories.delete(key);
      return undefined;
    }
    const { nowMs } = context.simulation;
    const memory = this.#memoryOf(key, nowMs);
    if (memory.isAsking) return undefined;
    if (memory.findings !== undefined) this.#decide(autoscaler, memory, memory.findings);
    else if (nowMs >= memory.dueMs) this.#ask(key, autoscaler, memory);
    return { requeueAfterMs: Math.max(1, memory.dueMs - nowMs), background: true };
  }

  #memoryOf(key: string, nowMs: number): Memory {
    let memory = this.#memories.get(key);
    if (memory === undefined) {
      const dueMs = nowMs + this.#setup.settings.syncMs;
      memory = { history: new ScalingHistory(), dueMs, isAsking: false, findings: undefined, selector: "" };
      this.#memories.set(key, memory);
    }
    return memory;
  }

  #ask(key: string, autoscaler: Stored<V2HorizontalPodAutoscaler>, memory: Memory): void {
    const { context, settings, enqueue } = this.#setup;
    memory.dueMs = context.simulation.nowMs + settings.syncMs;
    memory.isAsking = true;
    findOut(context.client, autoscaler, (findings) => {
      memory.isAsking = false;
      memory.findings = findings;
      enqueue(key);
    });
  }

  #decide(autoscaler: Stored<V2HorizontalPodAutoscaler>, memory: Memory, findings: Findings): void {
    const { autoscalers, context, pods, settings } = this.#setup;
    memory.findings = undefined;
    const { namespace = "", name } = autoscaler.metadata;
    if (findings.metrics !== undefined && "scale" in findings.target)
      memory.selector = findings.target.scale.status?.selector ?? memory.selector;
    const selectors = new Map<string, string>();
    for (const other of autoscalers.listNamespace(namespace)) {
      const selector = this.#memories.get(keyOf(other))?.selector ?? "";
      if (other.metadata.name !== name && selector !== "") selectors.set(other.metadata.name, selector);
    }
    const neighbourhood = { pods: pods.listNamespace(namespace), selectors };
    new AutoscalerPass(context, autoscaler, { history: memory.history, neighbourhood, settings }).run(findings);
  }
}
