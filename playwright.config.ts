// The course in a browser, as it is built: `astro build`, then `playwright test`. PILOTHOUSE_OUT names another built folder,
// PILOTHOUSE_E2E_PORT another port; with PILOTHOUSE_TURNS some files wait for their turn (`npm test` sets it).

import { defineConfig } from "@playwright/test";
import { findChromium } from "./src/tools/browser.mjs";
import { filesLeftOut } from "./tests/e2e/files-in-turn.ts";
import { commitOfRun } from "./tests/turns.ts";

// For all processes of the run.
commitOfRun();

const port = Number(process.env["PILOTHOUSE_E2E_PORT"] ?? 4390);

/** The browser of the machine; none is downloaded. Reading this file asks for none: `needs-chromium.ts` says what is missing. */
const chromium = findChromium();

export default defineConfig({
  testDir: "tests/e2e",
  testIgnore: process.env["PILOTHOUSE_TURNS"] === undefined ? [] : filesLeftOut().map((name) => `**/${name}`),
  globalSetup: "./tests/e2e/needs-chromium.ts",
  outputDir: "test-results/browser",
  // Only against what never comes: a test says what it waits for, not how fast a machine is.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 2,
  retries: 0,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // A worker would answer in the network's place; offline.spec.ts lets it.
    serviceWorkers: "block",
    // A trace of every test costs as much again as the tests, and twice that where much is typed: who looks for a fault asks for one
    // (`npx playwright test FILE --trace on`).
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `node src/tools/serve.mjs ${port}`,
    url: `http://127.0.0.1:${port}/fr/`,
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
