import { readFileSync, writeFileSync } from "node:fs";
import { it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

it("explore", () => {
  const dir = "labs/cloud-controller-manager/files/";
  const files = Object.fromEntries(["tram.yaml", "manager.yaml", "rights.yaml"].map((n) => [n, readFileSync(dir + n, "utf8")]));
  const gib = 1024 ** 3;
  const nodes = [{ zone: "zone-a" }, { zone: "zone-b" }, { zone: "zone-c" }, { zone: "zone-a" }, { zone: "zone-b", cpus: 4, memoryBytes: 8 * gib }];
  const world = new World({ startMs: 1_767_225_600_000, seed: 11, nodes, files, cloud: { uninitialized: ["node-3", "node-5"] } } as never);
  world.boot();
  const learner = sitDown(world, { columns: 200, rows: 200 });
  let out = "";
  const setup = readFileSync("labs/cloud-controller-manager/lab.yaml", "utf8").match(/setup: \|\n([\s\S]*?)\n\n/)?.[1] ?? "";
  const mdx = readFileSync("content/lessons/fr/architecture/cloud-controller-manager.mdx", "utf8");
  const blocks = [...mdx.matchAll(/^```sh run\n([\s\S]*?)^```/gm)].map((m) => m[1] ?? "");
  for (const block of [setup, ...blocks, readFileSync("/tmp/ccm-explore.txt", "utf8")]) {
    for (const line of block.split("\n").map((l) => l.trim())) {
      if (line === "") continue;
      out += `$ ${line}\n${learner.run(line)}`;
      writeFileSync("/tmp/ccm-out.txt", out);
    }
    out += "-----\n";
  }
}, 300_000);
