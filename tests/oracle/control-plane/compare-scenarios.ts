// Scenarios, on control planes with all their loops and two nodes without machines: the real one plays many at once, each in a
// namespace of its own, since most of its time is waiting (those that would notice each other one after the other); ours plays one
// after the other, in virtual time.

import { isDeepStrictEqual } from "node:util";
import { FakeNodes, nodeGraceSeconds } from "./fake-nodes.ts";
import { OurSide } from "./our-side.ts";
import type { Outcome } from "./play-objects.ts";
import { playScenario } from "./play-scenario.ts";
import { RealSide } from "./real-side.ts";
import { readScenarios, type Scenario } from "./scenario.ts";
import type { Side } from "./side.ts";

/** How many are played at once, one company after the other. */
const companies: readonly (readonly [Scenario["beside"], number])[] = [
  [undefined, 16],
  ["nodes", 16],
  ["nobody", 1],
];
const beatMs = 200;
const placesLimitMs = 60_000;

/** What differs otherwise than `isKnown` says is played by the real side once more, by itself: its time is the wall's. */
export async function compareScenarios(
  programs: string,
  words: readonly string[],
  isKnown: (outcome: Outcome) => boolean,
): Promise<readonly Outcome[]> {
  const scenarios = readScenarios(words);
  if (scenarios.length === 0) return [];
  const real = await RealSide.start({ programs, nodeGraceSeconds });
  const player = new RealPlayer(real);
  try {
    const theirs = await player.play(scenarios);
    const ours = new OurSide({ startMs: Date.now(), nodeGraceSeconds });
    const nodes = new FakeNodes(ours);
    await nodes.register();
    ours.onBeat = () => nodes.pass();
    await untilPlaces(ours, nodes);
    const outcomes: Outcome[] = [];
    for (const [index, scenario] of scenarios.entries()) {
      const own = { ...(await playScenario(ours, scenario, namespaceOf(index), true)) };
      let outcome: Outcome = { key: `scenario | ${scenario.title}`, real: theirs[index] ?? {}, ours: own };
      if (!isDeepStrictEqual(outcome.real, own) && !isKnown(outcome)) {
        const again = await player.playAlone(scenario);
        outcome = { ...outcome, real: again };
      }
      console.log(`${isDeepStrictEqual(outcome.real, own) ? "=" : "≠"} ${scenario.title}`);
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    await player.end();
    await real.stop();
  }
}

async function untilPlaces(side: Side, nodes: FakeNodes): Promise<void> {
  for (let waitedMs = 0; !(await nodes.arePlaces()); waitedMs += beatMs) {
    if (waitedMs > placesLimitMs) throw new Error("the nodes keep their taints");
    await side.wait(beatMs);
  }
}

function namespaceOf(index: number): string {
  return `scenario-${index + 1}x`;
}

/** Plays on the real side, whose nodes live as long as it does. */
class RealPlayer {
  readonly #real: RealSide;
  readonly #nodes: FakeNodes;
  #beats: Promise<void> | undefined;
  #isOver = false;
  #played = 0;

  constructor(real: RealSide) {
    this.#real = real;
    this.#nodes = new FakeNodes(real);
  }

  /** In the order of the scenarios. */
  async play(scenarios: readonly Scenario[]): Promise<readonly Outcome["real"][]> {
    if (this.#beats === undefined) {
      await this.#nodes.register();
      this.#beats = this.#beat();
      await untilPlaces(this.#real, this.#nodes);
    }
    const played: Outcome["real"][] = [];
    for (const [company, many] of companies) {
      const waiting = [...scenarios.entries()].filter(([, scenario]) => scenario.beside === company);
      const player = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [index, scenario] = next;
          played[index] = await this.#playOne(scenario, many === 1);
        }
      };
      await Promise.all(Array.from({ length: many }, player));
    }
    return played;
  }

  /** Once those that `play` was given have been played. */
  playAlone(scenario: Scenario): Promise<Outcome["real"]> {
    return this.#playOne(scenario, true);
  }

  async #playOne(scenario: Scenario, isAlone: boolean): Promise<Outcome["real"]> {
    return { ...(await playScenario(this.#real, scenario, namespaceOf(this.#played++), isAlone)) };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#beats;
  }

  async #beat(): Promise<void> {
    while (!this.#isOver) {
      await this.#nodes.pass();
      await this.#real.wait(beatMs);
    }
  }
}
