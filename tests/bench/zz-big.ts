import { deployments, pods, nodes as nodesKind } from "#cluster/api/kinds.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
provideTools();
const N = Number(process.argv[2]), P = Number(process.argv[3]), LIM = Number(process.argv[4] ?? 10);
const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: N, files: {} });
let told = 0; (world.cluster.kernel as any).onProgramError = (p: any, e: any) => { if (told++ < 3) console.log("PROGRAM", p.argv, e?.stack ?? e, JSON.stringify(process.memoryUsage())); };
const t0 = process.cpuUsage();
const cpu = () => { const u = process.cpuUsage(t0); return ((u.user + u.system) / 1e6).toFixed(1); };
world.cluster.boot();
console.log("boot", cpu());
const labels = { app: "web" };
world.client.create(deployments, { metadata: { name: "web", namespace: "default" }, spec: { replicas: P, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } } } });
const start = world.simulation.nowMs;
for (let m = 0.25; m <= LIM; m += 0.25) {
  try { world.simulation.runUntil(() => false, { limitMs: 15_000 }); } catch (e) { console.log("threw", String(e)); }
  const d = world.client.get(deployments, { namespace: "default", name: "web" });
  console.log(m, "min cpu", cpu(), "rss", (process.memoryUsage().rss / 2 ** 20) | 0, "heap", (process.memoryUsage().heapUsed / 2 ** 20) | 0, JSON.stringify({ r: d.status?.replicas, ready: d.status?.readyReplicas, av: d.status?.availableReplicas, un: d.status?.unavailableReplicas }), "now", world.simulation.nowMs - start);
  if (d.status?.readyReplicas === P) break;
}
const list = world.client.list(pods, { namespace: "default" }).items;
const by = new Map<string, number>();
for (const p of list) { const r = (p.status?.containerStatuses?.[0]?.state); const k = p.status?.phase + " node=" + (p.spec?.nodeName ? "y" : "n") + " " + JSON.stringify(Object.keys(r ?? {})) + (r?.waiting?.reason ?? "") + " ready=" + p.status?.conditions?.find((c: any) => c.type === "Ready")?.status + " sched=" + JSON.stringify(p.status?.conditions?.find((c: any) => c.type === "PodScheduled")?.message ?? "").slice(0, 200); by.set(k, (by.get(k) ?? 0) + 1); }
console.log(list.length, [...by]);
const nl = world.client.list(nodesKind, {}).items; const nb = new Map<string, number>();
for (const n of nl) { const k = n.status?.conditions?.filter((c: any) => c.status !== "False").map((c: any) => c.type + c.status + c.reason).join() + JSON.stringify(n.spec?.taints); nb.set(k, (nb.get(k) ?? 0) + 1); }
console.log([...nb]);
{
  const bad = list.filter((p) => p.status?.containerStatuses?.[0]?.ready === false).slice(0, 3);
  for (const p of bad) {
    console.log(p.metadata.name, p.spec?.nodeName, JSON.stringify(p.status));
    const dir = "/var/log/pods/default_" + p.metadata.name + "_" + p.metadata.uid + "/nginx";
    const files = world.cluster.node(p.spec?.nodeName as string)!.machine.files;
    for (let i = 0; i < 8; i++) { const t = files.textIfThere(dir + "/" + i + ".log"); if (t !== undefined) console.log(i, t); }
  }
}
