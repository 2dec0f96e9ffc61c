// `npm test [-- STAGE … --all]`: installs what is missing, then runs everything, stage by stage; ends with what failed and one line of
// counts. Of many labs it takes some (tests/labs/choice.ts), of the oracle's scenarios half; with --all every one. Stages that keep one
// processor busy run beside others of their kind, so that a machine of two has something to do on both.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findFirefox, prepareBrowsers, withoutFirefox } from "./browser.mjs";
import { environment, giveUp, prepare, root, run, say } from "./prepare.mjs";

const results = join(root, "test-results");
const unitReport = join(results, "unit.json");
const browserReport = join(results, "browser.json");
/** Labs proved, and labs typed in the browser. */
const proofReport = join(results, "labs.json");
const typingReport = join(results, "typing.json");
/** Files of browser tests that waited for another turn. */
const filesReport = join(results, "browser-files.json");
const oracleReport = join(results, "oracle.json");

/** @typedef {((text: string) => void) | undefined} Keep what a command prints is kept for later, or shown at once */

/** @type {Record<string, { about: string, run: (keep: Keep) => Promise<boolean> }>} */
const stages = {
  types: {
    about: "types, of the code and of the pages",
    run: (keep) =>
      all(
        keep,
        ["astro", ["sync", "--silent"]],
        ["tsc", ["--noEmit"]],
        ["astro", ["check", "--silent", "--tsconfig", "src/tools/pages.tsconfig.json"]],
      ),
  },
  lint: {
    about: "style, floor plan, unused code",
    run: (keep) =>
      all(
        keep,
        ["biome", ["check", "--error-on-warnings", "."]],
        ["depcruise", ["--config", ".dependency-cruiser.mjs", "src", "--output-type", "err"]],
        ["knip", []],
      ),
  },
  build: { about: "the site", run: (keep) => all(keep, ["astro", ["build", "--silent"]]) },
  oracle: {
    about: "a real kubectl against the API server; some questions to the real one, where it was built",
    run: (keep) =>
      all(
        keep,
        ["node", ["tests/oracle/run.ts", ...(takesAll || chosen.length > 0 ? [] : ["--sample"])]],
        ["node", ["tests/oracle/control-plane/run.ts", "--sample", "--if-built"]],
      ),
  },
  conformance: {
    about: "some of upstream's conformance tests, where they were built",
    run: (keep) => all(keep, ["node", ["tests/oracle/conformance/run.ts", "--smoke", "--if-built"]]),
  },
  unit: {
    about: "rooms, laws, texts",
    run: (keep) => all(keep, ["vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`]]),
  },
  labs: {
    about: "every way through a lab, every block of its lesson",
    run: (keep) => all(keep, ["node", ["tests/labs/prove.ts"]]),
  },
  browser: {
    about: "the course in Chromium, in four languages; a shared run in Firefox, where there is one",
    run: async (keep) => {
      const port = Number(environment["PILOTHOUSE_E2E_PORT"] ?? 4390);
      if (await isTaken(port)) {
        (keep ?? show)(`   port ${port} is in use: end what listens there, or name another one (PILOTHOUSE_E2E_PORT)\n`);
        return false;
      }
      environment["PILOTHOUSE_CHROMIUM"] = await prepareBrowsers();
      environment["PLAYWRIGHT_JSON_OUTPUT_NAME"] = browserReport;
      environment["PILOTHOUSE_TURNS"] = "yes";
      return all(
        keep,
        ["node", ["tests/labs/typing.ts"]],
        ["node", ["tests/e2e/files-in-turn.ts"]],
        ["playwright", ["test", "--reporter=line,json"]],
      );
    },
  },
};

/** One after the other; in each the stages of a list in order, lists beside each other. Those that stand alone use all processors themselves. */
const order = [
  [
    ["types", "lint", "build"],
    ["oracle", "conformance"],
  ],
  [["unit"]],
  [["labs"]],
  [["browser"]],
];

const options = process.argv.slice(2);
const takesAll = options.includes("--all");
if (takesAll) environment["PILOTHOUSE_LABS"] = "all";
const chosen = options.filter((option) => option !== "--all");
for (const name of chosen)
  if (!(name in stages)) giveUp(`there is no stage ${name}; the stages are ${Object.keys(stages).join(", ")}.`);

await prepare();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const startedAll = Date.now();
/** @type {string[]} */
const failedStages = [];
for (const lists of order) await Promise.all(lists.map((names, place) => runInOrder(names.filter(isChosen), place > 0)));
const counts = countTests();
if (counts.failures.length > 0) console.log(["\nfailed:", ...counts.failures.map((line) => `  ✗ ${line}`), ""].join("\n"));
say(
  `${failedStages.length === 0 ? "everything passed" : `${failedStages.join(", ")} failed`} in ${((Date.now() - startedAll) / 1000).toFixed(0)} s`,
);
if (counts.noFirefox > 0) say(`left out: a shared run in Firefox; ${withoutFirefox}`);
if (counts.leftOut > counts.noFirefox)
  say(
    `left out: ${counts.unasked} scenarios of the oracle, ${counts.unproved} labs were walked and not proved, ${counts.untyped} not typed in the browser, ${counts.inTurn} browser tests and ${counts.files} files of them are taken in turn; npm test -- --all takes all`,
  );
console.log(
  `${counts.passed} passed, ${counts.failed + failedStages.length} failed${counts.leftOut === 0 ? "" : `, ${counts.leftOut} skipped`}`,
);
process.exit(failedStages.length === 0 && counts.failed === 0 ? 0 : 1);

/** @param {string} name */
function isChosen(name) {
  return chosen.length === 0 || chosen.includes(name);
}

/** Beside another list, what a stage prints is shown when it has ended. @param {string[]} names @param {boolean} beside */
async function runInOrder(names, beside) {
  for (const name of names) {
    const stage = stages[name];
    /** @type {string[]} */
    const kept = [];
    const keep = beside ? (/** @type {string} */ text) => void kept.push(text) : undefined;
    const tell = keep ?? show;
    tell(`\n── ${name}: ${stage.about}\n`);
    const started = Date.now();
    const good = await stage.run(keep);
    if (!good) failedStages.push(name);
    tell(`── ${name}: ${good ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
    show(kept.join(""));
  }
}

/** @param {number} port @returns {Promise<boolean>} */
function isTaken(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(true));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}

/** @param {string} text */
function show(text) {
  process.stdout.write(text);
}

/**
 * Runs commands one after the other, all of them; true when all succeeded. @param {Keep} keep
 * @param {...[string, string[]]} commands
 */
async function all(keep, ...commands) {
  let good = true;
  for (const [command, args] of commands) {
    if ((await run(command, args, keep)) !== 0) {
      (keep ?? show)(`   ${command} failed\n`);
      good = false;
    }
  }
  return good;
}

function countTests() {
  const counts = {
    passed: 0,
    failed: 0,
    unasked: 0,
    unproved: 0,
    untyped: 0,
    inTurn: 0,
    files: 0,
    noFirefox: 0,
    leftOut: 0,
    failures: /** @type {string[]} */ ([]),
  };
  /** @param {string} path @param {(report: any) => void} count */
  const read = (path, count) => existsSync(path) && count(JSON.parse(readFileSync(path, "utf8")));
  /** @param {string} title @param {string | undefined} why */
  const fail = (title, why) => counts.failures.push(`${title}: ${said(why)}`);
  read(unitReport, ({ numPassedTests, numFailedTests, testResults }) => {
    counts.passed += numPassedTests;
    counts.failed += numFailedTests;
    for (const { name, status, message, assertionResults } of testResults) {
      const file = relative(root, name);
      const failed = assertionResults.filter((/** @type {any} */ each) => each.status === "failed");
      for (const { fullName, failureMessages } of failed) fail(`${file} › ${fullName}`, failureMessages[0]);
      if (status === "failed" && failed.length === 0) fail(file, message);
    }
  });
  read(proofReport, ({ passed, failed, leftOut }) => {
    counts.passed += passed;
    counts.failed += failed.length;
    for (const { title, why } of failed) fail(title, why);
    counts.unproved = leftOut;
  });
  read(browserReport, ({ stats, errors, suites }) => {
    counts.passed += stats.expected;
    counts.failed += stats.unexpected + stats.flaky;
    counts.noFirefox = findFirefox() === undefined ? 1 : 0;
    counts.inTurn = stats.skipped - counts.noFirefox;
    for (const { message } of errors) fail("tests/e2e", message);
    for (const { file, line, title, tests } of suites.flatMap(specsOf))
      for (const { status, results } of tests)
        if (status === "unexpected" || status === "flaky")
          fail(`tests/e2e/${file}:${line} › ${title}`, results.find((/** @type {any} */ { error }) => error)?.error.message);
  });
  read(filesReport, ({ leftOut }) => {
    counts.files = leftOut;
  });
  read(typingReport, ({ leftOut }) => {
    counts.untyped = leftOut;
  });
  read(oracleReport, ({ leftOut }) => {
    counts.unasked = leftOut;
  });
  counts.leftOut = counts.unasked + counts.unproved + counts.untyped + counts.inTurn + counts.files + counts.noFirefox;
  return counts;
}

/** Of a suite and of those in it. @param {any} suite @returns {any[]} */
function specsOf({ specs, suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Without colours, with what was expected and what came: of a run elsewhere these lines are all that is seen. @param {string} [text] */
function said(text = "") {
  const lines = stripVTControlCharacters(text).trim().split("\n");
  const told = lines.filter((line) => line.trim() !== "" && !/^\s+at /.test(line)).slice(0, 14);
  return told.map((line) => line.slice(0, 400)).join("\n      ");
}
