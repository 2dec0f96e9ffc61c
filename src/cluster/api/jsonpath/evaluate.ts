// Evaluation of JSONPath templates over JSON values.

import { writeCompactJson, writeIndentedJson } from "#cluster/api/json-write.ts";
import { isList as isArray, isObject, type JsonValue } from "#cluster/api/wire.ts";
import { type Action, JsonPathError, parseTemplate, type Step } from "./parse.ts";

export interface JsonPathOptions {
  /** Missing fields give nothing instead of an error. */
  readonly allowMissingKeys?: boolean;
}

/** A number as Go's %v prints it. */
export function goNumberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const exponent = Number(value.toExponential().split("e")[1]);
  const text = exponent < -4 || exponent >= 6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** A value as Go's %v prints it inside text. */
export function goText(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return goNumberText(value);
  if (isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (isObject(value)) {
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key] as JsonValue)}`)
      .join(" ")}]`;
  }
  return String(value);
}

function printedValue(value: JsonValue): string {
  if (value === null) return "null";
  return typeof value === "object" ? writeCompactJson(value) : goText(value);
}

function valuesOf(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) return value;
  if (isObject(value)) {
    return Object.keys(value)
      .sort()
      .map((key) => value[key] as JsonValue);
  }
  return [];
}

type Kind = "bool" | "int" | "float" | "string";

function kindOf(value: JsonValue): Kind {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "string") return "string";
  throw new JsonPathError("invalid type for comparison");
}

/** Compares as template comparison functions do: only values of one kind. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) throw new JsonPathError("incompatible types for comparison");
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (kind === "bool") throw new JsonPathError("invalid type for comparison");
  const a = left as string | number;
  const b = right as string | number;
  if (operator === "<") return a < b;
  if (operator === ">") return a > b;
  if (operator === "<=") return a <= b;
  if (operator === ">=") return a >= b;
  throw new JsonPathError(`unrecognized filter operator ${operator}`);
}

export class JsonPath {
  readonly #actions: readonly Action[];
  readonly #allowMissing: boolean;

  /** Throws JsonPathError for a malformed template. */
  constructor(text: string, options: JsonPathOptions = {}) {
    this.#actions = parseTemplate(text);
    this.#allowMissing = options.allowMissingKeys === true;
  }

  /** The values of each action in order; text counts as an action. Throws JsonPathError. */
  find(data: JsonValue): readonly (readonly JsonValue[])[] {
    const results: (readonly JsonValue[])[] = [];
    this.#block(0, data, 0, results);
    return results;
  }

  /** All values as kubectl prints them. */
  print(data: JsonValue): string {
    return this.find(data)
      .map((values) => values.map(printedValue).join(" "))
      .join("");
  }

  /** `-o jsonpath-as-json`: a JSON list for each action. */
  printAsJson(data: JsonValue): string {
    return this.find(data)
      .map((values) => writeIndentedJson(values))
      .join("");
  }

  /** Runs actions from `start` until the end of the block; returns the position behind its `end`. */
  #block(start: number, data: JsonValue, depth: number, results: (readonly JsonValue[])[]): number {
    let at = start;
    while (at < this.#actions.length) {
      const action = this.#actions[at] as Action;
      const first = action[0];
      if (action.some((step) => step.type === "identifier" && step.name === "end")) {
        if (depth === 0) throw new JsonPathError("not in range, nothing to end");
        return at + 1;
      }
      if (first?.type !== "identifier" || first.name !== "range") {
        results.push(this.#steps([data], action));
        at += 1;
        continue;
      }
      let after = this.#skip(at + 1);
      for (const item of this.#steps([data], action.slice(1))) after = this.#block(at + 1, item, depth + 1, results);
      at = after;
    }
    return at;
  }

  /** The position behind the block that begins at `start`. */
  #skip(start: number): number {
    let depth = 1;
    for (let at = start; at < this.#actions.length; at += 1) {
      const names = (this.#actions[at] as Action).flatMap((step) => (step.type === "identifier" ? [step.name] : []));
      if (names.includes("range")) depth += 1;
      if (names.includes("end")) depth -= 1;
      if (depth === 0) return at + 1;
    }
    return this.#actions.length;
  }

  #steps(input: readonly JsonValue[], steps: readonly Step[]): readonly JsonValue[] {
    let values = input;
    for (const step of steps) values = this.#step(values, step);
    return values;
  }

  #step(input: readonly JsonValue[], step: Step): readonly JsonValue[] {
    switch (step.type) {
      case "text":
        return [step.text];
      case "constant":
        return input.map(() => step.value);
      case "identifier":
        throw new JsonPathError(`unrecognized identifier ${step.name}`);
      case "field":
        return this.#field(input, step.name);
      case "wildcard":
        return input.flatMap(valuesOf);
      case "recursive":
        return this.#recursive(input);
      case "union":
        return step.members.flatMap((member) => this.#steps(input, member));
      case "slice":
        return input.flatMap((value) => (value === null ? [] : this.#slice(value, step)));
      case "filter":
        return input.flatMap((value) => this.#filter(value, step));
    }
  }

  #field(input: readonly JsonValue[], name: string): readonly JsonValue[] {
    if (input.length === 0) return [];
    const found = input.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name] as JsonValue] : []));
    if (found.length === 0 && !this.#allowMissing) throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #recursive(input: readonly JsonValue[]): readonly JsonValue[] {
    return input.flatMap((value) => {
      const inner = valuesOf(value);
      return inner.length === 0 ? [] : [value, ...this.#recursive(inner)];
    });
  }

  #slice(value: JsonValue, step: Extract<Step, { readonly type: "slice" }>): readonly JsonValue[] {
    if (!isArray(value)) throw new JsonPathError(`${goTypeOf(value)} is not array or slice`);
    const { length } = value;
    let from = step.from ?? 0;
    if (from < 0) from += length;
    let to = step.to ?? length;
    if (to < 0 || (to === 0 && step.single)) to += length;
    if (from === to) return [];
    const outside = (index: number) => new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
    if (from >= length || from < 0) throw outside(from);
    if (to > length || to < 0) throw outside(to - 1);
    if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
    if (step.step !== undefined && step.step <= 0) throw new JsonPathError("step must be > 0");
    const every = step.step ?? 1;
    return value.slice(from, to).filter((_, index) => index % every === 0);
  }

  #filter(value: JsonValue, step: Extract<Step, { readonly type: "filter" }>): readonly JsonValue[] {
    if (!isArray(value)) throw new JsonPathError(`${goText(value)} is not array or slice and cannot be filtered`);
    return value.filter((item) => {
      if (step.operator === "exists") {
        try {
          return this.#steps([item], step.left).length > 0;
        } catch (error) {
          if (error instanceof JsonPathError) return false;
          throw error;
        }
      }
      const left = this.#steps([item], step.left);
      if (left.length === 0) return false;
      const right = this.#steps([item], step.right);
      if (left.length > 1 || right.length > 1) throw new JsonPathError("can only compare one element at a time");
      return right.length > 0 && compare(left[0] as JsonValue, step.operator, right[0] as JsonValue);
    });
  }
}

function goTypeOf(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return "map[string]interface {}";
}
