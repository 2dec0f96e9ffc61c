// Reads any YAML document by the library, with the refusals of go-yaml. What most manifests are, `yaml-block.ts` reads without it.

import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, Scalar, type YAMLError } from "yaml";
import type { JsonValue } from "./wire.ts";
import { plainValue } from "./yaml-scalars.ts";
import { type ParsedYaml, YamlSyntaxError } from "./yaml-text.ts";

/** What a scalar without quotes stands for, and the text of a map's key. */
interface Meaning {
  readonly plain: (scalar: string) => JsonValue;
  readonly key: (key: JsonValue) => string;
}

/** One document. Throws YamlSyntaxError. */
export function parseAnyYaml(text: string, meaning: Meaning = { plain: plainValue, key: keyText }): ParsedYaml {
  requireShallow(text);
  const document = parseDocument(text, { schema: "failsafe", uniqueKeys: false, strict: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) throw new YamlSyntaxError(`yaml: ${faultOf(text, error)}`);
  const reader = new Reader(text, (alias) => alias.resolve(document), meaning);
  const value = document.contents === null ? null : reader.read(document.contents);
  return { value, duplicates: reader.duplicates };
}

const maxAliases = 1000;
/** As in JSON (`json-text.ts`); the words are go-yaml's. */
const maxDepth = 1000;

/** go-yaml's names of anchors; the library takes more, so `*.example` is an alias to it. */
const anchorName = /^[\w-]+(?:$|[?:,\]}%@`])/;

/** Flow collections that nest too deep are refused before the library descends into them; others meet the reader's own limit. */
function requireShallow(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > maxDepth * 2) throw tooDeep();
  }
}

function tooDeep(): YamlSyntaxError {
  return new YamlSyntaxError(`yaml: exceeded max depth of ${maxDepth}`);
}

class Reader {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #resolve: (alias: Alias) => Node | undefined;
  readonly #meaning: Meaning;
  #aliases = 0;
  #depth = 0;

  constructor(text: string, resolve: (alias: Alias) => Node | undefined, meaning: Meaning) {
    this.#text = text;
    this.#resolve = resolve;
    this.#meaning = meaning;
  }

  read(node: unknown): JsonValue {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw tooDeep();
    const value = this.#valueOf(node);
    this.#depth -= 1;
    return value;
  }

  #valueOf(node: unknown): JsonValue {
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    if (isMap(node)) return this.#map(node.items);
    if (!isAlias(node)) return null;
    this.#aliases += 1;
    if (this.#aliases > maxAliases) throw new YamlSyntaxError("yaml: document contains excessive aliasing");
    if (!anchorName.test(node.source)) {
      const line = lineAt(this.#text, node.range?.[0] ?? 0);
      throw new YamlSyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ""}did not find expected alphabetic or numeric character`);
    }
    const target = this.#resolve(node);
    if (target === undefined) throw new YamlSyntaxError(`yaml: unknown anchor '${node.source}' referenced`);
    return this.read(target);
  }

  #scalar(node: Scalar): JsonValue {
    const text = String(node.value ?? "");
    return node.type !== Scalar.PLAIN || node.tag === "tag:yaml.org,2002:str" ? text : this.#meaning.plain(text);
  }

  #map(pairs: readonly Pair[]): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    const own = new Set<string>();
    for (const pair of pairs) {
      if (isScalar(pair.key) && pair.key.value === "<<" && pair.key.type === Scalar.PLAIN) {
        this.#merge(object, pair.value);
        continue;
      }
      const key = this.#meaning.key(this.read(pair.key));
      if (own.has(key)) this.#duplicate(key, pair.key);
      own.add(key);
      const value = pair.value === null ? null : this.read(pair.value);
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return object;
  }

  /** `<<: *base`: fields that the map does not have itself. */
  #merge(object: { [key: string]: JsonValue }, node: unknown): void {
    const merged = this.read(node);
    for (const source of Array.isArray(merged) ? (merged as readonly JsonValue[]) : [merged]) {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        throw new YamlSyntaxError("yaml: map merge requires map or sequence of maps as the value");
      }
      for (const [key, value] of Object.entries(source)) if (!Object.hasOwn(object, key)) object[key] = value;
    }
  }

  #duplicate(key: string, node: unknown): void {
    const offset = isScalar(node) ? (node.range?.[0] ?? 0) : 0;
    this.duplicates.push(`line ${lineAt(this.#text, offset)}: key ${JSON.stringify(key)} already set in map`);
  }
}

