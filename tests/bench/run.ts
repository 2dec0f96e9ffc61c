// `npm run bench [-- NAME …]`: prints the figures of the quality bars as a table. Figures, not timed tests: machines differ, which is why
// times of the processor stand there as multiples of a fixed piece of work too (`calibration.ts`).

import { calibrate } from "./calibration.ts";
import { CannotMeasure, type Figure } from "./figures.ts";

const suites: { readonly [name: string]: () => Promise<readonly Figure[]> } = {
  world: async () => (await import("./world.ts")).benchWorld(),
  sim: async () => (await import("./sim.ts")).benchSim(),
  api: async () => (await import("./api.ts")).benchApi(),
  apiserver: async () => (await import("./apiserver.ts")).benchApiServer(),
  door: async () => (await import("./door.ts")).benchDoor(),
  control: async () => (await import("./control.ts")).benchControl(),
  labs: async () => (await import("./labs.ts")).benchLabs(),
  node: async () => (await import("./node.ts")).benchNode(),
  page: async () => (await import("./page.ts")).benchPage(),
  prompt: async () => (await import("./prompt.ts")).benchPrompt(),
  replay: async () => (await import("./replay.ts")).benchReplay(),
  picture: async () => (await import("./picture.ts")).benchPicture(),
};

/** Take minutes: only when asked for by name. */
const longSuites: typeof suites = {
  scale: async () => (await import("./scale.ts")).benchScale(),
  "scale-limit": async () => (await import("./scale.ts")).benchScaleLimit(),
  scheduler: async () => (await import("./scheduler.ts")).benchScheduler(),
  classroom: async () => (await import("./classroom.ts")).benchClassroom(),
  upstream: async () => (await import("./upstream.ts")).benchUpstream(),
  peers: async () => (await import("./peers.ts")).benchPeers(),
  lighthouse: async () => (await import("./lighthouse.ts")).benchLighthouse(),
  axe: async () => (await import("./axe.ts")).benchAxe(),
};
const all = { ...suites, ...longSuites };

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in all));
if (unknown !== undefined) {
  console.error(`there is no bench ${unknown}; there are ${Object.keys(all).join(", ")}`);
  process.exit(1);
}

const calibrationMs = calibrate();
const rows: string[][] = [
  ["", "figure", "value", "", "in calibrations", "bar"],
  ["", "calibration: allocate, hash, sort", text(calibrationMs), "ms CPU", "1", ""],
];
for (const [name, suite] of Object.entries(chosen.length > 0 ? all : suites)) {
  if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await measured(name, suite)));
}
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows)
  console.log(
    row
      .map((cell, column) => (column === 2 || column === 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );

async function measured(name: string, suite: () => Promise<readonly Figure[]>): Promise<readonly string[][]> {
  try {
    return (await suite()).map((figure) => [name, figure.name, text(figure.value), figure.unit, multiple(figure), verdict(figure)]);
  } catch (error) {
    if (!(error instanceof CannotMeasure)) throw error;
    // Who asked for it by name did not get it.
    if (chosen.includes(name)) process.exitCode = 1;
    return [[name, `not measured: ${error.message}`, "", "", "", ""]];
  }
}

/** Of a time of the processor. */
function multiple({ value, unit }: Figure): string {
  const [, micro] = /^([mµ])s CPU/.exec(unit) ?? [];
  if (micro === undefined) return "";
  return ((micro === "m" ? value : value / 1000) / calibrationMs).toPrecision(3);
}

function verdict({ value, bar, floor }: Figure): string {
  if (floor !== undefined) return `≥ ${floor}${value >= floor ? "" : "  below"}`;
  return bar === undefined ? "" : `≤ ${bar}${value <= bar ? "" : "  over"}`;
}

function text(value: number): string {
  if (value >= 100 || value === 0) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
