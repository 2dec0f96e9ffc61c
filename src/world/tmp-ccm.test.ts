import { readFileSync, writeFileSync } from "node:fs";
import { it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";
import { cloudWorld } from "./cloud.test-kit.ts";

it("explore", () => {
  const dir = "labs/cloud-controller-manager/files/";
  const files = Object.fromEntries(["tram.yaml", "manager.yaml", "rights.yaml"].map((n) => [n, readFileSync(dir + n, "utf8")]));
  void cloudWorld;
  const world = new World({ startMs: 1_767_225_600_000, seed: 3, nodes: 4, files, cloud: { uninitialized: ["node-3"] } });
  world.boot();
  const learner = sitDown(world, { columns: 200, rows: 200 });
  let out = "";
  for (const line of readFileSync("/tmp/ccm-explore.txt", "utf8").split("\n")) {
    if (line === "") continue;
    out += `$ ${line}\n${learner.run(line)}`;
    writeFileSync("/tmp/ccm-out.txt", out);
  }
}, 300_000);
