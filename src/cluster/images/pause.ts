// registry.k8s.io/pause: does nothing until it is told to stop.

import type { TreeEntry } from "#sim/files.ts";
import type { Process, Sys } from "#sim/program.ts";
import { awaitSignals } from "./await-signals.ts";
import { digestOf } from "./fingerprint.ts";
import { configOf, type Image } from "./image.ts";

function* pause(self: Process): Sys<number> {
  self.declareUse({ memoryBytes: 262_144 });
  yield* awaitSignals(self, ["TERM", "INT"]);
  yield* self.write(2, "Shutting down, got signal: Terminated\n");
  return 0;
}

const files = new Map<string, TreeEntry>([["/pause", { type: "program", program: pause, sizeBytes: 544_768 }]]);

export const pauseImages: readonly Image[] = ["3.1", "3.2", "3.5", "3.9", "3.10", "3.10.1", "3.10.2", "latest"].map((tag) => ({
  repository: "registry.k8s.io/pause",
  tag,
  digest: digestOf(`pause ${tag === "latest" ? "3.10.2" : tag}`),
  sizeBytes: 320_368,
  config: { ...configOf(["/pause"]), user: "65535:65535" },
  files,
}));
