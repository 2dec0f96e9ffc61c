// Random objects of every kind, made by Go: what is protobuf there is protobuf here and says the same in JSON, both ways; and what
// Go makes of JSON in which fields are missing, null or empty is what the API server makes of it.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { protobufTypeOf, readEnvelope, writeEnvelope } from "#cluster/api/protobuf/envelope.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { Random } from "#sim/random.ts";
import { objectsWithTexts } from "./random-texts.ts";
import { tellDifferences } from "./tell-differences.ts";

const seed = 1;
const ofEach = 50;
/** Of each object, so many with fields that are missing, null or empty. */
const variants = 2;

/** An object as the Go program takes and gives it; see facts/objects.go. */
interface Encoded {
  readonly json?: JsonObject;
  /** In base64. */
  readonly protobuf?: string;
  readonly error?: string;
}

/** False where something differs, which it prints. */
export function checkRandomObjects(program: string): boolean {
  const ask = (args: readonly string[], input = ""): readonly Encoded[] =>
    execFileSync(program, args, { encoding: "utf8", input, maxBuffer: 2 ** 30 })
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Encoded);
  const made = ask(["objects", String(seed), String(ofEach)]).filter(({ json }) => typeNameOf(json) !== undefined);
  const random = new Random(seed);
  const ours = made.map(({ json = {} }) => ({ protobuf: base64(writeEnvelope(json)) }));
  const sparse = made.flatMap(({ json = {} }) => Array.from({ length: variants }, () => ({ json: sparseObject(json, random) })));
  const spelled = objectsWithTexts(random).map((json) => ({ json }));
  const answers = ask(["read"], [...ours, ...sparse, ...spelled].map((line) => JSON.stringify(line)).join("\n"));
  const isKnown = checkKinds(made);
  const same = [
    tellDifferences(
      "random objects in Go's protobuf",
      made.map(({ json, protobuf = "" }) => [title(json), json, written(readEnvelope(Buffer.from(protobuf, "base64")))]),
    ),
    tellDifferences(
      "random objects in our protobuf, read by Go",
      made.map(({ json }, index) => [title(json), json, answered(answers[index])]),
    ),
    tellDifferences(
      "random objects with missing, null and empty fields",
      sparse.map(({ json }, index) => [title(json), answered(answers[ours.length + index]), written(json)]),
    ),
    tellDifferences(
      "quantities, times and bytes in base64",
      spelled.map(({ json }, index) => [
        JSON.stringify(json),
        answered(answers[ours.length + sparse.length + index]),
        written(json),
      ]),
    ),
  ];
  return isKnown && same.every(Boolean);
}

/** Every kind that discovery knows is among the objects. */
function checkKinds(made: readonly Encoded[]): boolean {
  const kinds = new Set(made.map(({ json }) => title(json)));
  const discovery = JSON.parse(readFileSync("src/upstream/resources.json", "utf8")) as {
    readonly [version: string]: { readonly [resource: string]: { readonly kind: string; readonly group?: string } };
  };
  const lacking = Object.entries(discovery).flatMap(([version, resources]) =>
    Object.entries(resources)
      .filter(([resource, { kind }]) => !resource.includes("/") && !kinds.has(`${version} ${kind}`))
      .map(([, { kind }]) => `${version} ${kind}`),
  );
  for (const kind of lacking) console.log(`oracle: ${kind} is not among the random objects`);
  return lacking.length === 0;
}

function title({ apiVersion, kind }: JsonObject = {}): string {
  return `${String(apiVersion)} ${String(kind)}`;
}

function typeNameOf({ apiVersion, kind }: JsonObject = {}): string | undefined {
  return protobufTypeOf(String(apiVersion), String(kind));
}

function base64(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("base64");
}

function answered(answer: Encoded | undefined): JsonValue | undefined {
  return answer?.error ?? answer?.json;
}

/** As the API server answers it; the reason where it refuses it. */
function written(object: JsonObject | undefined): JsonValue | undefined {
  const typeName = typeNameOf(object);
  if (object === undefined || typeName === undefined) return undefined;
  try {
    return decodeObject(typeName, object, { fill: "written" }).value;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function sparseObject(object: JsonObject, random: Random): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  return { ...(sparseValue(object, random) as JsonObject), apiVersion, kind };
}

/** Some fields are left out, some null, some the zero of their form. */
function sparseValue(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sparseValue(item, random));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, JsonValue])[] => {
    const chance = random.below(10);
    // What may hold schemas or something else is any JSON to us until the definition is checked.
    if (name === "openAPIV3Schema") return [[name, field]];
    if (chance < 2) return [];
    if (chance === 2) return [[name, null]];
    return [[name, chance === 3 ? zeroOf(field) : sparseValue(field, random)]];
  });
  return Object.fromEntries(fields);
}

function zeroOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  if (typeof value === "string") return "";
  if (typeof value === "number") return 0;
  return typeof value === "boolean" ? false : null;
}
