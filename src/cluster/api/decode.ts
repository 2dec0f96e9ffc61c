// Reads a parsed JSON value as one of the built-in types, as Go's decoder does: unknown fields are dropped and named,
// wrong types are refused, empty fields are dropped or filled in as Go writes them back. What is right already is
// not copied.

import { type EmptyFields, emptinessOf, emptyObjectOf } from "./emptiness.ts";
import { goStruct, goType, goValue } from "./go-types.ts";
import { compareBytes, jsonText } from "./json-write.ts";
import { lateGoNames } from "./late-go-names.ts";
import { canonicalQuantity, QuantityError } from "./quantity.ts";
import { base64Fault, timeFault, writtenBase64 } from "./scalar-faults.ts";
import { fieldsOf, type ScalarKind, type TypeSchema } from "./schema.ts";
import { formatTime, tryParseTime } from "./time.ts";
import { isObject, type JsonObject, type JsonValue } from "./wire.ts";

/** A value that does not fit its type; the message is Go's. The API server answers 400 with it. */
export class DecodeError extends Error {}

type Fill = "nothing" | "stored" | "written";

export interface DecodeOptions {
  /**
   * What is filled in of the fields that Go always writes. "stored", the default: empty structs and zeros (`resources: {}`, `ready: false`);
   * "written": nulls too (`lastProbeTime: null`), as the API server answers; "nothing": for apply configurations and patches.
   */
  readonly fill?: Fill;
  /** The object was in the store, which keeps protobuf: lists and maps that are empty are as if they were not there. */
  readonly fromStore?: boolean;
}

export interface Decoded {
  readonly value: JsonObject;
  /** `unknown field "spec.replcas"`, in the order of the text. The caller decides whether they refuse, warn or are ignored. */
  readonly strictErrors: readonly string[];
}

/** Decodes a whole object of a type. Throws DecodeError. */
export function decodeObject(typeName: string, value: JsonValue, options: DecodeOptions = {}): Decoded {
  if (!isObject(value)) {
    const { version, name } = goStruct(typeName);
    throw new DecodeError(`json: cannot unmarshal ${goValue(value, "object")} into Go value of type ${version}.${name}`);
  }
  const decoder = new Decoder(typeName, options);
  const decoded = decoder.object(typeName, value) as JsonObject;
  if (decoder.error !== undefined) throw new DecodeError(decoder.error);
  return { value: decoded, strictErrors: decoder.strictErrors };
}

/** Go writes maps in the order of their keys. JavaScript puts those that are array indexes first, in any case. */
function inOrder(map: JsonObject): JsonObject {
  let last: string | undefined;
  for (const key in map) {
    if (last !== undefined && key < last && !isArrayIndex(last)) {
      return Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareBytes(a, b)));
    }
    last = key;
  }
  return map;
}

function isArrayIndex(key: string): boolean {
  const index = Number(key) >>> 0;
  return String(index) === key && index < 2 ** 32 - 1;
}

/** Drops with a decoded value what Go would not write. */
const dropped = Symbol("dropped");
type Result = JsonValue | typeof dropped;

class Decoder {
  readonly strictErrors: string[] = [];
  /** Go goes on after a wrong type and reports the first; but times, quantities and IntOrStrings read themselves and end it all. */
  error: string | undefined;
  #hasEnded = false;
  readonly #rootType: string;
  readonly #fill: Fill;
  readonly #fromStore: boolean;
  /** Field names, list indexes and map keys from the root: the path of strict errors. */
  readonly #path: (string | number)[] = [];
  /** Field names only: the path of wrong types. */
  readonly #fields: string[] = [];

  constructor(rootType: string, { fill = "stored", fromStore = false }: DecodeOptions) {
    this.#rootType = rootType;
    this.#fill = fill;
    this.#fromStore = fromStore;
  }

  object(typeName: string, value: JsonObject): JsonValue {
    const { fields, empties } = planOf(typeName);
    let changed: { [key: string]: JsonValue } | undefined;
    for (const key in value) {
      const given = value[key] as JsonValue;
      const field = fields.get(key);
      let result: Result;
      if (field === undefined) {
        this.#unknown(key);
        result = dropped;
      } else if (given === null) {
        result = dropped;
      } else {
        this.#path.push(key);
        this.#fields.push(key);
        result = this.#value(typeName, field.type, given);
        this.#fields.pop();
        this.#path.pop();
        if (result !== dropped && isZero(result, field.type) && !this.#keepsZero(field)) result = dropped;
      }
      if (result === given) {
        if (changed !== undefined) changed[key] = given;
        continue;
      }
      changed ??= copyBefore(value, key);
      if (result !== dropped) setOwn(changed, key, result);
    }
    for (const [field, empty] of empties[this.#fill]) {
      if ((changed ?? value)[field] !== undefined) continue;
      changed ??= { ...value };
      changed[field] = empty;
    }
    return changed ?? value;
  }

  #keepsZero({ type, keepsZero, isWritten }: PlannedField): boolean {
    if (!keepsZero || (type.kind !== "list" && type.kind !== "map")) return keepsZero;
    // One that is refused when it is empty, and filled in when it is absent, is told from an absent one in requests only.
    return !this.#fromStore && (isWritten || this.#fill !== "written");
  }

