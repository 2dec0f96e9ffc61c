import { World } from "#world/world.ts";

const w = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 3, files: {} });
w.cluster.boot();
w.simulation.advance(60000);
const hours = Number(process.argv[2] ?? 1);
for (let i = 0; i < hours; i++) {
  const c = process.cpuUsage();
  const e = w.simulation.processedEvents;
  w.simulation.advance(3600000);
  const u = process.cpuUsage(c);
  console.log((u.user + u.system) / 1000, w.simulation.processedEvents - e);
}
