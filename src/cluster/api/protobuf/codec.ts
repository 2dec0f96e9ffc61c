// Objects of the built-in types between JSON values and protobuf messages. Reading leaves out what nobody knows; writing
// leaves out what is absent (readers take absent for zero).

import { decodeObject } from "#cluster/api/decode.ts";
import type { ScalarKind, TypeSchema } from "#cluster/api/schema.ts";
import type { Int64, JsonObject, JsonValue } from "#cluster/api/wire.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { type MessagePlan, type PlannedField, planOf } from "./message-plan.ts";
import { readUnion, schemaUnions, writeUnion } from "./schema-unions.ts";
import { readFirst, readIntOrString, readJson, readTime, writeFirst, writeIntOrString, writeJson, writeTime } from "./values.ts";
import { WireError, WireReader, WireWriter, wireTypes } from "./wire.ts";

type Growing = { [key: string]: JsonValue };
type SchemaUnion = "boolean" | "schemas" | "names";
type ValueField = Extract<PlannedField, { readonly name: string }>;

function planned(typeName: string): MessagePlan {
  const plan = planOf(typeName);
  if (plan === undefined) throw new RangeError(`${typeName} has no protobuf form`);
  return plan;
}

/** Throws WireError for bytes that are no message of the type. */
export function readMessage(typeName: string, bytes: Bytes): JsonObject {
  const result: Growing = {};
  readInto(result, planned(typeName), bytes, typeName);
  return result;
}

function readInto(target: Growing, plan: MessagePlan, bytes: Bytes, typeName: string): void {
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    const field = plan.get(number);
    if (field === undefined) reader.skip(wireType);
    else if ("inline" in field) readInto(target, field.inline, reader.bytes(), typeName);
    else readField(target, field, reader, wireType, typeName);
  }
}

function readField(target: Growing, field: ValueField, reader: WireReader, wireType: number, typeName: string): void {
  const { name, type } = field;
  if (typeName === "JSONSchemaProps" && schemaUnions.has(name)) {
    readSchemaField(target, name, reader.bytes());
  } else if (type.kind === "list") {
    const list = (target[name] ?? []) as JsonValue[];
    target[name] = list;
    if (field.wrapped) list.push(...readItems(type, reader.bytes()));
    else readListItem(list, type.of, reader, wireType);
  } else if (type.kind === "map") {
    const [key, value] = readPair(reader.bytes(), undefined, type.of);
    setOwnIn(target, name, key, value);
  } else {
    const value = readValue(type, reader, wireType) ?? emptyOf(typeName, name);
    if (value !== null) target[name] = value;
  }
}

/** What stands for any JSON where nothing was written: a custom resource's status subresource is a message without fields. */
function emptyOf(typeName: string, field: string): JsonValue {
  return typeName === "CustomResourceSubresources" && field === "status" ? {} : null;
}

function readSchemaField(target: Growing, name: string, bytes: Bytes): void {
  const union = schemaUnions.get(name) as SchemaUnion;
  // Go writes zeros too. What is in a union is any JSON to whoever decodes it after this, and would keep them.
  const readSchema = (schema: Bytes): JsonObject =>
    decodeObject("JSONSchemaProps", readMessage("JSONSchemaProps", schema), { fill: "nothing" }).value;
  const read = (part: Bytes): JsonValue => readUnion(part, union, readSchema);
  if (name !== "dependencies") {
    target[name] = read(bytes);
    return;
  }
  const [key, value] = readPair(bytes, read);
  setOwnIn(target, name, key, value);
}

/** One item, or several numbers packed together. */
function readListItem(list: JsonValue[], of: TypeSchema, reader: WireReader, wireType: number): void {
  const isNumber = of.kind === "int32" || of.kind === "int64" || of.kind === "double" || of.kind === "boolean";
  if (!isNumber || wireType !== wireTypes.bytes) {
    list.push(readValue(of, reader, wireType));
    return;
  }
  const packed = new WireReader(reader.bytes());
  while (!packed.atEnd) list.push(readValue(of, packed, of.kind === "double" ? wireTypes.fixed64 : wireTypes.varint));
}

/** The list that is field 1 of a message. */
function readItems(type: TypeSchema & { readonly kind: "list" }, bytes: Bytes): readonly JsonValue[] {
  const reader = new WireReader(bytes);
  const list: JsonValue[] = [];
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1) readListItem(list, type.of, reader, wireType);
    else reader.skip(wireType);
  }
  return list;
}

/** A map's entry: key 1, value 2; either may be missing. */
function readPair(bytes: Bytes, read?: (bytes: Bytes) => JsonValue, of?: TypeSchema): readonly [string, JsonValue] {
  const reader = new WireReader(bytes);
  let key = "";
  let value: JsonValue | undefined;
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1) key = reader.text();
    else if (number === 2 && read !== undefined) value = read(reader.bytes());
    else if (number === 2 && of !== undefined)
      value = of.kind === "list" ? readItems(of, reader.bytes()) : readValue(of, reader, wireType);
    else reader.skip(wireType);
  }
  return [key, value ?? (of === undefined ? null : zeroOf(of))];
}

function zeroOf(type: TypeSchema): JsonValue {
  if (type.kind === "object" || type.kind === "map") return {};
  if (type.kind === "list") return [];
  if (type.kind === "quantity") return "0";
  return type.kind === "string" || type.kind === "bytes" ? "" : 0;
}

