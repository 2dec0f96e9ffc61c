// Names of Go types that stand in error texts only: named strings and numbers (`v1.RestartPolicy`), and structs that are
// embedded in others (`ProbeHandler` in Probe).

import { embeddedStructTable, namedScalarTable } from "./generated/go-names.ts";

/** The named type of a scalar field, or of the elements of a list: `v1.Protocol`. */
export function namedScalar(typeName: string, field: string): string | undefined {
  return lookup(namedScalarTable, typeName, (entry) => {
    const [name, type] = entry.split("=");
    return name === field ? type : undefined;
  });
}

/** The embedded struct that a field is declared in; it stands in Go's field paths. */
export function embeddedStruct(typeName: string, field: string): string | undefined {
  return lookup(embeddedStructTable, typeName, (entry) => {
    const [struct, fields = ""] = entry.split("=");
    return fields.split(",").includes(field) ? struct : undefined;
  });
}

/** Reads the tables at the time of an error only. */
function lookup(table: string, typeName: string, match: (entry: string) => string | undefined): string | undefined {
  const line = table.split("\n").find((candidate) => candidate.startsWith(`${typeName} `));
  for (const entry of line?.split(" ").slice(1) ?? []) {
    const found = match(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
