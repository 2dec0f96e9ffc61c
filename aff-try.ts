import { readdirSync, readFileSync } from "node:fs";
import { readLab } from "#lab/definition.ts";
import { startWorld } from "#lab/lab-world.ts";
import { provideTools } from "#world/tools.ts";
import { Typist } from "./tests/typist.ts";

provideTools();
const dir = "labs/kube-proxy-modes";
const text = readFileSync(`${dir}/lab.yaml`, "utf8").split("\nsteps:")[0];
const files = Object.fromEntries(readdirSync(`${dir}/files`).map((n) => [n, readFileSync(`${dir}/files/${n}`, "utf8")]));
const lab = readLab("x", "lab.yaml", `sandbox: true\n${text}`, files);
const world = startWorld(lab, { startMs: Date.UTC(2026, 0, 15, 9), seed: Number(process.env["SEED"] ?? 7) });
const typist = new Typist(world);
for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line.trim() === "") continue;
  console.log("$ " + line);
  const r = typist.run(line);
  process.stdout.write(r.output + (r.code === 0 ? "" : `[${r.code}]\n`));
}
