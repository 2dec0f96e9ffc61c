// An OpenAPI document of version 2 as protobuf, as openapi-v2-messages.ts says.

import { WireWriter, wireTypes } from "#cluster/api/protobuf/wire.ts";
import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import type { Bytes } from "#sim/bytes.ts";
import { type Field, type Form, type Message, openApiMessages } from "./openapi-v2-messages.ts";

/** Keys that version 2 does not know are left out. */
export function writeOpenApiV2(document: JsonValue): Bytes {
  return messageOf("Document", document);
}

function messageOf(name: string, value: JsonValue): Bytes {
  const message = openApiMessages.get(name) as Message;
  const writer = new WireWriter();
  if ("choose" in message) writeField(writer, message.choose(value), value);
  else if (typeof value === "object" && value !== null) writeFields(writer, message, value as JsonObject);
  return writer.finish();
}

function writeFields(writer: WireWriter, message: Exclude<Message, { choose: unknown }>, object: JsonObject): void {
  for (const [key, field] of message.fields) {
    const value = object[key];
    if (value !== undefined && !isZero(value, field[1])) writeField(writer, field, value);
  }
  for (const [key, value] of Object.entries(object)) {
    if (message.fields.has(key)) continue;
    const isExtension = message.extensions !== undefined && key.startsWith("x-");
    const field: Field | undefined = isExtension ? [message.extensions, "any"] : message.others;
    if (field !== undefined) writeBytes(writer, field[0], named(key, field[1], value));
  }
}

/** Primitives with the value that a reader assumes do not travel, except where they are chosen or listed. */
function isZero(value: JsonValue, form: Form): boolean {
  if (value === null) return form !== "any";
  return typeof form === "string" && form !== "any" && (value === "" || value === false || value === 0);
}

/** NamedSchema, NamedAny …: the key and its value. */
function named(key: string, form: Form, value: JsonValue): Bytes {
  const writer = new WireWriter();
  if (key !== "") writeField(writer, [1, "text"], key);
  writeField(writer, [2, form], value);
  return writer.finish();
}

function writeField(writer: WireWriter, [number, form]: Field, value: JsonValue): void {
  if (typeof form === "object") {
    if ("message" in form) writeBytes(writer, number, messageOf(form.message, value));
    // One may stand without its list (`type`, `items`).
    else
      for (const item of Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
        writeField(writer, [number, form.list], item);
    return;
  }
  if (form === "any") writeBytes(writer, number, anyOf(value));
  else if (form === "text") {
    writer.tag(number, wireTypes.bytes);
    writer.text(String(value));
  } else if (form === "double") {
    writer.tag(number, wireTypes.fixed64);
    writer.double(Number(value));
  } else {
    writer.tag(number, wireTypes.varint);
    writer.signed(Number(value));
  }
}

/** The message Any: its field 2 is the value as YAML. */
function anyOf(value: JsonValue): Bytes {
  const writer = new WireWriter();
  writeField(writer, [2, "text"], writeYaml(value));
  return writer.finish();
}

function writeBytes(writer: WireWriter, number: number, content: Bytes): void {
  writer.tag(number, wireTypes.bytes);
  writer.bytes(content);
}
