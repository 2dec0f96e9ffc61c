// `configMapGenerator` and `secretGenerator`: objects made of literals and files.

import type { JsonValue } from "#cluster/api/wire.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { contentSuffix } from "../commands/create/hash-suffix.ts";
import { isObject, type JsonObject, objectAt, textAt, valueAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { bareKey, withoutMarks } from "./bare-keys.ts";
import { textsOf } from "./kustomization.ts";
import type { Loader } from "./loader.ts";
import { kindOf, type Resource, resourceOf, scalarText } from "./resource.ts";

type Kind = "ConfigMap" | "Secret";
type Pair = readonly [key: string, value: Bytes];

const behaviors = ["create", "merge", "replace"] as const;

/** What an entry makes; `general` is `generatorOptions`. Throws KubectlError. */
export function generated(loader: Loader, kind: Kind, entry: JsonValue, general: JsonObject): Resource {
  const name = textAt(entry, "name");
  if (name === "") throw new KubectlError("a configmap must have a name");
  const own = objectAt(entry, "options");
  const option = (field: string): boolean => valueAt(own, field) === true || valueAt(general, field) === true;
  const maps = ["labels", "annotations"].flatMap((field): readonly (readonly [string, JsonObject])[] => {
    const entries = { ...objectAt(general, field), ...objectAt(own, field) };
    const bare = Object.entries(entries).map(([key, value]): [string, JsonValue] => [bareKey(key), value]);
    return bare.length === 0 ? [] : [[field, Object.fromEntries(bare)]];
  });
  const namespace = textAt(entry, "namespace");
  const object: JsonObject = {
    apiVersion: "v1",
    kind,
    metadata: { name, ...(namespace === "" ? {} : { namespace }), ...Object.fromEntries(maps) },
    ...dataOf(kind, pairsOf(loader, name, entry as JsonObject)),
    ...(kind === "Secret" ? { type: textAt(entry, "type") || "Opaque" } : {}),
    ...(option("immutable") ? { immutable: true } : {}),
  };
  const behavior = behaviors.find((word) => word === textAt(entry, "behavior")) ?? "unspecified";
  return { ...resourceOf(object), behavior, needsHash: !option("disableNameSuffixHash") };
}

function dataOf(kind: Kind, pairs: readonly Pair[]): JsonObject {
  const data: { [key: string]: string } = {};
  const binaryData: { [key: string]: string } = {};
  for (const [name, bytes] of pairs) {
    const key = bareKey(name);
    if (kind === "Secret") data[key] = inLines(encodeBase64(bytes));
    else if (isUtf8(bytes)) data[key] = decodeUtf8(bytes);
    else binaryData[key] = inLines(encodeBase64(bytes));
  }
  return {
    ...(Object.keys(data).length === 0 && kind === "ConfigMap" ? {} : { data }),
    ...(Object.keys(binaryData).length === 0 ? {} : { binaryData }),
  };
}

function isUtf8(bytes: Bytes): boolean {
  const again = encodeUtf8(decodeUtf8(bytes));
  return again.length === bytes.length && again.every((byte, index) => byte === bytes[index]);
}

/** Long base64 comes in lines of 70. */
function inLines(base64: string): string {
  return base64.length < 70 ? base64 : base64.replace(/.{1,70}/g, "$&\n");
}

function pairsOf(loader: Loader, name: string, entry: JsonObject): readonly Pair[] {
  const env = textAt(entry, "env");
  const envs = [...textsOf(entry, "envs"), ...(env === "" ? [] : [env])];
  const pairs = [
    ...from("env source files:", envs, (path) => ofEnvFile(loader.bytes(path))),
    ...from("literal sources", textsOf(entry, "literals"), (source) => [ofLiteral(source)]),
    ...from("file sources:", textsOf(entry, "files"), (source) => [ofFile(loader, source)]),
  ];
  const keys = new Set<string>();
  for (const [key] of pairs) {
    if (keys.has(key)) throw new KubectlError(`configmap ${name} illegally repeats the key \`${key}\``);
    keys.add(key);
  }
  return pairs;
}

/** `words` say what kind of sources could not be read. */
function from(words: string, sources: readonly string[], read: (source: string) => readonly Pair[]): readonly Pair[] {
  try {
    return sources.flatMap(read);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`loading KV pairs: ${words} [${sources.join(" ")}]: ${error.message}`);
  }
}

/** Quotes stay, blanks before a line do not; a line without `=` is a key without a value. */
function ofEnvFile(content: Bytes): readonly Pair[] {
  const lines = decodeUtf8(content)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
  return lines
    .map((line) => line.trimStart())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line): Pair => {
      const [key = "", value = ""] = line.split(/=(.*)/s, 2);
      return [key, encodeUtf8(value)];
    })
    .filter(([key]) => key !== "");
}

/** Quotes around the whole value are not part of it. */
function ofLiteral(source: string): Pair {
  const [key = "", value] = source.split(/=(.*)/s, 2);
  if (value === undefined || key === "") throw new KubectlError(`invalid literal source ${source}, expected key=value`);
  return [key, encodeUtf8(value.replace(/^(["'])(.*)\1$/s, "$2"))];
}

/** `key=path`, or a path whose last part is the key. */
function ofFile(loader: Loader, source: string): Pair {
  const [first = "", path, ...more] = source.split("=");
  if (path === undefined) return [source.replace(/\/+$/, "").split("/").at(-1) ?? "", loader.bytes(source)];
  const quoted = JSON.stringify(source);
  if (more.length > 0) throw new KubectlError(`source ${quoted} key name or file path contains '='`);
  if (first === "") throw new KubectlError(`missing key name for file path ${JSON.stringify(path)} in source ${quoted}`);
  if (path === "") throw new KubectlError(`missing file path for key name ${JSON.stringify(first)} in source ${quoted}`);
  return [first, loader.bytes(path)];
}

/** Of kind, data and a Secret's type. Unlike --append-hash, kustomize leaves name and immutability out of account. */
export function hashOf(resource: Resource): string {
  const { object } = resource;
  const map = (field: string): JsonObject => (isObject(object[field]) ? { [field]: withoutMarks(objectAt(object, field)) } : {});
  const isSecret = kindOf(resource) === "Secret";
  return contentSuffix({
    kind: kindOf(resource),
    name: "",
    data: "",
    ...map("data"),
    ...(isSecret ? { type: scalarText(object["type"]), ...map("stringData") } : map("binaryData")),
  });
}
