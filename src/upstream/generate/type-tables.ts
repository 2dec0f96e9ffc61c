// Writes what the client package does not tell of the built-in types as tables: a line a type, a word a field. The modules that read
// them say what the words mean.

import { compareBytes } from "../../cluster/api/json-write.ts";
import type { FieldType } from "./models.ts";
import type { FieldFact, TypeFact } from "./type-facts.ts";

/** For `cluster/api/emptiness.ts`: `field=empty` is always written, `field*` keeps its zero. */
export function emptinessTable(types: readonly TypeFact[]): string {
  return table(types, ({ name, type, empty, keepsZero }, model) => {
    if (empty !== undefined) return `${name}=${JSON.stringify(empty)}`;
    const isTold = (keepsZero === true && plainKinds.has(type.kind)) || refusedEmpty.has(`${model}.${name}`);
    return isTold ? `${name}*` : undefined;
  });
}

/** Zeros that Go leaves out where no pointer leads to them. */
const plainKinds: ReadonlySet<FieldType["kind"]> = new Set(["string", "boolean", "int32", "int64", "double", "bytes"]);

/** Lists that are refused when they are empty and filled in when they are absent: the server tells the two apart before it writes. */
const refusedEmpty: ReadonlySet<string> = new Set(["V2HPAScalingRules.policies"]);

/** For `cluster/api/merge-keys.ts`: `ports=map:containerPort,protocol~merge:containerPort`. */
export function mergeRuleTable(types: readonly TypeFact[]): string {
  return table(types, ({ name, apply = "", patch = "" }) => {
    if (apply === "" && patch === "") return undefined;
    return `${name}=${apply}${patch === "" ? "" : `~${patch}`}`;
  });
}

/** For `cluster/api/merge-keys.ts`: the fields whose texts are quantities. */
export function quantityTable(types: readonly TypeFact[]): string {
  return table(types, ({ name, go }) => (/\b(resource\.Quantity|v1\.ResourceList)$/.test(go) ? name : undefined));
}

export function atomicTypeNames(types: readonly TypeFact[]): string {
  return types.flatMap(({ model, atomic }) => (atomic ? [model.name] : [])).join(" ");
}

/** For `cluster/api/go-names.ts`: `protocol=v1.Protocol`. */
export function namedScalarTable(types: readonly TypeFact[]): string {
  return table(types, ({ name, type, go }) => {
    const scalar = go.replace(/^\*?(\[\])?\*?/, "");
    const element = type.kind === "array" ? type.of : type;
    const isPlain = element.kind === "string" || element.kind === "int32" || element.kind === "int64";
    return isPlain && scalar.includes(".") && !notNamed.has(scalar) ? `${name}=${scalar}` : undefined;
  });
}

/** Structs that are texts or numbers in JSON. */
const notNamed: ReadonlySet<string> = new Set(["resource.Quantity", "v1.Duration"]);

/** For `cluster/api/go-names.ts`: `ProbeHandler=exec,httpGet`. Kinds are read before anything else of an object is. */
export function embeddedStructTable(types: readonly TypeFact[]): string {
  const lines = types.flatMap(({ model, definition, fields }) => {
    const structs = new Map<string, string[]>();
    for (const { name, in: structPath = "" } of fields) {
      const [struct = ""] = structPath.split(".");
      if (struct === "" || (struct === "TypeMeta" && !definition.includes(".meta.v1."))) continue;
      structs.set(struct, [...(structs.get(struct) ?? []), name]);
    }
    return structs.size === 0 ? [] : [[model.name, ...[...structs].map(([name, held]) => `${name}=${held.join(",")}`)].join(" ")];
  });
  return lines.join("\n");
}

/** For `cluster/api/openapi/packages.ts`: a line a package with the names of its types. */
export function packageTable(types: readonly TypeFact[]): string {
  const packages = new Map<string, string[]>();
  for (const { model, definition } of types) {
    const name = definition.split(".").slice(-3, -1).join(".");
    packages.set(name, [...(packages.get(name) ?? []), model.name]);
  }
  return [...packages]
    .sort(([a], [b]) => compareBytes(a, b))
    .map((line) => line.flat().join(" "))
    .join("\n");
}

function table(types: readonly TypeFact[], word: (field: FieldFact, model: string) => string | undefined): string {
  return types
    .flatMap(({ model, fields }) => {
      const words = byName(fields).flatMap((field) => word(field, model.name) ?? []);
      return words.length === 0 ? [] : [[model.name, ...words].join(" ")];
    })
    .join("\n");
}

function byName(fields: readonly FieldFact[]): readonly FieldFact[] {
  return [...fields].sort((a, b) => compareBytes(a.name, b.name));
}