function readValue(type: TypeSchema, reader: WireReader, wireType: number): JsonValue {
  const expected = wireTypeOf(type);
  if (wireType !== expected) throw new WireError(`proto: wrong wireType = ${wireType} for a ${type.kind}`);
  if (type.kind === "object") return readMessage(type.name, reader.bytes());
  if (type.kind === "list") return readItems(type, reader.bytes());
  return readScalar(type.kind as ScalarKind, reader);
}

function readScalar(kind: ScalarKind, reader: WireReader): JsonValue {
  switch (kind) {
    case "string":
      return reader.text();
    case "bytes":
      return encodeBase64(reader.bytes());
    case "boolean":
      return reader.signed() !== 0;
    case "int64":
      return reader.signed();
    case "int32":
      return Number(BigInt.asIntN(32, BigInt(reader.signed())));
    case "double":
      return reader.double();
    case "time":
    case "microTime":
      return readTime(reader.bytes(), kind === "microTime");
    case "intOrString":
      return readIntOrString(reader.bytes());
    case "quantity":
      return decodeUtf8(readFirst(reader.bytes())) || "0";
    case "any":
      return readJson(reader.bytes());
  }
}

function wireTypeOf(type: TypeSchema): number {
  if (type.kind === "boolean" || type.kind === "int32" || type.kind === "int64") return wireTypes.varint;
  return type.kind === "double" ? wireTypes.fixed64 : wireTypes.bytes;
}

/** `value` as a decoded object of the type. */
export function writeMessage(typeName: string, value: JsonObject): Bytes {
  const writer = new WireWriter();
  writeMessageInto(writer, typeName, value);
  return writer.finish();
}

export function writeMessageInto(writer: WireWriter, typeName: string, value: JsonObject): void {
  writePlan(writer, planned(typeName), value, typeName);
}

function writePlan(writer: WireWriter, plan: MessagePlan, value: JsonObject, typeName: string): void {
  for (const field of plan.values()) {
    if ("inline" in field) {
      writer.message(field.number, () => writePlan(writer, field.inline, value, typeName), true);
      continue;
    }
    const given = value[field.name];
    if (given !== undefined && given !== null) writeField(writer, field, given, typeName);
  }
}

function writeField(writer: WireWriter, field: ValueField, value: JsonValue, typeName: string): void {
  const { number, name, type } = field;
  const union = typeName === "JSONSchemaProps" ? schemaUnions.get(name) : undefined;
  if (union !== undefined) writeSchemaField(writer, field, value, union);
  else if (type.kind === "list") {
    if (field.wrapped) writer.message(number, () => writeItems(writer, type, value as readonly JsonValue[]));
    else for (const item of value as readonly JsonValue[]) writeValue(writer, number, type.of, item);
  } else if (type.kind === "map") {
    const entries = value as JsonObject;
    for (const key of Object.keys(entries)) {
      writer.message(number, () => {
        writer.tag(1, wireTypes.bytes);
        writer.text(key);
        writeValue(writer, 2, type.of, entries[key] as JsonValue);
      });
    }
  } else writeValue(writer, number, type, value);
}

function writeSchemaField(writer: WireWriter, { number, name }: ValueField, value: JsonValue, union: SchemaUnion): void {
  const write = (item: JsonValue): Bytes => writeUnion(item, union, (schema) => writeMessage("JSONSchemaProps", schema));
  if (name !== "dependencies") {
    writer.tag(number, wireTypes.bytes);
    writer.bytes(write(value));
    return;
  }
  for (const [key, item] of Object.entries(value as JsonObject)) {
    writer.message(number, () => {
      writer.tag(1, wireTypes.bytes);
      writer.text(key);
      writer.tag(2, wireTypes.bytes);
      writer.bytes(write(item as JsonValue));
    });
  }
}

function writeItems(writer: WireWriter, type: TypeSchema & { readonly kind: "list" }, values: readonly JsonValue[]): void {
  for (const item of values) writeValue(writer, 1, type.of, item);
}

function writeValue(writer: WireWriter, number: number, type: TypeSchema, value: JsonValue): void {
  if (type.kind === "object") writer.message(number, () => writeMessageInto(writer, type.name, value as JsonObject));
  else if (type.kind === "list") writer.message(number, () => writeItems(writer, type, value as readonly JsonValue[]));
  else if (type.kind === "any") writer.message(number, () => writeJson(writer, value));
  else {
    writer.tag(number, wireTypeOf(type));
    writeScalar(writer, type.kind as ScalarKind, value);
  }
}

function writeScalar(writer: WireWriter, kind: ScalarKind, value: JsonValue): void {
  switch (kind) {
    case "string":
      writer.text(String(value));
      return;
    case "bytes":
      writer.bytes(decodeBase64(String(value)).bytes);
      return;
    case "boolean":
      writer.signed(value === true ? 1 : 0);
      return;
    case "int32":
    case "int64":
      writer.signed(value as Int64);
      return;
    case "double":
      writer.double(Number(value));
      return;
    case "time":
    case "microTime":
      writer.bytes(writeTime(String(value)));
      return;
    case "intOrString":
      writer.bytes(writeIntOrString(value as number | string));
      return;
    case "quantity":
      writer.bytes(writeFirst(encodeUtf8(String(value))));
      return;
    case "any":
      throw new RangeError("a message, not a scalar");
  }
}

/** Adds an entry to a map; its key may be one that objects have from their prototype. */
function setOwnIn(target: Growing, name: string, key: string, value: JsonValue): void {
  const map = (target[name] ?? {}) as Growing;
  target[name] = map;
  if (key === "__proto__") Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}
