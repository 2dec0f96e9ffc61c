// What a process of the pool runs: replays one run after the other. Labs are read from the disk, each once.

import { provideHelpTexts } from "#kubectl/help/catalog-reader.ts";
import { helpTexts } from "#kubectl/help/generated/texts.ts";
import { labFromSources, labIds } from "#lab/catalog.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { worldMark } from "#lab/world-mark.ts";
import { readLabSources } from "#server/lab-files.ts";
import { provideTools } from "#world/tools.ts";
import type { ReplayMessage, ReplayOrder } from "./replay-process.ts";
import { type Replay, refuse } from "./replay-result.ts";
import { replayRun } from "./replay-run.ts";

provideTools();
provideHelpTexts(helpTexts);
const sources = readLabSources(process.argv[2]);
const ids = labIds(sources);
const labs = new Map<string, LabDefinition>();

function labOf(id: string): LabDefinition {
  const lab = labs.get(id) ?? labFromSources(sources, id);
  labs.set(id, lab);
  return lab;
}

function replay({ labId, run }: ReplayOrder): Replay {
  if (!ids.includes(labId)) return refuse("otherLab", `there is no lab ${labId}`);
  const lab = labOf(labId);
  if (run.world !== worldMark(lab)) {
    const other = ids.find((id) => worldMark(labOf(id)) === run.world);
    if (other !== undefined) return refuse("otherLab", `it is a run of the lab ${other}`);
    return refuse("outdated", `it was made in a world that the lab ${labId} does not have now`);
  }
  const before = process.cpuUsage();
  const replayed = replayRun(lab, run);
  const { user, system } = process.cpuUsage(before);
  return replayed.ok ? { ...replayed, cpuMs: (user + system) / 1000 } : replayed;
}

const post = (message: ReplayMessage): void => void process.send?.(message);
process.on("message", (order: ReplayOrder) => {
  post({ kind: "begun" });
  let result: Replay;
  try {
    result = replay(order);
  } catch (error) {
    result = refuse("failed", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  post({ kind: "done", replay: result });
});
