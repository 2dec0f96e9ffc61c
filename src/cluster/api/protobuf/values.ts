// Values that are messages in protobuf and something simpler in JSON: times, quantities, numbers or strings, raw JSON.

import { readJson as parsedJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { formatTime, tryParseTime } from "#cluster/api/time.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { WireError, WireReader, WireWriter, wireTypes } from "./wire.ts";

/** Seconds and nanoseconds; an empty message is no time at all. */
export function readTime(bytes: Bytes, micro: boolean): JsonValue {
  if (bytes.length === 0) return null;
  const { 1: seconds = 0, 2: nanos = 0 } = readNumbers(bytes);
  const text = formatTime(seconds * 1000);
  if (!micro) return text;
  return text.replace("Z", `.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z`);
}

/** Objects of one list have the same few times. */
const writtenTimes = new Map<string, Bytes>();
const keptTimes = 1000;

export function writeTime(text: string): Bytes {
  let bytes = writtenTimes.get(text);
  if (bytes === undefined) {
    if (writtenTimes.size >= keptTimes) writtenTimes.clear();
    bytes = timeBytes(text);
    writtenTimes.set(text, bytes);
  }
  return bytes;
}

function timeBytes(text: string): Bytes {
  const ms = tryParseTime(text) ?? 0;
  const writer = new WireWriter();
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  writer.tag(1, wireTypes.varint);
  writer.signed(Math.floor(ms / 1000));
  writer.tag(2, wireTypes.varint);
  writer.signed(Number(fraction.slice(0, 9).padEnd(9, "0")));
  return writer.finish();
}

function readNumbers(bytes: Bytes): { readonly [number: number]: number } {
  const reader = new WireReader(bytes);
  const result: { [number: number]: number } = {};
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType === wireTypes.varint) result[number] = Number(reader.signed());
    else reader.skip(wireType);
  }
  return result;
}

/** `{type: 0, intVal}` or `{type: 1, strVal}`. */
export function readIntOrString(bytes: Bytes): number | string {
  const reader = new WireReader(bytes);
  let isText = false;
  let whole = 0;
  let text = "";
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1) isText = reader.signed() === 1;
    else if (number === 2) whole = Number(reader.signed());
    else if (number === 3) text = reader.text();
    else reader.skip(wireType);
  }
  return isText ? text : whole;
}

export function writeIntOrString(value: number | string): Bytes {
  const writer = new WireWriter();
  const isText = typeof value === "string";
  writer.tag(1, wireTypes.varint);
  writer.signed(isText ? 1 : 0);
  writer.tag(2, wireTypes.varint);
  writer.signed(isText ? 0 : value);
  writer.tag(3, wireTypes.bytes);
  writer.text(isText ? value : "");
  return writer.finish();
}

/** The bytes of a message's field 1: a Quantity's text, a RawExtension's JSON. */
export function readFirst(bytes: Bytes): Bytes {
  const reader = new WireReader(bytes);
  let result: Bytes = new Uint8Array(0);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === wireTypes.bytes) result = reader.bytes();
    else reader.skip(wireType);
  }
  return result;
}

export function writeFirst(content: Bytes): Bytes {
  const writer = new WireWriter();
  writer.tag(1, wireTypes.bytes);
  writer.bytes(content);
  return writer.finish();
}

export function readJson(bytes: Bytes): JsonValue {
  const raw = decodeUtf8(readFirst(bytes));
  if (raw === "") return null;
  try {
    return parsedJson(raw);
  } catch {
    throw new WireError("a raw value is not JSON");
  }
}

/** The text of a RawExtension's field 1. */
export function writeJson(writer: WireWriter, value: JsonValue): void {
  writer.tag(1, wireTypes.bytes);
  writer.text(jsonText(value));
}
