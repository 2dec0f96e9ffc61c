// `npm run schemas`: writes the JSON Schemas of labs to public/schemas, where editors and the site find them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { labSchemas } from "#lab/definition.ts";

export const schemasFolder = join("public", "schemas");

/** Name → text, as the files hold it. */
export function schemaTexts(): ReadonlyMap<string, string> {
  return new Map(Object.entries(labSchemas).map(([name, schema]) => [name, `${JSON.stringify(schema, undefined, 2)}\n`]));
}

if (import.meta.main) {
  mkdirSync(schemasFolder, { recursive: true });
  for (const [name, text] of schemaTexts()) writeFileSync(join(schemasFolder, name), text);
}
