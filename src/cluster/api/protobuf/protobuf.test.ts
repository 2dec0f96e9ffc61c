import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { formatTime } from "#cluster/api/time.ts";
import { typeNames } from "#cluster/api/type-tables.ts";
import { int64, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { readMessage, writeMessage } from "./codec.ts";
import { protobufTypeOf, readEnvelope, writeEnvelope } from "./envelope.ts";
import { planOf } from "./message-plan.ts";
import { schemaUnions } from "./schema-unions.ts";
import { WireError, WireWriter, wireTypes } from "./wire.ts";

const text = fc.string({ maxLength: 8, unit: "binary" });

/** Values of a type that both forms can tell apart: empty lists and maps are as absent in protobuf. */
function anyValueOf(type: TypeSchema, depth: number): fc.Arbitrary<JsonValue> {
  switch (type.kind) {
    case "object":
      return depth <= 0 ? fc.constant({}) : objectOf(type.name, depth - 1);
    case "list":
      return fc.array(anyValueOf(type.of, depth - 1), { minLength: 1, maxLength: 2 });
    case "map":
      return fc.dictionary(text, anyValueOf(type.of, depth - 1), { minKeys: 1, maxKeys: 2, noNullPrototype: true });
    case "string":
      return text;
    case "boolean":
      return fc.boolean();
    case "int32":
      return fc.integer();
    case "int64":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(int64);
    case "double":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "bytes":
      return fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    case "time":
      return fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => formatTime(seconds * 1000));
    case "microTime":
      return fc
        .tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999 }))
        .map(([seconds, micros]) => formatTime(seconds * 1000).replace("Z", `.${String(micros).padStart(6, "0")}Z`));
    case "intOrString":
      return fc.oneof(fc.integer(), text);
    case "quantity":
      return fc.nat().map((count) => `${count}Mi`);
    case "any":
      return fc.dictionary(text, fc.integer(), { noNullPrototype: true });
  }
}

