import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
provideTools();
const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: Number(process.argv[2]), files: {} });
const t = process.cpuUsage(); world.cluster.boot(); const u = process.cpuUsage(t); console.log("boot", process.argv[2], (u.user + u.system) / 1e6, "virtual", world.simulation.nowMs - 1_767_225_600_000);
