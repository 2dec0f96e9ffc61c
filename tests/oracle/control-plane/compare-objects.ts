// All objects and their mutations, on API servers without loops: nothing else writes meanwhile.

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#cluster/api/wire.ts";
import { OurSide } from "./our-side.ts";
import { type Choice, namespace, type Outcome, playObject, readObjects, titleOf } from "./play-objects.ts";
import { RealSide } from "./real-side.ts";
import type { Side } from "./side.ts";

export async function compareObjects(programs: string, words: readonly string[], choice: Choice): Promise<readonly Outcome[]> {
  const objects = readObjects(words);
  if (objects.length === 0) return [];
  const outcomes: Outcome[] = [];
  const real = await RealSide.start({ programs, withoutLoops: true });
  try {
    const ours = new OurSide({ startMs: Date.now(), withoutLoops: true });
    for (const side of [real, ours]) await prepare(side);
    for (const object of objects) {
      const some = await playObject({ real, ours }, object, choice);
      const equal = some.filter((one) => isDeepStrictEqual(one.real, one.ours)).length;
      if ("random" in choice || choice.every === 1) console.log(`${titleOf(object).padEnd(72)} ${equal} of ${some.length}`);
      outcomes.push(...some);
    }
  } finally {
    await real.stop();
  }
  return outcomes;
}

/** What controllers would have made. */
async function prepare(side: Side): Promise<void> {
  const create = (path: string, body: JsonObject) => side.ask({ method: "POST", path, body });
  await create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, account);
}
