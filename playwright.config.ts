// The course in a browser, as it is built: `astro build`, then `playwright test`. PILOTHOUSE_OUT names another built folder,
// PILOTHOUSE_E2E_PORT another port.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env["PILOTHOUSE_E2E_PORT"] ?? 4390);

/** The browser of the machine; none is downloaded. */
function findChromium(): string {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  const path = process.env["PILOTHOUSE_CHROMIUM"] ?? found;
  if (path === undefined) throw new Error("no Chromium on the PATH: install one, or set PILOTHOUSE_CHROMIUM to the path of yours");
  return path;
}

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 2,
  retries: 0,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: findChromium(),
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
