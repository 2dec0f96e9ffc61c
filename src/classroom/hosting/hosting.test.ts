// What a school hosts the classroom with: the manifests apply as they stand, and the files name what there is.

import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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
  run("kubectl apply -f classroom/namespace.yaml");
  run("kubectl -n pilothouse create secret generic classroom-database --from-literal=url=postgres://u:p@db/classroom");
  expect(run("kubectl apply -k classroom")).toBe(
    [
      "namespace/pilothouse configured",
      "service/classroom created",
      "deployment.apps/classroom created",
      "poddisruptionbudget.policy/classroom created",
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

const root = join(folder, "../../..");
/** What the program and its replays run from. */
const programs = ["src/classroom/server/main.ts", "src/classroom/server/replay/replayer.ts"];
const imported = /(?:^import\s(?!type\b)[^;]*?from\s*|^import\s*|^export\s(?!type\b)[^;]*?from\s*|\bimport\()\s*"([^"]+)"/gm;

/** Files of ours that are imported from `programs` on, and the packages that they import. */
function closure(): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = programs.map((path) => join(root, path));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imported)) {
      if (name.startsWith("#")) waiting.push(join(root, "src", name.slice(1)));
      else if (name.startsWith(".")) waiting.push(join(dirname(file), name));
      else if (!name.startsWith("node:")) packages.add(name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
    }
  }
  return { files: [...files].map((file) => relative(root, file)), packages: [...packages] };
}

/** What of `src` is copied into the image. */
function copied(): readonly string[] {
  const [, list = ""] = /cp -r --parents ([\s\S]*?) \/app\/src\//.exec(text("Dockerfile")) ?? [];
  return list.split(/[\s\\]+/);
}

/** As Docker reads it: a line is left out of what the image is built from. */
const ignored = (): readonly string[] =>
  text("Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => line !== "");

test("the image holds all that the server and its replays import, and of the project's rooms no other", () => {
  const { files, packages } = closure();
  expect(files.length).toBeGreaterThan(500);
  const isIn = (place: string) => (file: string) => file === `src/${place}` || file.startsWith(`src/${place}/`);
  expect(files.filter((file) => !copied().some((place) => isIn(place)(file)))).toEqual([]);
  expect(copied().filter((place) => !files.some(isIn(place)))).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly dependencies: object };
  expect(packages.filter((name) => !(name in dependencies))).toEqual([]);
});

test("what runs may need optional packages, so the image keeps them", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly optionalDependencies?: object }>>;
  };
  const withBindings = closure().packages.filter(
    (name) => lock.packages[`node_modules/${name}`]?.optionalDependencies !== undefined,
  );
  expect(withBindings).toContain("satteri");
  expect(text("Dockerfile")).toMatch(/npm prune --omit=dev (?!.*--omit=optional)/);
});

test("no test, no secret and nothing of this machine goes into the image", () => {
  const lines = ignored();
  const tests = globSync(["src/**/*.test.{ts,tsx}", "src/**/*.test-kit.{ts,tsx}"], { cwd: root });
  expect(tests.length).toBeGreaterThan(100);
  const left = tests.filter((file) => !lines.some((line) => line.startsWith("**/*") && file.endsWith(line.slice("**/*".length))));
  expect(left).toEqual([]);
  for (const path of ["tests", "node_modules", "dist", ".git", "classroom-data", "src/classroom/hosting/database-password"])
    expect(lines).toContain(path);
  // What the server imports is no test.
  expect(closure().files.filter((file) => /\.test(-kit)?\./.test(file))).toEqual([]);
});
