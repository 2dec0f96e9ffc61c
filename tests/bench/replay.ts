// What it costs the classroom's server to replay runs of labs: whole ones typed key by key, and one whose page was left open.

import { labFromSources } from "#lab/catalog.ts";
import type { SavedLab } from "#lab/protocol.ts";
import { provideTools } from "#world/tools.ts";
import { recordRun } from "../../src/classroom/server/replay/recorded-run.test-kit.ts";
import { ReplayPool } from "../../src/classroom/server/replay/replay-pool.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { type Figure, medianOf } from "./figures.ts";

provideTools();

/** From short to long. */
const labs = ["labels", "configmap-basics", "statefulset-updates", "capstone-pods", "deployment-rolling-update"];
const runs = 7;
const hourMs = 3_600_000;

export async function benchReplay(): Promise<readonly Figure[]> {
  const sources = readLabSources();
  const pool = new ReplayPool({ processes: 1, wallLimitMs: 300_000, memoryMib: 512, labs: "." });
  const cpuMsOf = async (labId: string, saved: SavedLab): Promise<number> => {
    const replay = await pool.replay("bench", labId, saved);
    if (!replay.ok) throw new Error(replay.detail);
    return replay.cpuMs;
  };
  const figures: Figure[] = [];
  for (const id of labs) {
    const { saved } = recordRun(labFromSources(sources, id));
    // The first warms the process.
    await cpuMsOf(id, saved);
    const values: number[] = [];
    for (let run = 0; run < runs; run += 1) values.push(await cpuMsOf(id, saved));
    const seconds = Math.round((saved.nowMs - saved.startMs) / 1000);
    figures.push({ name: `${id}: ${saved.entries.length} inputs, ${seconds} s`, value: medianOf(values), unit: "ms CPU" });
  }
  const { saved } = recordRun(labFromSources(sources, "labels"), 1);
  const openMs = (await cpuMsOf("labels", { ...saved, nowMs: saved.startMs + 24 * hourMs })) / 24;
  await pool.close();
  return [...figures, { name: "an hour of a page left open", value: openMs, unit: "ms CPU" }];
}
