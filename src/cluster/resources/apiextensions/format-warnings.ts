// Formats in the schemas of a CustomResourceDefinition that nobody checks: allowed, and warned of.

import type { CustomResourceDefinition } from "#cluster/api/generated/types.ts";
import { isKnownFormat } from "#cluster/cel/named-formats.ts";
import type { Typed } from "../definition.ts";
import { type Schema, someSchema } from "./structural-schema.ts";

type Crd = Typed<CustomResourceDefinition>;

/** One for each that is new. */
export function formatWarnings(crd: Crd, old: Crd | undefined): readonly string[] {
  const known = old === undefined ? new Set<string>() : new Set(unknownFormats(old));
  return unknownFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function unknownFormats(crd: Crd): readonly string[] {
  const formats: string[] = [];
  for (const version of crd.spec.versions ?? []) {
    someSchema(version.schema?.openAPIV3Schema as Schema | undefined, ({ type, format }) => {
      if (format && !isKnownFormat(type, format)) formats.push(format);
      return false;
    });
  }
  return [...new Set(formats)];
}
