// The envelope around every protobuf object of Kubernetes: four bytes `k8s\0`, then a runtime.Unknown that says what
// the object is and holds its bytes.

import { definitionName } from "#cluster/api/openapi/packages.ts";
import { typeNames } from "#cluster/api/type-tables.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import type { Bytes } from "#sim/bytes.ts";
import { readMessage, writeMessageInto } from "./codec.ts";
import { planOf } from "./message-plan.ts";
import { WireError, WireReader, WireWriter, wireTypes } from "./wire.ts";

const prefix = [0x6b, 0x38, 0x73, 0x00] as const;

let namesByGoName: Map<string, string> | undefined;

/** The schema's name of a kind, undefined when it has no protobuf form. Options and Status have one in every group. */
export function protobufTypeOf(apiVersion: string, kind: string): string | undefined {
  namesByGoName ??= new Map(
    typeNames()
      .filter((name) => planOf(name) !== undefined)
      .map((name) => [shortName(name), name]),
  );
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "core" : (apiVersion.slice(0, slash).split(".")[0] as string);
  return namesByGoName.get(`${group}.${apiVersion.slice(slash + 1)}.${kind}`) ?? namesByGoName.get(`meta.v1.${kind}`);
}

/** `apps.v1.Deployment` */
function shortName(typeName: string): string {
  return definitionName(typeName).split(".").slice(-3).join(".");
}

/** Undefined for an object of a kind that has no protobuf form; throws WireError for bytes that hold none. */
export function readEnvelope(bytes: Bytes): JsonObject | undefined {
  if (!prefix.every((byte, index) => bytes[index] === byte)) {
    throw new WireError(`provided data does not appear to be a protobuf message, expected prefix [${prefix.join(" ")}]`);
  }
  const reader = new WireReader(bytes.subarray(prefix.length));
  let apiVersion = "";
  let kind = "";
  let raw: Bytes = new Uint8Array(0);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1) {
      const type = new WireReader(reader.bytes());
      while (!type.atEnd) {
        const tag = type.tag();
        if (tag.number === 1) apiVersion = type.text();
        else if (tag.number === 2) kind = type.text();
        else type.skip(tag.wireType);
      }
    } else if (number === 2) raw = reader.bytes();
    else reader.skip(wireType);
  }
  const typeName = protobufTypeOf(apiVersion, kind);
  return typeName === undefined ? undefined : { kind, apiVersion, ...readMessage(typeName, raw) };
}

/** Undefined for an object of a kind that has no protobuf form. */
export function writeEnvelope(object: JsonObject): Bytes | undefined {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  const typeName = protobufTypeOf(apiVersion, kind);
  if (typeName === undefined) return undefined;
  const writer = new WireWriter();
  writer.raw(new Uint8Array(prefix));
  writer.message(1, () => {
    writer.tag(1, wireTypes.bytes);
    writer.text(apiVersion);
    writer.tag(2, wireTypes.bytes);
    writer.text(kind);
  });
  writer.message(2, () => writeMessageInto(writer, typeName, object));
  // contentEncoding and contentType: always there, always empty.
  writer.tag(3, wireTypes.bytes);
  writer.text("");
  writer.tag(4, wireTypes.bytes);
  writer.text("");
  return writer.finish();
}
