import { readFileSync } from "node:fs";
import { provideTools } from "#world/tools.ts";
import { sitDown } from "#world/terminal.test-kit.ts";
import { World } from "#world/world.ts";
provideTools();
const file = (n: string) => readFileSync(`labs/eviction-rates/files/${n}`, "utf8");
const nodes = ["a1","a2","a3","a4","a5","b1","b2","b3","b4","b5"].map((name) => ({ name, zone: name.startsWith("a") ? "zone-a" : "zone-b" }));
const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes, addons: [], controlPlane: { labels: { "topology.kubernetes.io/zone": "zone-b" } }, files: { "boards.yaml": file("boards.yaml"), "cable.sh": file("cable.sh") } } as never);
world.boot();
world.runSetup("kubectl create namespace tram\nkubectl config set-context --current --namespace=tram\nkubectl apply -f boards.yaml\nkubectl rollout status deployment/boards");
const learner = sitDown(world, { columns: 200, rows: 80 });
for (const line of readFileSync(process.argv[2] ?? "", "utf8").trim().split("\n")) {
  const [, limit, command] = /^(?:@(\d+) )?(.*)$/.exec(line) ?? [];
  console.log(`$ ${command}`);
  console.log(learner.run(command ?? "", Number(limit ?? 900) * 1000));
}
