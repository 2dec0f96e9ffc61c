// Parameters of operations. Version 2 has those that many operations share once, under names with a hash of what they say,
// as kube-openapi gives them; version 3 has them in each operation, here without documentation, which would double its size.

import { encodeBase64 } from "#sim/base64.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { compareBytes } from "../json-write.ts";
import type { JsonObject } from "../wire.ts";
import type { Dialect, Docs } from "./dialect.ts";

/** Parameters that are no text. */
const types: { readonly [name: string]: "boolean" | "integer" } = {
  allowWatchBookmarks: "boolean",
  follow: "boolean",
  force: "boolean",
  gracePeriodSeconds: "integer",
  ignoreStoreReadErrorWithClusterBreakingPotential: "boolean",
  insecureSkipTLSVerifyBackend: "boolean",
  limit: "integer",
  limitBytes: "integer",
  orphanDependents: "boolean",
  ports: "integer",
  previous: "boolean",
  sendInitialEvents: "boolean",
  sinceSeconds: "integer",
  stderr: "boolean",
  stdin: "boolean",
  stdout: "boolean",
  tailLines: "integer",
  timeoutSeconds: "integer",
  timestamps: "boolean",
  tty: "boolean",
  watch: "boolean",
};

/** Older clients look for these in the operation itself. */
const unshared: ReadonlySet<string> = new Set(["dryRun", "fieldValidation"]);

export class Parameters {
  readonly dialect: Dialect;
  readonly #docs: Docs;
  readonly #shared = new Map<string, JsonObject>();
  readonly #known = new Map<string, JsonObject>();

  constructor(dialect: Dialect, docs: Docs) {
    this.dialect = dialect;
    this.#docs = docs;
  }

  /** What operations refer to, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => compareBytes(a, b)));
  }

  /** `owner`: whose words describe it where they differ from the usual ones (`patch`, `PodExec`). */
  query(name: string, owner: string): JsonObject {
    return this.#once(`${name}?${owner}`, () => {
      const description = this.#docs[`parameters ${owner}`]?.[name] ?? this.#docs["parameters "]?.[name];
      const parameter = this.#primitive("query", name, description);
      return unshared.has(name) ? parameter : this.#share(name, parameter);
    });
  }

  /** Of the `{name}` of a path of this kind. */
  name(kind: string): JsonObject {
    return this.#once(`name/${kind}`, () => this.#primitive("path", "name", `name of the ${kind}`));
  }

  path(name: string): JsonObject {
    return this.#once(`${name}/`, () => this.#share(name, this.#primitive("path", name, this.#docs["parameters "]?.[name])));
  }

  /** In version 2 only: version 3 has bodies apart. */
  body(schema: JsonObject, required: boolean): JsonObject {
    const body = { name: "body", in: "body", ...(required ? { required } : {}), schema };
    return String(schema["$ref"]).startsWith("#/definitions/io.k8s.apimachinery.") ? this.#share("body", body) : body;
  }

  #primitive(place: "query" | "path", name: string, description: string | undefined): JsonObject {
    const schema = { uniqueItems: true, type: types[name] ?? "string" };
    const required = place === "path" ? { required: true } : {};
    if (this.dialect === "v3") return { name, in: place, ...required, schema };
    return { ...schema, ...(description === undefined ? {} : { description }), name, in: place, ...required };
  }

  #share(name: string, parameter: JsonObject): JsonObject {
    if (this.dialect === "v3") return parameter;
    const shared = `${name}-${shortHash(JSON.stringify(parameter))}`;
    this.#shared.set(shared, parameter);
    return { $ref: `#/parameters/${shared}` };
  }

  #once(key: string, make: () => JsonObject): JsonObject {
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}

/** FNV-1 of 64 bits, its first six bytes in base64 for URLs. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of encodeUtf8(text)) hash = ((hash * 0x100000001b3n) & 0xffffffffffffffffn) ^ BigInt(byte);
  const bytes = Uint8Array.from({ length: 6 }, (_, at) => Number((hash >> BigInt(56 - 8 * at)) & 0xffn));
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}
