// The stage `labs` of `npm test`: proves labs with their lessons, a lab at a time on each core. What this machine has proved as it is
// is not proved again; which of the others are taken says `choice.ts`. The rest is only walked, each lab once from start to end, and is
// said to be left out.

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { labIds } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { chooseToProve, wishedLabs } from "./choice.ts";
import { ProofMemory } from "./memory.ts";
import type { AskedLab, ProvedLab } from "./prover.ts";

const sources = readLabSources();
const memory = new ProofMemory();
const all = labIds(sources);
const keys = new Map(all.map((id) => [id, memory.keyOf(sources, id)]));
const wished = wishedLabs(all);
const unproved = all.filter((id) => !memory.has(keys.get(id) ?? ""));
const { chosen, leftOut, touched } = wished === undefined ? chooseToProve(unproved) : { chosen: wished, leftOut: [], touched: 0 };
console.log(
  wished === undefined
    ? `${all.length} labs: ${all.length - unproved.length} are as they were when they were proved here, ${chosen.length} are proved now (${touched} touched lately), ${leftOut.length} are walked only`
    : `${all.length} labs: ${chosen.length} are proved now, as was asked for`,
);

let passed = 0;
const failed: { title: string; why: string }[] = [];
const waiting: AskedLab[] = [...chosen.map((id) => ({ id, whole: true })), ...leftOut.map((id) => ({ id, whole: false }))];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));
mkdirSync("test-results", { recursive: true });
writeFileSync(join("test-results", "labs.json"), JSON.stringify({ passed, failed, leftOut: leftOut.length }));
process.exit(failed.length === 0 ? 0 : 1);

/** A thread after the other, as long as labs wait: a lab that ends its thread has failed, and the next one takes another. */
async function work(): Promise<void> {
  while (waiting.length > 0) {
    const thread = new Worker(new URL("./prover.ts", import.meta.url));
    let asked: AskedLab | undefined;
    const next = (): void => {
      asked = waiting.shift();
      if (asked === undefined) void thread.terminate();
      else thread.postMessage(asked);
    };
    thread.on("message", (proved: ProvedLab) => {
      tell(proved);
      next();
    });
    thread.on("error", (error) => {
      tell({
        id: asked?.id ?? "",
        whole: false,
        proofs: 1,
        failed: [{ title: "its thread ended", faults: [String(error)] }],
        cpuMs: 0,
      });
    });
    next();
    await new Promise((resolve) => thread.once("exit", resolve));
  }
}

function tell({ id, whole, proofs, failed: faulty, cpuMs }: ProvedLab): void {
  passed += proofs - faulty.length;
  failed.push(...faulty.map(({ title, faults }) => ({ title: `lab ${id} › ${title}`, why: faults[0] ?? "" })));
  if (whole || faulty.length > 0)
    console.log(`${faulty.length === 0 ? "✓" : "✗"} ${id}: ${proofs} proofs, ${(cpuMs / 1000).toFixed(1)} s`);
  for (const { title, faults } of faulty) console.log([`  ✗ ${title}`, ...faults.map((line) => `    ${line}`)].join("\n"));
  if (whole && faulty.length === 0) memory.add(keys.get(id) ?? "", id);
}
