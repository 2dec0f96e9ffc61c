// Scenarios, on control planes with all their loops and two nodes without machines: the real one plays many at once, each in a
// namespace of its own, since most of its time is waiting; ours plays one after the other, in virtual time.

import { isDeepStrictEqual } from "node:util";
import { FakeNodes } from "./fake-nodes.ts";
import { OurSide } from "./our-side.ts";
import type { Outcome } from "./play-objects.ts";
import { playScenario } from "./play-scenario.ts";
import { RealSide } from "./real-side.ts";
import { readScenarios, type Scenario } from "./scenario.ts";
import type { Side } from "./side.ts";

const beside = 16;
const beatMs = 200;
const placesLimitMs = 60_000;

export async function compareScenarios(programs: string, words: readonly string[]): Promise<readonly Outcome[]> {
  const scenarios = readScenarios(words);
  if (scenarios.length === 0) return [];
  const real = await RealSide.start({ programs });
  try {
    const theirs = await playReal(real, scenarios);
    const ours = new OurSide({ startMs: Date.now() });
    const nodes = new FakeNodes(ours);
    await nodes.register();
    ours.onBeat = () => nodes.pass();
    await untilPlaces(ours, nodes);
    const outcomes: Outcome[] = [];
    for (const [index, scenario] of scenarios.entries()) {
      const own = { ...(await playScenario(ours, scenario, namespaceOf(index))) };
      const outcome: Outcome = { key: `scenario | ${scenario.title}`, real: theirs[index] ?? {}, ours: own };
      console.log(`${isDeepStrictEqual(outcome.real, outcome.ours) ? "=" : "≠"} ${scenario.title}`);
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
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

/** What was played, in the order of the scenarios. */
async function playReal(real: RealSide, scenarios: readonly Scenario[]): Promise<readonly Outcome["real"][]> {
  const nodes = new FakeNodes(real);
  await nodes.register();
  let isOver = false;
  const beats = (async () => {
    while (!isOver) {
      await nodes.pass();
      await real.wait(beatMs);
    }
  })();
  const played: Outcome["real"][] = [];
  const waiting = [...scenarios.entries()];
  const player = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, scenario] = next;
      played[index] = { ...(await playScenario(real, scenario, namespaceOf(index))) };
    }
  };
  try {
    await untilPlaces(real, nodes);
    await Promise.all(Array.from({ length: beside }, player));
  } finally {
    isOver = true;
    await beats;
  }
  return played;
}