function keyText(key: JsonValue): string {
  if (typeof key === "object" && key !== null) throw new YamlSyntaxError("yaml: invalid map key");
  return key === null ? "null" : String(key);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index >= 0 && index < offset; index = text.indexOf("\n", index + 1)) line += 1;
  return line;
}

/** What go-yaml says of the fault that our parser found; its scanner counts lines from one, its parser from zero. */
function faultOf(text: string, error: YAMLError): string {
  const offset = error.pos[0];
  const line = lineAt(text, offset);
  const scanner = (message: string, at = line) => (at <= 1 ? message : `line ${at}: ${message}`);
  const parser = (message: string, at = line) => (at <= 1 ? message : `line ${at - 1}: ${message}`);
  if (/^- /.test(text.slice(offset)) && !/^\s*$/.test(lineStart(text, offset))) {
    return scanner("block sequence entries are not allowed in this context");
  }
  const lastLine = lineAt(text, text.length);
  switch (error.code) {
    case "TAB_AS_INDENT":
    case "BAD_SCALAR_START":
      return scanner("found character that cannot start any token");
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return scanner("mapping values are not allowed in this context", colonLine(text, offset));
    case "MISSING_CHAR":
      if (error.message.includes("quote")) return scanner("found unexpected end of stream", lastLine);
      if (error.message.startsWith("Implicit map keys")) {
        return scanner("could not find expected ':'", line + 1);
      }
      return parser("did not find expected ',' or '}'");
    case "BAD_INDENT":
      if (error.message.startsWith("Flow")) {
        const message = `did not find expected ',' or '${error.message.startsWith("Flow map") ? "}" : "]"}'`;
        if (/[[{,]$/.test(text.trimEnd())) return `line ${lastLine}: did not find expected node content`;
        return offset >= text.trimEnd().length ? `line ${lastLine}: ${message}` : parser(message);
      }
      if (error.message.startsWith("All sequence items")) return parser("did not find expected '-' indicator");
      return parser(isBesideDash(text, offset) ? "did not find expected '-' indicator" : "did not find expected key");
    case "BAD_ALIAS":
      return scanner("did not find expected alphabetic or numeric character");
    case "BAD_DQ_ESCAPE":
      return scanner("found unknown escape character");
    case "UNEXPECTED_TOKEN":
      if (error.message.startsWith("Block scalar header")) return scanner("did not find expected comment or line break");
      return parser(beginsWithDash(text) ? "did not find expected '-' indicator" : "did not find expected key");
    default:
      return parser("did not find expected key");
  }
}

function lineStart(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

function colonLine(text: string, offset: number): number {
  const found = /:(?=\s|$)/.exec(text.slice(offset));
  return lineAt(text, offset + (found?.index ?? 0));
}

/** Whether the line of the fault is indented like the dash of the list above it: go-yaml then wants another dash. */
function isBesideDash(text: string, offset: number): boolean {
  const lines = text.slice(0, offset).split("\n");
  const indent = indentOf(`${lines.pop() ?? ""}${text.slice(offset)}`);
  const above = lines.reverse().find((line) => line.trim() !== "" && indentOf(line) <= indent);
  return above !== undefined && indentOf(above) === indent && /^\s*-(\s|$)/.test(above);
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function beginsWithDash(text: string): boolean {
  return /^(?:\s*(?:#[^\n]*)?\n)*- /.test(text);
}
