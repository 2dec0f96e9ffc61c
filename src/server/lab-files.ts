// Labs read from the disk, as the site has them from its bundler.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LabSources } from "#lab/catalog.ts";

/** Everything below `labs/` of `root`, by path. */
export function readLabSources(root = "."): LabSources {
  const paths = readdirSync(join(root, "labs"), { recursive: true, encoding: "utf8" }).map((name) => join("labs", name));
  return Object.fromEntries(
    paths.filter((path) => statSync(join(root, path)).isFile()).map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}
