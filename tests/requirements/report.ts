// `npm run requirements [-- --list] [-- --area POD]`: how many behaviours of each area have a test, and which have none.

import { parseArgs } from "node:util";
import { type Area, type Behaviour, mentionsInTests, readCatalogue } from "./catalogue.ts";

function main(): void {
  const { list, area } = readOptions();
  const catalogue = readCatalogue();
  const areas = catalogue.filter(({ prefix }) => area === undefined || prefix === area);
  if (areas.length === 0) fail(`there is no area ${area}; there are ${catalogue.map(({ prefix }) => prefix).join(", ")}`);
  const tested = new Set(mentionsInTests().map(({ code }) => code));
  const isTested = ({ code }: Behaviour) => tested.has(code);
  const count = (some: readonly Area[]) => {
    const behaviours = some.flatMap((each) => each.behaviours);
    return `${behaviours.filter(isTested).length} of ${behaviours.length} behaviours have a test`;
  };
  for (const each of areas) console.log(`${each.prefix}: ${count([each])} (${each.file})`);
  if (areas.length > 1) console.log(`all: ${count(areas)}`);
  if (!list) return;
  for (const { behaviours } of areas) {
    const bySubject = Map.groupBy(
      behaviours.filter((each) => !isTested(each)),
      ({ subject }) => subject,
    );
    for (const [subject, untested] of bySubject) console.log(`\n${[subject, ...untested.map(lineOf)].join("\n")}`);
  }
}

function lineOf({ code, text }: Behaviour): string {
  return `[${code}] ${text}`;
}

function readOptions(): { list: boolean; area: string | undefined } {
  try {
    const { values } = parseArgs({ options: { list: { type: "boolean", default: false }, area: { type: "string" } } });
    return { list: values.list, area: values.area };
  } catch (error) {
    return fail(`${(error as Error).message}\nnpm run requirements -- [--area POD] [--list]`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

main();
