import { describe, expect, it } from "vitest";
import type { JsonObject } from "#cluster/api/wire.ts";
import { writeOpenApiV2 } from "./openapi-v2.ts";

const head = { swagger: "2.0", info: { title: "K", version: "v1" }, paths: {} };

const hex = (document: JsonObject): string => Buffer.from(writeOpenApiV2(document)).toString("hex");

/** What github.com/google/gnostic-models v0.7.0 makes of the document (ParseDocument, proto.Marshal). */
const cases: readonly (readonly [title: string, document: JsonObject, hex: readonly string[]])[] = [
  ["a document without paths", head, ["0a03322e3012070a014b120276314200"]],
  [
    "operations, their parameters of every kind, responses and references",
    {
      ...head,
      paths: {
        "/a/": {
          get: {
            tags: ["t"],
            operationId: "o",
            consumes: ["c"],
            deprecated: true,
            responses: { "200": { description: "OK", schema: { $ref: "#/definitions/D" } }, "401": { description: "no" } },
            "x-kubernetes-action": "list",
          },
          parameters: [
            { name: "body", in: "body", required: true, schema: {} },
            { name: "q", in: "query", type: "integer", uniqueItems: true },
            { name: "p", in: "path", required: true, type: "string" },
            { $ref: "#/parameters/q" },
          ],
        },
      },
      parameters: { q: { name: "q", in: "query", type: "string" } },
    },
    [
      "0a03322e3012070a014b1202763142d00112cd010a032f612f12c50112600a01742a016f3a01634a330a220a03323030121b0a190a024f4b12130a11",
      "0a0f232f646566696e6974696f6e732f440a0d0a0334303112060a040a026e6f58016a1e0a13782d6b756265726e657465732d616374696f6e120712",
      "056c6973740a4a140a120a101204626f64791a04626f647920012a004a1c0a1a12181a16120571756572792201713207696e7465676572a001014a19",
      "0a171215221308011204706174682201702a06737472696e674a1212100a0e232f706172616d65746572732f71521d0a1b0a0171121612141a121205",
      "71756572792201713206737472696e67",
    ],
  ],
  [
    "schemas: lists, maps, closed objects, limits, defaults, and what kind they are of",
    {
      ...head,
      definitions: {
        D: {
          description: "d",
          type: "object",
          required: ["a"],
          properties: {
            "x-a": { type: "array", items: { type: "string" } },
            m: { type: "object", additionalProperties: { type: "string" } },
            f: { additionalProperties: false },
            n: { type: "number", minimum: -1.5, maxLength: 300, enum: ["a", "1", 2], default: 0 },
          },
          "x-kubernetes-group-version-kind": [{ group: "", kind: "D", version: "v1" }],
        },
      },
    },
    [
      "0a03322e3012070a014b1202763142004af7010af4010a014412ee012201649a010161b201080a066f626a656374ca018c010a210a03782d61121ab2",
      "01070a056172726179ba010d0a0bb201080a06737472696e670a200a016d121baa010d0a0bb201080a06737472696e67b201080a066f626a6563740a",
      "0a0a01661205aa010210000a390a016e12342a041202300a49000000000000f8bf58ac02a201041202610aa2010612042231220aa201041202320ab2",
      "01080a066e756d626572fa01490a1f782d6b756265726e657465732d67726f75702d76657273696f6e2d6b696e64122612242d2067726f75703a2022",
      "220a20206b696e643a20440a202076657273696f6e3a2076310a",
    ],
  ],
  [
    "ways to prove who one is",
    {
      ...head,
      securityDefinitions: {
        B: { type: "apiKey", name: "authorization", in: "header", description: "d" },
        O: { type: "oauth2", flow: "implicit", scopes: { s: "t" }, authorizationUrl: "u" },
      },
      security: [{ B: [] }, { O: ["s"] }],
    },
    [
      "0a03322e3012070a014b12027631420062070a050a01421200620a0a080a014f12030a01736a530a290a0142122412220a066170694b6579120d6175",
      "74686f72697a6174696f6e1a066865616465722201640a260a014f12211a1f0a066f61757468321208696d706c696369741a080a060a017312017422",
      "0175",
    ],
  ],
];

describe("OpenAPI version 2 in protobuf", () => {
  it.each(cases)("writes %s as Go does", (_title, document, expected) => {
    expect(hex(document)).toBe(expected.join(""));
  });

  it("leaves out what version 2 has no field for, as schemas of custom kinds may hold it", () => {
    const schema = { type: "object", description: "d" };
    const rich = { ...schema, nullable: true, oneOf: [{ required: ["a"] }], not: {}, title: null };
    expect(hex({ ...head, definitions: { D: rich } })).toBe(hex({ ...head, definitions: { D: schema } }));
  });
});
