// `npm run generate`: derives what the API server must know of every field of every built-in type from the
// published client package, which is itself made from the OpenAPI document of the Kubernetes release.
// Writes src/cluster/api/generated/{types.ts,schema.ts,docs.ts}; nothing there is edited by hand or committed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Model, parseModel } from "./models.ts";
import { parseParameters } from "./parameters.ts";
import { renderDocs, renderSchema, renderTypes } from "./render.ts";

const here = dirname(fileURLToPath(import.meta.url));
const packageEntry = createRequire(import.meta.url).resolve("@kubernetes/client-node");
const modelsFolder = join(packageEntry.slice(0, packageEntry.lastIndexOf("dist")), "dist/gen/models");

/** Types of versions that are not stable: no server of the release has them on by default, and this one serves none. */
const notServed = /^V\d+(?:alpha|beta)\d/;
/** Files of the models folder that hold no model of their own. */
const notModels = new Set(["ObjectSerializer", "all"]);

const models: Model[] = [];
let release = "";
for (const file of readdirSync(modelsFolder).sort()) {
  if (!file.endsWith(".d.ts")) continue;
  const name = file.slice(0, -".d.ts".length);
  if (notModels.has(name) || notServed.test(name)) continue;
  const declaration = readFileSync(join(modelsFolder, file), "utf8");
  const code = readFileSync(join(modelsFolder, `${name}.js`), "utf8");
  release ||= /OpenAPI spec version: release-(\d+\.\d+)/.exec(declaration)?.[1] ?? "";
  models.push(parseModel(name, declaration, code));
}
if (models.length < 500 || release === "") {
  throw new Error(
    `generate: ${modelsFolder} holds ${models.length} models of release "${release}": is @kubernetes/client-node installed whole?`,
  );
}

const out = join(here, "..", "generated");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "types.ts"), renderTypes(models));
writeFileSync(join(out, "schema.ts"), renderSchema(models, release));
const coreApi = readFileSync(join(modelsFolder, "../apis/CoreV1Api.js"), "utf8");
writeFileSync(join(out, "docs.ts"), renderDocs(models, parseParameters(coreApi)));
console.log(`generate: ${models.length} types of Kubernetes ${release}`);
