// What a school hosts the classroom with: the manifests apply as they stand, and the files name what there is.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sitDown } from "#world/terminal.test-kit.ts";
import { World } from "#world/world.ts";
import { helpText } from "../server/arguments.ts";

const folder = import.meta.dirname;
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

test("the manifests apply as they stand, under the restricted Pod Security Standard", () => {
  const names = readdirSync(join(folder, "kubernetes"));
  const files = Object.fromEntries(names.map((name) => [`classroom/${name}`, text(`kubernetes/${name}`)]));
  const world = new World({ startMs: Date.UTC(2026, 8, 1), seed: 1, nodes: 2, files });
  world.boot();
  const { run } = sitDown(world, { columns: 200, rows: 60 });
  run("kubectl create namespace pilothouse --save-config");
  run("kubectl -n pilothouse create secret generic classroom-database --from-literal=url=postgres://u:p@db/classroom");
  expect(run("kubectl apply -k classroom")).toBe(
    [
      "namespace/pilothouse configured",
      "service/classroom created",
      "deployment.apps/classroom created",
      "poddisruptionbudget.policy/classroom created",
      // The simulated cluster does not act on them, and says so.
      "Warning: networkpolicies: accepted, but nothing in this simulated cluster acts on it",
      "networkpolicy.networking.k8s.io/classroom created",
      "",
    ].join("\n"),
  );
  // Nothing speaks against its Pods: they wait for an image that only the school's registry has.
  expect(run("kubectl -n pilothouse get events --field-selector reason=FailedCreate")).toBe(
    "No resources found in pilothouse namespace.\n",
  );
  expect(run("kubectl -n pilothouse get deployments,pdb,networkpolicies -o name")).toBe(
    "deployment.apps/classroom\npoddisruptionbudget.policy/classroom\nnetworkpolicy.networking.k8s.io/classroom\n",
  );
  expect(run("kubectl -n pilothouse get pods --no-headers | wc -l").trim()).toBe("2");
});

test("every option that the files use is one of the program's", () => {
  const used = ["Dockerfile", "compose.yaml", "pilothouse-classroom.service", "kubernetes/deployment.yaml"].flatMap((name) =>
    [...text(name).matchAll(/"(--[a-z-]+)|classroom -- (--[a-z-]+)/g)].map(([, quoted, plain]) => quoted ?? plain),
  );
  expect(used.length).toBeGreaterThan(3);
  for (const option of used) expect(helpText).toContain(`  ${option} `);
});