function objectOf(typeName: string, depth: number): fc.Arbitrary<JsonObject> {
  const fields = [...fieldsOf(typeName).values()].filter(({ name }) => name !== "apiVersion" && name !== "kind");
  const known = fields.filter(({ name }) => travels(typeName, name));
  const shape = Object.fromEntries(
    known.map(({ name, type }) => [
      name,
      name in unionValues && typeName === "JSONSchemaProps" ? unionValues[name] : anyValueOf(type, depth),
    ]),
  ) as { [name: string]: fc.Arbitrary<JsonValue> };
  return fc.record(shape, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const unionValues: { readonly [name: string]: fc.Arbitrary<JsonValue> } = {
  additionalItems: fc.oneof(fc.boolean(), fc.constant({ type: "string" })),
  additionalProperties: fc.oneof(fc.boolean(), fc.constant({ type: "string" })),
  items: fc.oneof(fc.constant({ type: "string" }), fc.constant([{ type: "string" }, { type: "integer" }])),
  dependencies: fc.dictionary(text, fc.oneof(fc.constant({ type: "string" }), fc.constant(["a", "b"])), {
    minKeys: 1,
    noNullPrototype: true,
  }),
};

function travels(typeName: string, name: string): boolean {
  const search = (plan: ReturnType<typeof planOf>): boolean =>
    [...(plan?.values() ?? [])].some((field) => ("inline" in field ? search(field.inline) : field.name === name));
  return search(planOf(typeName));
}

const transported = typeNames().filter((name) => planOf(name) !== undefined);

describe("protobuf", () => {
  it("has the numbers of every field of every type that is served", () => {
    const typeFields = new Set(["apiVersion", "kind"]);
    const lacking = transported.flatMap((typeName) =>
      [...fieldsOf(typeName).keys()]
        .filter((name) => !typeFields.has(name) && !travels(typeName, name))
        .map((name) => `${typeName}.${name}`),
    );
    expect(lacking).toEqual([]);
    expect(schemaUnions.size).toBe(Object.keys(unionValues).length);
  });

  it("keeps a byte order mark at the beginning of a text", () => {
    const object = { metadata: { name: "\ufeffa" } };
    expect(readMessage("ConfigMap", writeMessage("ConfigMap", object))).toEqual(object);
  });

  it("reads what it wrote, for every type", () => {
    for (const typeName of transported) {
      fc.assert(
        fc.property(objectOf(typeName, 3), (object) => {
          expect(readMessage(typeName, writeMessage(typeName, object))).toEqual(object);
        }),
        { numRuns: 3 },
      );
    }
  });

  it("never fails otherwise than with its own error on bytes that are no message", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          readMessage("Pod", bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("knows kinds by group and version, options in every group", () => {
    expect(
      [
        ["v1", "Pod"],
        ["v1", "PodList"],
        ["apps/v1", "Deployment"],
        ["autoscaling/v2", "HorizontalPodAutoscaler"],
        ["autoscaling/v1", "Scale"],
        ["rbac.authorization.k8s.io/v1", "RoleBinding"],
        ["flowcontrol.apiserver.k8s.io/v1", "FlowSchema"],
        ["policy/v1", "Eviction"],
        ["authentication.k8s.io/v1", "TokenRequest"],
        ["apps/v1", "DeleteOptions"],
        ["v1", "Status"],
        ["example.com/v1", "Widget"],
      ].map(([apiVersion = "", kind = ""]) => protobufTypeOf(apiVersion, kind)),
    ).toEqual([
      "Pod",
      "PodList",
      "Deployment",
      "V2HorizontalPodAutoscaler",
      "Scale",
      "RoleBinding",
      "FlowSchema",
      "Eviction",
      "AuthenticationV1TokenRequest",
      "DeleteOptions",
      "Status",
      undefined,
    ]);
  });

  it("wraps objects as Go does", () => {
    const bytes = writeEnvelope({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } });
    // As k8s.io/apimachinery's serializer, which also writes zeros: `metadata` there has all its empty texts.
    expect(Buffer.from(bytes ?? []).toString("hex")).toBe(
      "6b3873000a0f0a0276311209436f6e6669674d6170120d0a030a016112060a016b1201761a002200",
    );
    expect(readEnvelope(bytes as Uint8Array)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
      data: { k: "v" },
    });
  });

  it("reads schemas below items, additionalProperties and properties without the zeros that Go writes, but with those that were meant", () => {
    const plan = [...(planOf("JSONSchemaProps") ?? []).values()].flatMap((field) => ("name" in field ? [field] : []));
    const numberOf = (name: string): number => plan.find((field) => field.name === name)?.number ?? 0;
    // What is no pointer in Go is always written.
    const texts = ["id", "$schema", "description", "format", "title"];
    const flags = [
      "exclusiveMaximum",
      "exclusiveMinimum",
      "uniqueItems",
      "nullable",
      "x-kubernetes-embedded-resource",
      "x-kubernetes-int-or-string",
    ];
    const schema = (type: string, more: (writer: WireWriter) => void = () => {}): Uint8Array => {
      const writer = new WireWriter();
      for (const name of texts) {
        writer.tag(numberOf(name), wireTypes.bytes);
        writer.text("");
      }
      for (const name of flags) {
        writer.tag(numberOf(name), wireTypes.varint);
        writer.signed(0);
      }
      writer.tag(numberOf("type"), wireTypes.bytes);
      writer.text(type);
      more(writer);
      return writer.finish();
    };
    const message = (number: number, content: Uint8Array): Uint8Array => {
      const writer = new WireWriter();
      writer.tag(number, wireTypes.bytes);
      writer.bytes(content);
      return writer.finish();
    };
    const whole = schema("integer", (writer) => {
      writer.tag(numberOf("minimum"), wireTypes.fixed64);
      writer.double(0);
      writer.tag(numberOf("maxLength"), wireTypes.varint);
      writer.signed(0);
    });
    const list = schema("array", (writer) => {
      writer.tag(numberOf("items"), wireTypes.bytes);
      writer.bytes(message(1, whole));
    });
    const map = schema("object", (writer) => {
      writer.tag(numberOf("additionalProperties"), wireTypes.bytes);
      writer.bytes(Buffer.concat([Uint8Array.of(8, 1), message(2, list)]));
    });
    const items = { type: "integer", minimum: 0, maxLength: 0 };
    expect(readMessage("JSONSchemaProps", map)["additionalProperties"]).toEqual({ type: "array", items });
  });
});
