// GET /version.

/** What the simulated release says of itself. The commit is no real one: this is a simulation. */
export const versionInfo = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.0",
  gitCommit: "0000000000000000000000000000000000000000",
  gitTreeState: "clean",
  buildDate: "2026-04-22T00:00:00Z",
  goVersion: "go1.26.2",
  compiler: "gc",
  platform: "linux/amd64",
} as const;
