// `npm run lab:seeds -- FROM TO [ID …]`: plays the solutions of labs (all, unless named) in worlds of other seeds, in which Pods lie on
// other nodes: a learner's seed is drawn at random. Prints what does not pass; exit code 1 if there is any.

import { labFromSources, labIds } from "#lab/catalog.ts";
import { provideTools } from "#world/tools.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { ordersOf, playSolutions } from "./proof.ts";

provideTools();

const sources = readLabSources();
const [from = "1", to = from, ...named] = process.argv.slice(2);
for (const id of named.length > 0 ? named : labIds(sources)) {
  const lab = labFromSources(sources, id);
  let good = true;
  for (let seed = Number(from); seed <= Number(to); seed += 1) {
    for (const order of ordersOf(lab)) {
      const faulty = playSolutions(lab, seed, order).filter(({ faults }) => faults.length > 0);
      for (const { step, title, faults } of faulty)
        console.log([`✗ ${id}, seed ${seed}, ${order[0]?.id} first: ${step}: ${title}`, ...faults].join("\n    "));
      good = good && faulty.length === 0;
    }
  }
  if (good) console.log(`✓ ${id}`);
  else process.exitCode = 1;
}
