// The real control plane as critic of ours: both are given the same objects and commands, and must answer and do the same.
//
//   npm run test:control-plane [-- WORD … --objects --scenarios --every N --show N --accept REASON --if-built]

import { writeFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { firstDifference } from "../tell-differences.ts";
import { FakeNodes } from "./fake-nodes.ts";
import { findPrograms } from "./find-programs.ts";
import { OurSide } from "./our-side.ts";
import { namespace, type Outcome, playObject, readObjects, titleOf } from "./play-objects.ts";
import { playScenario } from "./play-scenario.ts";
import { RealSide } from "./real-side.ts";
import { readScenarios } from "./scenario.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: "boolean" },
    scenarios: { type: "boolean" },
    every: { type: "string", default: "1" },
    show: { type: "string", default: "20" },
    dump: { type: "string" },
  },
});
/** Scenarios that are played at once on the real side, most of whose time is waiting. */
const beside = 8;

const outcomes: Outcome[] = [];
if (values.scenarios !== true) await compareObjects();
if (values.objects !== true) await compareScenarios();
const other = outcomes.filter(isOther);
for (const { key, real, ours } of other.slice(0, Number(values.show))) console.log(`≠ ${key}: ${firstDifference(real, ours)}`);
if (values.dump !== undefined) writeFileSync(values.dump, JSON.stringify(other));
console.log(`${outcomes.length} compared, ${other.length} differ`);
process.exitCode = other.length === 0 ? 0 : 1;

function isOther({ real, ours }: Outcome): boolean {
  return !isDeepStrictEqual(real, ours);
}

async function compareObjects(): Promise<void> {
  const objects = readObjects(positionals);
  if (objects.length === 0) return;
  const real = await RealSide.start({ programs: findPrograms(), withoutLoops: true });
  try {
    const ours = new OurSide({ startMs: Date.now(), withoutLoops: true });
    for (const side of [real, ours]) {
      await side.ask({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } });
      await side.ask({ method: "POST", path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } } });
    }
    for (const object of objects) {
      const some = await playObject({ real, ours }, object, Number(values.every));
      console.log(`${titleOf(object).padEnd(72)} ${some.filter((one) => !isOther(one)).length} of ${some.length}`);
      outcomes.push(...some);
    }
  } finally {
    await real.stop();
  }
}

async function compareScenarios(): Promise<void> {
  const scenarios = readScenarios(positionals);
  if (scenarios.length === 0) return;
  const real = await RealSide.start({ programs: findPrograms() });
  let isOver = false;
  try {
    const ours = new OurSide({ startMs: Date.now() });
    const [theirNodes, ourNodes] = [new FakeNodes(real), new FakeNodes(ours)];
    await theirNodes.register();
    await ourNodes.register();
    ours.onBeat = () => ourNodes.pass();
    const beats = (async () => {
      while (!isOver) {
        await theirNodes.pass().catch(() => {});
        await real.wait(200);
      }
    })();
    const inNamespace = (index: number): string => `scenario-${index + 1}x`;
    const theirs = new Map<number, Outcome["real"]>();
    const waiting = [...scenarios.keys()].filter((index) => scenarios[index]?.alone !== true);
    const play = async (index: number): Promise<void> => {
      const scenario = scenarios[index];
      if (scenario !== undefined) theirs.set(index, { ...(await playScenario(real, scenario, inNamespace(index))) });
    };
    const player = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await play(index);
    };
    await Promise.all(Array.from({ length: beside }, player));
    for (const [index, scenario] of scenarios.entries()) if (scenario.alone === true) await play(index);
    for (const [index, scenario] of scenarios.entries()) {
      const own = { ...(await playScenario(ours, scenario, inNamespace(index))) };
      const outcome = { key: `scenario | ${scenario.title}`, real: theirs.get(index) ?? {}, ours: own };
      console.log(`${isOther(outcome) ? "≠" : "="} ${scenario.title}`);
      outcomes.push(outcome);
    }
    isOver = true;
    await beats;
  } finally {
    isOver = true;
    await real.stop();
  }
}
