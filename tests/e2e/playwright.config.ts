// The site's own tests: pages with a scripted lab, built and served here. `playwright test -c tests/e2e/playwright.config.ts`

import { defineConfig } from "@playwright/test";

const port = Number(process.env["PILOTHOUSE_E2E_PORT"] ?? 4323);
const out = "tests/e2e/dist";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 2,
  timeout: 60_000,
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env["PILOTHOUSE_CHROMIUM"] ?? "/usr/bin/chromium",
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
    command: `astro build && astro preview --host 127.0.0.1 --port ${port}`,
    cwd: "../..",
    env: { PILOTHOUSE_LAB: "demo", PILOTHOUSE_OUT: `./${out}`, ASTRO_TELEMETRY_DISABLED: "1" },
    url: `http://127.0.0.1:${port}/fr/`,
    timeout: 120_000,
    reuseExistingServer: false,
  },
});
