// The course in a browser, as it is built: `astro build`, then `playwright test`. PILOTHOUSE_OUT names another built folder,
// PILOTHOUSE_E2E_PORT another port.

import { defineConfig } from "@playwright/test";
import { findChromium } from "./src/tools/browser.mjs";

const port = Number(process.env["PILOTHOUSE_E2E_PORT"] ?? 4390);

/** The browser of the machine; none is downloaded. Reading this file asks for none: `needs-chromium.ts` says what is missing. */
const chromium = findChromium();

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/needs-chromium.ts",
  outputDir: "test-results/browser",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 2,
  retries: 0,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // A worker would answer in the network's place; offline.spec.ts lets it.
    serviceWorkers: "block",
    trace: "retain-on-failure",
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
    command: `astro preview --ignore-lock --host 127.0.0.1 --port ${port}`,
    url: `http://127.0.0.1:${port}/fr/`,
    env: { ASTRO_TELEMETRY_DISABLED: "1" },
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