  #unknown(key: string): void {
    if (this.strictErrors.length >= 100) return;
    this.strictErrors.push(`unknown field ${JSON.stringify(pathText([...this.#path, key]))}`);
  }

  #value(owner: string, type: TypeSchema, value: JsonValue): Result {
    switch (type.kind) {
      case "object":
        if (isObject(value)) return this.object(type.name, value);
        return this.#mismatch(owner, type, value);
      case "list":
        if (Array.isArray(value)) return this.#list(owner, type.of, value);
        return this.#mismatch(owner, type, value);
      case "map":
        if (isObject(value)) return this.#map(owner, type.of, value);
        return this.#mismatch(owner, type, value);
      default:
        return this.#scalar(owner, type.kind, value);
    }
  }

  #list(owner: string, of: TypeSchema, values: readonly JsonValue[]): JsonValue {
    let changed: JsonValue[] | undefined;
    for (let index = 0; index < values.length; index += 1) {
      const given = values[index] as JsonValue;
      this.#path.push(index);
      const result = given === null ? this.#emptyElement(of) : this.#value(owner, of, given);
      this.#path.pop();
      if (result === given) continue;
      changed ??= values.slice();
      changed[index] = result === dropped ? this.#emptyElement(of) : result;
    }
    return changed ?? values;
  }

  #map(owner: string, of: TypeSchema, values: JsonObject): JsonValue {
    let changed: { [key: string]: JsonValue } | undefined;
    for (const key in values) {
      const given = values[key] as JsonValue;
      this.#path.push(key);
      const result = given === null ? this.#emptyElement(of) : this.#value(owner, of, given);
      this.#path.pop();
      if (result === given) continue;
      changed ??= { ...values };
      setOwn(changed, key, result === dropped ? this.#emptyElement(of) : result);
    }
    return inOrder(changed ?? values);
  }

  /** What a null stands for in a list or map: Go's zero value. */
  #emptyElement(of: TypeSchema): JsonValue {
    switch (of.kind) {
      case "object":
        return this.#fill === "nothing" ? {} : emptyObjectOf(of.name, this.#fill);
      case "string":
        return "";
      case "bytes":
        return this.#fill === "written" ? null : "";
      case "list":
        return this.#fill === "written" ? null : [];
      case "map":
        return this.#fill === "written" ? null : {};
      case "boolean":
        return false;
      case "int32":
      case "int64":
      case "double":
      case "intOrString":
        return 0;
      case "quantity":
        return "0";
      default:
        return null;
    }
  }

  #scalar(owner: string, kind: ScalarKind, value: JsonValue): Result {
    switch (kind) {
      case "string":
        return typeof value === "string" ? value : this.#mismatch(owner, { kind }, value);
      case "boolean":
        return typeof value === "boolean" ? value : this.#mismatch(owner, { kind }, value);
      case "int32":
        return fitsInt32(value) ? value : this.#mismatch(owner, { kind }, value);
      case "int64":
        return fitsInt64(value) ? value : this.#mismatch(owner, { kind }, value);
      case "double":
        if (typeof value === "bigint") return Number(value);
        return typeof value === "number" ? value : this.#mismatch(owner, { kind }, value);
      case "bytes":
        return typeof value === "string" ? this.#bytes(value) : this.#mismatch(owner, { kind }, value);
      case "quantity":
        return this.#quantity(value);
      case "time":
      case "microTime":
        return this.#time(owner, kind, value);
      case "intOrString":
        if (typeof value === "string" || fitsInt32(value)) return value;
        return this.#end(this.#wrongType(owner, goValue(value, "int32"), "int32"));
      case "any":
        return value;
    }
  }

  #bytes(text: string): Result {
    const fault = base64Fault(text);
    return fault === undefined ? writtenBase64(text) : this.#fail(`illegal base64 data at input byte ${fault}`);
  }

  #quantity(value: JsonValue): Result {
    try {
      return canonicalQuantity(typeof value === "string" ? value.trim() : jsonText(value));
    } catch (error) {
      if (error instanceof QuantityError) return this.#end(error.message);
      throw error;
    }
  }

  #time(owner: string, kind: "time" | "microTime", value: JsonValue): Result {
    if (typeof value !== "string") {
      return this.#end(this.#wrongType(owner, goValue(value, "string"), "string"));
    }
    if ((kind === "time" ? canonicalTime : canonicalMicroTime).test(value) && tryParseTime(value) !== undefined) return value;
    const micros = kind === "time" ? "" : microFraction.exec(value)?.[1];
    const ms = micros === undefined ? undefined : tryParseTime(value);
    if (ms === undefined) return this.#end(timeFault(kind, value));
    return kind === "time" ? formatTime(ms) : formatTime(ms).replace("Z", `.${micros}Z`);
  }

  #mismatch(owner: string, type: TypeSchema, value: JsonValue): Result {
    const named = lateGoNames.code.namedScalar(owner, this.#fields.at(-1) ?? "");
    const wanted = named !== undefined && type.kind === "list" ? `[]${named}` : (named ?? goType(type));
    return this.#fail(this.#wrongType(owner, goValue(value, type.kind), wanted));
  }

  #wrongType(owner: string, actual: string, wanted: string): string {
    const field = `${goStruct(owner).name}.${this.#fieldPath()}`;
    return `json: cannot unmarshal ${actual} into Go struct field ${field} of type ${wanted}`;
  }

  /** Field names from the root, with the structs that Go embeds. */
  #fieldPath(): string {
    let type: TypeSchema | undefined = { kind: "object", name: this.#rootType };
    const parts: string[] = [];
    for (const field of this.#fields) {
      while (type?.kind === "list" || type?.kind === "map") type = type.of;
      const owner: string = type?.kind === "object" ? type.name : "";
      const embedded = lateGoNames.code.embeddedStruct(owner, field);
      if (embedded !== undefined) parts.push(embedded);
      parts.push(field);
      type = owner === "" ? undefined : fieldsOf(owner).get(field)?.type;
    }
    return parts.join(".");
  }

  #fail(message: string): typeof dropped {
    this.error ??= message;
    return dropped;
  }

  #end(message: string): typeof dropped {
    if (!this.#hasEnded) this.error = message;
    this.#hasEnded = true;
    return dropped;
  }
}

const canonicalTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** Six digits are asked for. */
const microFraction = /^.{19}[.,](\d{6})(?!\d)/;
const canonicalMicroTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

function fitsInt32(value: JsonValue): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

/** A number that is whole and no bigint lies below 2^53, or beyond 64 bits: whoever reads a text keeps what is between exact. */
function fitsInt64(value: JsonValue): boolean {
  return typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

/** Whether a field without a pointer is empty: Go's omitempty drops it. Structs are never empty for Go. */
function isZero(value: JsonValue, type: TypeSchema): boolean {
  switch (type.kind) {
    case "list":
      return (value as readonly JsonValue[]).length === 0;
    case "map":
      return isEmptyObject(value as JsonObject);
    case "string":
    case "bytes":
      return value === "";
    case "int32":
    case "int64":
    case "double":
      return value === 0;
    case "boolean":
      return value === false;
    default:
      return false;
  }
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}

function copyBefore(value: JsonObject, end: string): { [key: string]: JsonValue } {
  const copy: { [key: string]: JsonValue } = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(copy, key, value[key] as JsonValue);
  }
  return copy;
}

/** A key may be `__proto__`. */
function setOwn(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

interface PlannedField {
  readonly type: TypeSchema;
  readonly keepsZero: boolean;
  /** Whether Go writes it even when it is empty. */
  readonly isWritten: boolean;
}

/** What decoding must know of a type, at hand. */
interface Plan {
  readonly fields: ReadonlyMap<string, PlannedField>;
  /** What is filled in where it is missing. */
  readonly empties: { readonly [fill in Fill]: EmptyFields };
}

const plans = new Map<string, Plan>();

function planOf(typeName: string): Plan {
  let plan = plans.get(typeName);
  if (plan === undefined) {
    const { keptZeros, stored, written } = emptinessOf(typeName);
    const fields = [...fieldsOf(typeName).values()];
    const always = new Set(written.map(([name]) => name));
    plan = {
      fields: new Map(
        fields.map(({ name, type }) => [name, { type, keepsZero: keptZeros.has(name), isWritten: always.has(name) }]),
      ),
      empties: { nothing: [], stored, written },
    };
    plans.set(typeName, plan);
  }
  return plan;
}

/** `spec.template.spec.containers[0].imag` */
function pathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
