// The real control plane as critic of ours: both are given the same objects and commands, and must answer and do the same.
//
//   npm run test:control-plane [-- WORD … --every N --show N]

import { writeFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { firstDifference } from "../tell-differences.ts";
import { findPrograms } from "./find-programs.ts";
import { OurSide } from "./our-side.ts";
import { namespace, type Outcome, playObject, readObjects, titleOf } from "./play-objects.ts";
import { RealSide } from "./real-side.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" }, show: { type: "string", default: "20" }, dump: { type: "string" } },
});

const real = await RealSide.start({ programs: findPrograms(), withoutLoops: true });
const outcomes: Outcome[] = [];
try {
  const ours = new OurSide({ startMs: Date.now(), withoutLoops: true });
  for (const side of [real, ours]) {
    await side.ask({ method: "POST", path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } });
    await side.ask({ method: "POST", path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } } });
  }
  for (const object of readObjects(positionals)) {
    const some = await playObject({ real, ours }, object, Number(values.every));
    const other = some.filter(({ real, ours }) => !isDeepStrictEqual(real, ours));
    console.log(`${titleOf(object).padEnd(64)} ${some.length - other.length} of ${some.length}`);
    outcomes.push(...some);
  }
} finally {
  await real.stop();
}
const other = outcomes.filter(({ real, ours }) => !isDeepStrictEqual(real, ours));
for (const { key, real, ours } of other.slice(0, Number(values.show))) console.log(`≠ ${key}: ${firstDifference(real, ours)}`);
if (values.dump !== undefined) writeFileSync(values.dump, JSON.stringify(other));
console.log(`${outcomes.length} answers, ${other.length} differ`);
process.exitCode = other.length === 0 ? 0 : 1;
