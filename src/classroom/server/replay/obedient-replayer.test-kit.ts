// A program for a pool's processes in tests: what becomes of a run hangs on the lab that it is said to be of.

import type { ReplayMessage, ReplayOrder } from "./replay-process.ts";

const post = (message: ReplayMessage): void => void process.send?.(message);
let replayed = 0;

/** `passedMs` of the one step: how many runs this process has replayed before. */
function obey({ labId, run }: ReplayOrder): void {
  post({ kind: "begun" });
  while (labId === "never ends");
  if (labId === "throws") throw new Error("a mistake");
  if (labId === "ends the process") process.exit(3);
  const taken: object[] = [];
  while (labId === "takes memory") taken.push({ taken: taken.length });
  const step = { id: `${labId} ${run.seed}`, openedMs: run.untilMs, passedMs: replayed, points: 10 };
  replayed += 1;
  post({ kind: "done", replay: { ok: true, steps: [step], cpuMs: 1 } });
}

process.on("message", obey);
