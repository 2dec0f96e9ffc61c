// `npm run lighthouse`: builds the site for an address on this machine, and prints Lighthouse's four marks for the home page and a lesson
// in four languages, and what lowered them. Ends with an error when a mark is below the bar.

import { findChromium } from "../../src/tools/browser.mjs";
import { bar, categories, marksOfPages } from "./marks.ts";

let below = 0;
console.log(["page".padEnd(12), ...categories].join("  "));
for await (const { locale, page, marks, faults } of marksOfPages(findChromium())) {
  below += marks.filter((mark) => mark < bar).length;
  const cells = marks.map((mark, index) => String(mark).padStart(categories[index]?.length ?? 0));
  console.log([`${page}, ${locale}`.padEnd(12), ...cells].join("  "));
  for (const fault of faults) console.log(`    ${fault}`);
}
if (below > 0) {
  console.error(`${below} marks are below ${bar}`);
  process.exitCode = 1;
}
