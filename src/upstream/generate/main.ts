// `npm run generate`: derives what the API server must know of every field of every built-in type from the published client
// package, which is itself made from the OpenAPI document of the Kubernetes release, and from the facts beside this folder, which
// tests/oracle/facts takes from the release's Go modules. Writes the `generated/` folders of the rooms; nothing there is edited by
// hand or committed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { policyTable } from "./bootstrap-policy.ts";
import { fieldNumberTable } from "./field-numbers.ts";
import { freshTypes } from "./fresh-types.ts";
import { kubectlCatalog } from "./kubectl-catalog.ts";
import { type Model, parseModel } from "./models.ts";
import { parseParameters } from "./parameters.ts";
import { renderDocs, renderTexts, renderTypes, schemaTable } from "./render.ts";
import { readTypeFacts, type TypeFact } from "./type-facts.ts";
import {
  atomicTypeNames,
  embeddedStructTable,
  emptinessTable,
  mergeRuleTable,
  namedScalarTable,
  packageTable,
  quantityTable,
} from "./type-tables.ts";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const packageEntry = createRequire(import.meta.url).resolve("@kubernetes/client-node");
const clientFolder = join(packageEntry.slice(0, packageEntry.lastIndexOf("dist")), "dist/gen");
/** Files of the models folder that hold no model of their own. */
const notModels = new Set(["ObjectSerializer", "all"]);

const { models, release } = readModels();
const types = readTypeFacts(facts("types.json"), models);
const served = types.map(({ model }) => model);
const fresh = freshTypes(served);
write("cluster/api", {
  types: renderTypes(served),
  release: renderTexts({ release }),
  docs: renderDocs(served, parseParameters(readFileSync(join(clientFolder, "apis/CoreV1Api.js"), "utf8"))),
  "fresh-tables": renderTexts(tables(types.filter(({ model }) => fresh.has(model.name)))),
  "late-tables": renderTexts(tables(types.filter(({ model }) => !fresh.has(model.name)))),
  "go-names": renderTexts({ namedScalarTable: namedScalarTable(types), embeddedStructTable: embeddedStructTable(types) }),
  packages: renderTexts({ packageTable: packageTable(types) }),
});
write("cluster/api/protobuf", { "field-numbers": renderTexts({ fieldNumberTable: fieldNumberTable(types) }) });
const { catalogText, helpTexts } = kubectlCatalog(facts("kubectl.json"));
write("kubectl/help", { catalog: renderTexts({ catalogText }), texts: renderTexts({ helpTexts }) });
write("cluster/apiserver/authorization/bootstrap", {
  policy: renderTexts({ policyText: policyTable(facts("bootstrap-policy.json")) }),
});
console.log(`generate: ${types.length} types of Kubernetes ${release}`);

function readModels(): { readonly models: readonly Model[]; readonly release: string } {
  const folder = join(clientFolder, "models");
  const models: Model[] = [];
  let release = "";
  for (const file of readdirSync(folder).sort()) {
    const name = file.slice(0, -".d.ts".length);
    if (!file.endsWith(".d.ts") || notModels.has(name)) continue;
    const declaration = readFileSync(join(folder, file), "utf8");
    release ||= /OpenAPI spec version: release-(\d+\.\d+)/.exec(declaration)?.[1] ?? "";
    models.push(parseModel(name, declaration, readFileSync(join(folder, `${name}.js`), "utf8")));
  }
  if (models.length < 500 || release === "") {
    throw new Error(
      `generate: ${folder} holds ${models.length} models of release "${release}": is @kubernetes/client-node installed whole?`,
    );
  }
  return { models, release };
}

/** What `cluster/api/type-tables.ts` reads. */
function tables(of: readonly TypeFact[]) {
  return {
    schemaTable: schemaTable(of.map(({ model }) => model)),
    emptinessTable: emptinessTable(of),
    mergeRuleTable: mergeRuleTable(of),
    quantityTable: quantityTable(of),
    atomicTypeNames: atomicTypeNames(of),
  };
}

function facts(name: string): string {
  return readFileSync(join(source, "upstream", name), "utf8");
}

function write(room: string, modules: { readonly [name: string]: string }): void {
  const folder = join(source, room, "generated");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.ts`), text);
}
