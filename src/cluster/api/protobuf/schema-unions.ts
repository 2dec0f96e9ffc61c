// The fields of a JSON schema (in CustomResourceDefinitions) that are one of two things in JSON and a message with both
// in protobuf: a schema or a boolean, a schema or a list of schemas, a schema or a list of names.

import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";
import type { Bytes } from "#sim/bytes.ts";
import { WireReader, WireWriter, wireTypes } from "./wire.ts";

/** What else than one schema the field may hold, by its name. */
export const schemaUnions: ReadonlyMap<string, "boolean" | "schemas" | "names"> = new Map([
  ["additionalItems", "boolean"],
  ["additionalProperties", "boolean"],
  ["items", "schemas"],
  ["dependencies", "names"],
]);

export function readUnion(
  bytes: Bytes,
  other: "boolean" | "schemas" | "names",
  readSchema: (bytes: Bytes) => JsonValue,
): JsonValue {
  const reader = new WireReader(bytes);
  const schemaNumber = other === "boolean" ? 2 : 1;
  let allows = false;
  let schema: JsonValue | undefined;
  const rest: JsonValue[] = [];
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === schemaNumber && wireType === wireTypes.bytes) schema = readSchema(reader.bytes());
    else if (number === 1 && wireType === wireTypes.varint) allows = reader.signed() !== 0;
    else if (number === 2 && wireType === wireTypes.bytes)
      rest.push(other === "names" ? reader.text() : readSchema(reader.bytes()));
    else reader.skip(wireType);
  }
  return schema ?? (other === "boolean" ? allows : rest);
}

export function writeUnion(
  value: JsonValue,
  other: "boolean" | "schemas" | "names",
  writeSchema: (schema: JsonObject) => Bytes,
): Bytes {
  const writer = new WireWriter();
  const message = (number: number, content: Bytes): void => {
    writer.tag(number, wireTypes.bytes);
    writer.bytes(content);
  };
  if (other === "boolean") {
    writer.tag(1, wireTypes.varint);
    writer.signed(value === false ? 0 : 1);
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (typeof item === "string") {
        writer.tag(2, wireTypes.bytes);
        writer.text(item);
      } else message(2, writeSchema(item as JsonObject));
    }
  } else if (typeof value === "object" && value !== null) message(other === "boolean" ? 2 : 1, writeSchema(value as JsonObject));
  return writer.finish();
}
