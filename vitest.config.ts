import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/{conformance,clients,lessons,labs}/**/*.test.ts"],
    setupFiles: ["src/world/tools.ts"],
    pool: "threads",
    isolate: false,
    // By default one core is left idle.
    maxWorkers: "100%",
    testTimeout: 60_000,
  },
});
