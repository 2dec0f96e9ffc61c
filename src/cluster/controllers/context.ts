// What the controller manager gives to each controller that it makes.

import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Controller } from "./controller.ts";
import type { Tuning } from "./tuning.ts";

export interface ControllerContext {
  readonly simulation: Simulation;
  /** Writes as `system:serviceaccount:kube-system:<name>`. */
  readonly client: Client;
  /** Shared by all controllers of the process. */
  readonly informers: InformerFactory;
  readonly events: EventRecorder;
  /** A line of the process's log; `place` is the file and line of upstream that writes it. */
  readonly log?: ((place: string, message: string) => void) | undefined;
  readonly tuning: Tuning;
}

export interface ControllerDefinition {
  /** As in `--controllers`: `deployment-controller`. */
  readonly name: string;
  /** Name of its service account in kube-system: `deployment-controller`; without one it acts as the controller manager. */
  readonly serviceAccount?: string;
  /** Runs only where `--controllers` names it. */
  readonly isOffByDefault?: boolean;
  /** The source of its events, where that is not the name. */
  readonly eventSource?: string;
  create(context: ControllerContext): Controller;
}
