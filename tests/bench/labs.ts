// What looking at a lab's checks costs: they are evaluated whenever the cluster changes.

import { labFromSources, labIds } from "#lab/catalog.ts";
import { provideTools } from "#world/tools.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { timeChecks } from "../labs/proof.ts";
import type { Figure } from "./figures.ts";

provideTools();

/** The dearest step of each lab. */
export function benchLabs(): readonly Figure[] {
  const sources = readLabSources();
  const labs = labIds(sources).map((id) => labFromSources(sources, id));
  return labs
    .filter((lab) => lab.steps.length > 0)
    .map((lab) => {
      const [step, value] = [...timeChecks(lab)].reduce((worst, each) => (each[1] > worst[1] ? each : worst));
      return { name: `checks of ${lab.id}, step ${step}, looked at again`, value, unit: "ms", bar: 5 };
    });
}
