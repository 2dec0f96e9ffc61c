// `npm test [-- STAGE …]`: installs what is missing, then runs everything, stage by stage; ends with one line of counts.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareBrowser } from "./browser.mjs";
import { environment, giveUp, prepare, root, run, say } from "./prepare.mjs";

const results = join(root, "test-results");
const unitReport = join(results, "unit.json");
const browserReport = join(results, "browser.json");

/** @type {Record<string, { about: string, run: () => Promise<boolean> }>} */
const stages = {
  types: {
    about: "types, of the code and of the pages",
    run: () => all(["astro", ["sync", "--silent"]], ["tsc", ["--noEmit"]], ["astro", ["check", "--silent"]]),
  },
  lint: {
    about: "style, floor plan, unused code",
    run: () =>
      all(
        ["biome", ["check", "--error-on-warnings", "."]],
        ["depcruise", ["--config", ".dependency-cruiser.mjs", "src", "--output-type", "err"]],
        ["knip", []],
      ),
  },
  unit: {
    about: "rooms, laws, lessons and labs",
    run: () => all(["vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`]]),
  },
  build: { about: "the site", run: () => all(["astro", ["build", "--silent"]]) },
  browser: {
    about: "the course in Chromium, in four languages",
    run: async () => {
      environment["PILOTHOUSE_CHROMIUM"] = await prepareBrowser();
      environment["PLAYWRIGHT_JSON_OUTPUT_NAME"] = browserReport;
      return all(["playwright", ["test", "--reporter=line,json"]]);
    },
  },
  oracle: { about: "a real kubectl against the API server", run: () => all(["node", ["tests/oracle/run.ts"]]) },
};

const chosen = process.argv.slice(2);
for (const name of chosen)
  if (!(name in stages)) giveUp(`there is no stage ${name}; the stages are ${Object.keys(stages).join(", ")}.`);

await prepare();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const startedAll = Date.now();
let failedStages = 0;
for (const [name, stage] of Object.entries(stages)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n── ${name}: ${stage.about}`);
  const started = Date.now();
  const good = await stage.run();
  if (!good) failedStages += 1;
  console.log(`── ${name}: ${good ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
const counts = countTests();
say(
  `${failedStages === 0 ? "everything passed" : `${failedStages} stage${failedStages === 1 ? "" : "s"} failed`} in ${((Date.now() - startedAll) / 1000).toFixed(0)} s`,
);
console.log(`${counts.passed} passed, ${counts.failed + failedStages} failed`);
process.exit(failedStages === 0 && counts.failed === 0 ? 0 : 1);

/** Runs commands one after the other, all of them; true when all succeeded. @param {...[string, string[]]} commands */
async function all(...commands) {
  let good = true;
  for (const [command, args] of commands) {
    if ((await run(command, args)) !== 0) {
      console.error(`   ${command} failed`);
      good = false;
    }
  }
  return good;
}

function countTests() {
  const counts = { passed: 0, failed: 0 };
  if (existsSync(unitReport)) {
    const report = JSON.parse(readFileSync(unitReport, "utf8"));
    counts.passed += report.numPassedTests;
    counts.failed += report.numFailedTests;
  }
  if (existsSync(browserReport)) {
    const { stats } = JSON.parse(readFileSync(browserReport, "utf8"));
    counts.passed += stats.expected;
    counts.failed += stats.unexpected + stats.flaky;
  }
  return counts;
}
