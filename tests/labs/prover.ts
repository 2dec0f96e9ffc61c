// A thread that proves or walks the labs it is told, one after the other.

import { parentPort } from "node:worker_threads";
import { provideTools } from "#world/tools.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { proveLab, walkLab } from "./proof.ts";

provideTools();

export interface AskedLab {
  readonly id: string;
  /** Every proof, or one walk. */
  readonly whole: boolean;
}

export interface ProvedLab extends AskedLab {
  readonly proofs: number;
  readonly failed: readonly { readonly title: string; readonly faults: readonly string[] }[];
  readonly cpuMs: number;
}

const sources = readLabSources();

function prove({ id, whole }: AskedLab): ProvedLab {
  const before = process.threadCpuUsage();
  const failed: { readonly title: string; readonly faults: readonly string[] }[] = [];
  let proofs = 0;
  try {
    for (const { title, step, faults } of whole ? proveLab(sources, id) : walkLab(sources, id)) {
      proofs += 1;
      if (faults.length > 0) failed.push({ title: step === undefined ? title : `${step}, ${title}`, faults });
    }
  } catch (error) {
    failed.push({ title: "its files", faults: [String(error)] });
  }
  const { user, system } = process.threadCpuUsage(before);
  return { id, whole, proofs: Math.max(proofs, failed.length), failed, cpuMs: (user + system) / 1000 };
}

parentPort?.on("message", (asked: AskedLab) => parentPort?.postMessage(prove(asked)));
