import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/{conformance,clients,lessons,labs,oracle,requirements}/**/*.test.ts"],
    setupFiles: ["tests/provide-tools.ts"],
    pool: "threads",
    isolate: false,
    // By default one core is left idle.
    maxWorkers: "100%",
    // Only against what never ends: no test may hang on how fast a machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
