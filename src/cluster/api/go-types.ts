// How Go names our types in its error texts: `v1.PodSpec`, `[]v1.Container`, `map[string]string`.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { TypeSchema } from "./schema.ts";

/** Prefixes of names that the client package made unique by their group. */
const groupPrefix =
  /^(?:Admissionregistration|Apiextensions|Apiregistration|Authentication|Core|Discovery|Events|Flowcontrol|Rbac|Resource|Storage)(V\d\w*?)(?=[A-Z])/;

/** `CoreV1Event` is Event of v1, `V2MetricSpec` is MetricSpec of v2, `Pod` is Pod of v1. */
export function goStruct(typeName: string): { readonly version: string; readonly name: string } {
  const match = groupPrefix.exec(typeName) ?? /^(V\d+(?:(?:alpha|beta)\d+)?)(?=[A-Z])/.exec(typeName);
  if (match === null) return { version: "v1", name: typeName };
  return { version: asciiLowerCase(match[1] as string), name: typeName.slice(match[0].length) };
}

export function goType(type: TypeSchema): string {
  switch (type.kind) {
    case "list":
      return `[]${goType(type.of)}`;
    case "map":
      if (type.of.kind === "quantity") return "v1.ResourceList";
      return type.of.kind === "bytes" ? "map[string][]uint8" : `map[string]${goType(type.of)}`;
    case "object": {
      const { version, name } = goStruct(type.name);
      return `${version}.${name}`;
    }
    case "boolean":
      return "bool";
    case "double":
      return "float64";
    case "bytes":
      return "[]uint8";
    case "time":
      return "v1.Time";
    case "microTime":
      return "v1.MicroTime";
    case "intOrString":
      return "intstr.IntOrString";
    case "quantity":
      return "resource.Quantity";
    case "any":
      return "runtime.RawExtension";
    default:
      return type.kind;
  }
}

/** What Go calls a JSON value that does not fit; numbers are named when the target is a whole number. */
export function goValue(value: unknown, wanted: TypeSchema["kind"]): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" || typeof value === "bigint")
    return wanted === "int32" || wanted === "int64" ? `number ${value}` : "number";
  return "object";
}
