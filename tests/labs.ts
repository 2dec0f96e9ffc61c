// Reads labs from the disk, as the site has them from its bundler.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LabSources } from "#lab/catalog.ts";

/** Everything below `labs/`, by path. */
export function readLabSources(): LabSources {
  const paths = readdirSync("labs", { recursive: true, encoding: "utf8" }).map((name) => join("labs", name));
  return Object.fromEntries(paths.filter((path) => statSync(path).isFile()).map((path) => [path, readFileSync(path, "utf8")]));
}
