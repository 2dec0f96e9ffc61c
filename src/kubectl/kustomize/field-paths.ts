// Paths of replacements into objects: `spec.template.spec.containers.[name=web].image`, `data.[a.b]`, `spec.rules.*.host`, `args.0`.

import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { isArray, isObject } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { wrongNode } from "./node-text.ts";
import { scalarText } from "./resource.ts";

/** The parts of a path: dots part them, but not within brackets or after a backslash. Brackets stay around `key=value` only. */
export function partsOfPath(path: string): readonly string[] {
  const parts: string[] = [];
  const split = path.replace(/^\.(?=.)/, "").split(/(?<!\\)\./);
  for (let part = split.shift(); part !== undefined; part = split.shift()) {
    while (part.startsWith("[") && !part.endsWith("]") && split.length > 0) part = `${part}.${split.shift()}`;
    const isKey = part.includes(".") && part.startsWith("[") && !part.includes("=");
    parts.push((isKey ? part.replace(/^\[+|\]+$/g, "") : part).replaceAll("\\.", "."));
  }
  return parts;
}

type Container = JsonValue[] | { [name: string]: JsonValue };

/** A place in an object that can be read and set. The containers are the caller's own copies. */
export class Slot {
  readonly #container: Container;
  readonly #key: string | number;

  constructor(container: Container, key: string | number) {
    this.#container = container;
    this.#key = key;
  }

  get value(): JsonValue {
    return (this.#container as { [key: string | number]: JsonValue })[this.#key] ?? null;
  }

  set value(value: JsonValue) {
    (this.#container as { [key: string | number]: JsonValue })[this.#key] = value;
  }

  list(): JsonValue[] {
    if (!isArray(this.value)) throw new KubectlError(wrongNode("SequenceNode", this.value));
    return this.value as JsonValue[];
  }

  map(): { [name: string]: JsonValue } {
    if (!isObject(this.value)) throw new KubectlError(wrongNode("MappingNode", this.value));
    return this.value as { [name: string]: JsonValue };
  }
}

/** A scalar that has just been made and has no type yet. */
export const fresh: JsonValue = Object.freeze({ "": "fresh" });

function isSelector(part: string): boolean {
  return part.startsWith("[") && part.endsWith("]");
}

function isIndex(part: string | undefined): boolean {
  return part !== undefined && /^\+?\d+$/.test(part);
}

function selectorOf(part: string): readonly [key: string, value: string] {
  const [key = "", value] = part.slice(1, -1).split(/=(.*)/s, 2);
  if (value === undefined) throw new KubectlError("list path element must contain fieldName=fieldValue for element to match");
  return [key, value];
}

/** What stands at a path, or undefined; a selector means the first item whose field is exactly that. Throws KubectlError. */
export function lookUp(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = root;
  for (const part of path.map((one) => one.trim()).filter((one) => one !== "")) {
    if (current === undefined || current === null) return undefined;
    current = step(current, part);
  }
  return current;
}

function step(value: JsonValue, part: string): JsonValue | undefined {
  if (part === "*") throw new KubectlError("wildcard is not supported in PathGetter");
  if (part !== "-" && !/^[-+]?\d+$/.test(part) && !isSelector(part)) {
    if (!isObject(value)) throw new KubectlError(wrongNode("MappingNode", value));
    return value[part];
  }
  if (part.startsWith("-") && part !== "-") throw new KubectlError(`array index ${Number(part)} cannot be negative`);
  if (!isArray(value)) throw new KubectlError(wrongNode("SequenceNode", value));
  if (part === "-") return value.at(-1);
  if (!isSelector(part)) return value[Number(part)];
  const [key, wanted] = selectorOf(part);
  return value.find((item) => scalarText(fieldOrItem(item, key)) === wanted);
}

/** An item's field, or the item itself for no field's name. */
function fieldOrItem(item: JsonValue, key: string): JsonValue | undefined {
  if (key === "") return item;
  return isObject(item) ? item[key] : undefined;
}

/**
 * All places that a path means, selectors being regular expressions. With `create` ("scalar", or a map or list) what is not there
 * is made. Throws KubectlError.
 */
export function matchSlots(slot: Slot, path: readonly string[], create?: JsonValue): readonly Slot[] {
  const [part, ...rest] = path;
  if (part === undefined) return [slot];
  if (isIndex(part)) return atIndex(slot, Number(part), rest, create);
  if (isSelector(part)) return selectedItems(slot, part, rest, create);
  if (part === "*") return slot.list().flatMap((_, index, list) => matchSlots(new Slot(list, index), rest, create));
  if (slot.value === null) return [];
  const map = slot.map();
  if (map[part] === undefined) {
    if (create === undefined) return [];
    map[part] = madeFor(rest[0], create);
  }
  const inner = new Slot(map, part);
  if (rest.length === 0 || typeof inner.value === "object") return matchSlots(inner, rest, create);
  // Within a text that holds YAML or JSON.
  return matchSlots(new Slot([parsedText(scalarText(inner.value)) ?? inner.value], 0), rest, create);
}

/** The YAML or JSON that a text holds, as the caller's own copy; undefined for neither. */
export function parsedText(text: string): JsonValue | undefined {
  try {
    return structuredClone(parseYaml(text).value);
  } catch (error) {
    if (error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
}

function madeFor(next: string | undefined, create: JsonValue): JsonValue {
  if (next === undefined || next === "") return isArray(create) ? [] : create;
  return isSelector(next) || isIndex(next) ? [] : {};
}

function atIndex(slot: Slot, index: number, rest: readonly string[], create: JsonValue | undefined): readonly Slot[] {
  const list = slot.list();
  if (list.length === index && create !== undefined) list.push(madeFor(rest[0], create));
  if (index >= list.length) throw new KubectlError(`index ${index} specified but only ${list.length} elements found`);
  return matchSlots(new Slot(list, index), rest, create);
}

function selectedItems(slot: Slot, part: string, rest: readonly string[], create: JsonValue | undefined): readonly Slot[] {
  const [key, pattern] = selectorOf(part);
  const list = slot.list();
  const expression = goRegExp(pattern);
  const found = (): readonly Slot[] =>
    list.flatMap((item, index) => {
      const value = fieldOrItem(item, key);
      if (value === undefined || !expression.test(scalarText(value))) return [];
      const place = new Slot(list, index);
      return key === "" ? [place] : matchSlots(place, rest, create);
    });
  const slots = found();
  if (create === undefined || slots.length > 0) return slots;
  list.push(key === "" ? pattern : { [key]: pattern });
  return found();
}
