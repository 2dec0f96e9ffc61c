// Looks at a lab's checks as part of its world's own run: the same inputs at the same times pass the same steps at the same
// times, in the browser of whoever typed them and wherever they are replayed.

import type { World } from "#world/world.ts";
import type { LabDefinition } from "./definition.ts";
import type { LabRun, StepState } from "./lab-run.ts";
import { labRun } from "./lab-world.ts";

/** Virtual time between a change of the cluster and the look at the lab's checks. */
const checkDelayMs = 100;

export class LabWatch {
  /** When the learner came. */
  readonly openedMs: number;
  /** From when there are tools: checks are made of them. */
  run: LabRun | undefined;
  readonly #world: World;
  readonly #lab: LabDefinition;
  readonly #tell: (steps: readonly StepState[]) => void;
  #checkQueued = false;
  #nextLookMs: number | undefined;

  /** `world`: the learner has just come into it. `tell`: of each change of what `run.steps` shows. */
  constructor(world: World, lab: LabDefinition, tell: (steps: readonly StepState[]) => void) {
    this.openedMs = world.simulation.nowMs;
    this.#world = world;
    this.#lab = lab;
    this.#tell = tell;
    world.onChange.add(() => this.#changed());
  }

  /** Looks at the checks from now on. Throws when an expression of the lab is not CEL. */
  begin(): void {
    this.run = labRun(this.#world, this.#lab, this.openedMs);
    this.#check();
  }

  /** Something that checks may look at is different: look soon, once, as part of the world's own run. */
  #changed(): void {
    this.run?.observe();
    if (this.#checkQueued) return;
    this.#checkQueued = true;
    this.#world.simulation.after(
      checkDelayMs,
      () => {
        this.#checkQueued = false;
        this.#check();
      },
      { background: true },
    );
  }

  #check(): void {
    if (this.run === undefined) return;
    if (this.run.evaluate()) this.#tell(this.run.steps);
    if (this.run.finished) this.#world.stopTraffic();
    const nextMs = this.run.nextLookMs;
    if (nextMs === undefined || nextMs === this.#nextLookMs) return;
    this.#nextLookMs = nextMs;
    this.#world.simulation.at(nextMs, () => this.#check(), { background: true });
  }
}
