import { readFileSync } from "node:fs";
import { it } from "vitest";
import { sitDown } from "#world/terminal.test-kit.ts";
import { World } from "#world/world.ts";
it("x", () => {
  const read = (n: string) => readFileSync(`labs/traffic-policies/files/${n}.yaml`, "utf8");
  const files = Object.fromEntries(["cloud-manager","collector","prices","rentals","website"].map((n) => [`${n}.yaml`, read(n)]));
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, files, cloud: {},
    nodes: [{ zone: "zone-a", labels: { pages: "true" } }, { zone: "zone-a", labels: { pages: "true" } }, { zone: "zone-b" }],
    hosts: [{ name: "rentbot", address: "198.51.100.77", image: "nginx:1.27", command: ["sh", "-c", "while true; do sleep 4; curl -s -m 3 -A rentbot http://172.18.0.4:30090/station-12; done"] }],
  });
  world.boot();
  const l = sitDown(world, { columns: 220, rows: 120 });
  for (const line of readFileSync("/tmp/brief7c-lines", "utf8").split("\n")) {
    if (line.trim() === "" ) continue;
    console.log(`$ ${line}\n${l.run(line, 120_000)}`);
  }
}, 500_000);
