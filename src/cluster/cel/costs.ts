// The highest cost that an expression may have when it runs, estimated from its checked tree (cel-go, checker/cost.go): visiting
// something costs one, texts and lists cost by their sizes, and what a macro does for each item costs as often as there are items.

import { comparisonCost, concatenation, estimateCall, type Operand } from "./call-costs.ts";
import { fixed, nothing, plus, type Range, times, union, unknownSize } from "./cost-ranges.ts";
import type { Node, NodeType } from "./standard-nodes.ts";

/** The size of what is at a path below the variables (`spec`, `@items`, …); undefined where that is not known. */
export type SizeAt = (path: readonly string[]) => Range | undefined;

/** Sizes of what a list or a map holds, where the expression made it. */
interface Entries {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: Entries | undefined;
}

const one = fixed(1);
const listCost = fixed(10);
const mapCost = fixed(30);
const scalars: ReadonlySet<string> = new Set([
  "bool",
  "int",
  "uint",
  "double",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
]);
/** Compared in one step. */
const opaque: ReadonlySet<string> = new Set(["kubernetes.Quantity", "kubernetes.Semver", "kubernetes.IP", "kubernetes.CIDR"]);

export function estimateCost(checked: Node, sizeAt: SizeAt): number {
  return new Estimate(sizeAt).cost(checked).max;
}

class Estimate {
  readonly #sizeAt: SizeAt;
  readonly #locals = new Map<string, Local[]>();
  readonly #paths = new Map<Node, readonly string[]>();
  readonly #sizes = new Map<Node, Range>();
  readonly #entries = new Map<Node, Entries>();

  constructor(sizeAt: SizeAt) {
    this.#sizeAt = sizeAt;
  }

  cost(node: Node): Range {
    switch (node.op) {
      case "value":
        return nothing;
      case "id":
        this.#paths.set(node, this.#local(node)?.path ?? [node.args as string]);
        return one;
      case ".":
        return this.#select(node);
      case "call":
      case "rcall":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "?:":
        return this.#conditional(node);
      case "||":
      case "&&": {
        const [left, right] = this.#operands(node);
        return { min: left.min, max: plus(left, right).max };
      }
      case "-_":
      case "!_": {
        const inner = node.args as Node;
        return node.op === "-_" && inner.op === "value" ? nothing : plus(this.cost(inner), one);
      }
      case "[]":
        return this.#index(node);
      case ".?":
        return plus(this.cost((node.args as readonly Node[])[0] as Node), one);
      case "[?]":
        return plus(...this.#operands(node), one);
      default:
        return this.#operator(node);
    }
  }

  #operands(node: Node): readonly [Range, Range] {
    const [left, right] = node.args as readonly [Node, Node];
    return [this.cost(left), this.cost(right)];
  }

  #select(node: Node): Range {
    const [operand, name] = node.args as readonly [Node, string];
    const cost = this.cost(operand);
    const kind = typeOf(operand)?.kind;
    this.#paths.set(node, [...this.#path(operand), name]);
    return kind === "map" || kind === "message" ? plus(cost, one) : cost;
  }

  #index(node: Node): Range {
    const [operand] = node.args as readonly [Node, Node];
    const cost = plus(...this.#operands(node), one);
    const isList = typeOf(operand)?.kind === "list";
    this.#paths.set(node, [...this.#path(operand), isList ? "@items" : "@values"]);
    const size = this.#entriesOf(operand)?.value ?? this.#size(node);
    if (size !== undefined) this.#sizes.set(node, size);
    return cost;
  }

  #list(node: Node): Range {
    const items = node.args as readonly Node[];
    const cost = plus(...items.map((item) => this.cost(item)), listCost);
    const value = items.length === 0 ? nothing : items.map((item) => this.#sizeOrUnknown(item)).reduce(union);
    this.#entries.set(node, { kind: "list", key: one, value });
    return cost;
  }

  #map(node: Node): Range {
    const entries = node.args as readonly (readonly [Node, Node])[];
    const cost = plus(...entries.flat().map((item) => this.cost(item)), mapCost);
    const united = (at: 0 | 1): Range =>
      entries.length === 0 ? nothing : entries.map((entry) => this.#sizeOrUnknown(entry[at])).reduce(union);
    this.#entries.set(node, { kind: "map", key: united(0), value: united(1) });
    return cost;
  }

  #conditional(node: Node): Range {
    const [condition, yes, no] = node.args as readonly [Node, Node, Node];
    const cost = this.cost(condition);
    const either = union(this.cost(yes), this.cost(no));
    const [a, b] = [this.#entriesOf(yes), this.#entriesOf(no)];
    if (a !== undefined && b !== undefined) this.#entries.set(node, unitedEntries(a, b));
    this.#sizes.set(node, union(this.#sizeOrUnknown(yes), this.#sizeOrUnknown(no)));
    return plus(cost, either);
  }

  #operator(node: Node): Range {
    const [left, right] = node.args as readonly [Node, Node];
    const operands = plus(...this.#operands(node));
    const [a, b] = [this.#sizeOrUnknown(left), this.#sizeOrUnknown(right)];
    const kinds = [kindOf(left), kindOf(right)];
    const isText = kinds.some((kind) => kind === "string" || kind === "bytes");
    const unknown = kinds.includes("dyn");
    switch (node.op) {
      case "==":
        return plus(operands, opaque.has(kindOf(left)) && kindOf(left) === kindOf(right) ? one : comparisonCost(a, b));
      case "!=":
        return plus(operands, comparisonCost(a, b));
      case "in":
        return plus(operands, kinds[1] === "map" ? one : union(b, kinds[1] === "dyn" ? one : b));
      case "+":
        return plus(operands, this.#sum(node, { a, b, isText, unknown }));
      case "<":
      case "<=":
      case ">":
      case ">=":
        if (isText) return plus(operands, comparisonCost(a, b));
        return plus(operands, kinds.every((kind) => kind === "dyn") ? union(comparisonCost(a, b), one) : one);
      default:
        return plus(operands, one);
    }
  }

  #sum(
    node: Node,
    { a, b, isText, unknown }: { readonly a: Range; readonly b: Range; readonly isText: boolean; readonly unknown: boolean },
  ): Range {
    const [left, right] = node.args as readonly [Node, Node];
    const isList = kindOf(left) === "list" || kindOf(right) === "list";
    if (!isText && !isList && !unknown) return one;
    const { cost, size = unknownSize } = concatenation(isList ? "list" : "string", a, b);
    const [first, second] = [this.#entriesOf(left), this.#entriesOf(right)];
    if (first !== undefined && second !== undefined) this.#entries.set(node, unitedEntries(first, second));
    this.#sizes.set(node, size);
    return unknown && !isText ? union(cost, one) : cost;
  }

  #call(node: Node): Range {
    const { macro, alternate } = node.meta;
    if (alternate !== undefined) return this.#comprehension(node);
    if (macro !== undefined) return this.#macro(node);
    const { name, target, args } = callParts(node);
    const costs = plus(...args.map((argument) => this.cost(argument)), target === undefined ? nothing : this.cost(target));
    const operands = args.map((argument) => this.#operand(argument));
    const { cost, size } = estimateCall(name, target === undefined ? undefined : this.#operand(target), operands);
    const known = size ?? (name === "dyn" ? this.#size(args[0] as Node) : undefined);
    if (known !== undefined) this.#sizes.set(node, known);
    return plus(costs, cost);
  }

  /** `has()`, `cel.bind()` and what optionals may be asked. */
  #macro(node: Node): Range {
    if (node.op === "call") {
      const [asked] = (node.args as readonly [string, readonly [Node]])[1];
      return this.cost((asked.args as readonly [Node])[0]);
    }
    const [name, receiver, args] = node.args as readonly [string, Node, readonly Node[]];
    if (name !== "bind") {
      const size = union(this.#sizeOrUnknown(receiver), this.#sizeOrUnknown(args[0] as Node));
      this.#sizes.set(node, size);
      return plus(this.cost(receiver), ...args.map((argument) => this.cost(argument)), one);
    }
    const [variable, value, result] = args as readonly [Node, Node, Node];
    const bound = this.cost(value);
    const local = { path: this.#path(value), size: this.#size(value), entries: this.#entriesOf(value) };
    const cost = this.#with(variable.args as string, local, () => this.cost(result));
    const [size, entries] = [this.#size(result), this.#entriesOf(result)];
    if (size !== undefined) this.#sizes.set(node, size);
    if (entries !== undefined) this.#entries.set(node, entries);
    return plus(listCost, bound, cost);
  }

  #comprehension(node: Node): Range {
    const [name, range, args] = node.args as readonly [string, Node, readonly Node[]];
    const rangeCost = this.cost(range);
    const count = this.#sizeOrUnknown(range);
    const entries = this.#entriesOf(range);
    const isList = (entries?.kind ?? typeOf(range)?.kind) === "list";
    const local = {
      path: [...this.#path(range), isList ? "@items" : "@keys"],
      size: isList ? entries?.value : entries?.key,
      entries: undefined,
    };
    const { before, each, after } = this.#with((args[0] as Node).args as string, local, () =>
      this.#macroCosts(node, name, args, count),
    );
    return plus(rangeCost, before, times(count, each), after);
  }

  /** What the parts cost into which a macro is made. */
  #macroCosts(
    node: Node,
    name: string,
    args: readonly Node[],
    count: Range,
  ): { readonly before: Range; readonly each: Range; readonly after: Range } {
    const predicate = this.cost(args[1] as Node);
    switch (name) {
      case "all":
        this.#sizes.set(node, one);
        return { before: nothing, each: plus(predicate, fixed(3)), after: one };
      case "exists":
        this.#sizes.set(node, one);
        return { before: nothing, each: plus(predicate, fixed(4)), after: one };
      case "exists_one":
      case "existsOne":
        this.#sizes.set(node, one);
        return { before: nothing, each: plus(predicate, { min: 1, max: 2 }), after: fixed(2) };
      default:
        return this.#listMacro(node, name, args, { predicate, count });
    }
  }

  #listMacro(
    node: Node,
    name: string,
    args: readonly Node[],
    { predicate, count }: { readonly predicate: Range; readonly count: Range },
  ): { readonly before: Range; readonly each: Range; readonly after: Range } {
    const isFilter = name === "filter";
    const made = isFilter ? (args[0] as Node) : (args.at(-1) as Node);
    let append = plus(listCost, fixed(2));
    if (isFilter) append = plus(append, this.cost(made));
    else if (args.length === 3) append = plus(append, this.cost(made));
    else append = plus(append, predicate);
    this.#sizes.set(node, count);
    this.#entries.set(node, { kind: "list", key: one, value: union(nothing, this.#sizeOrUnknown(made)) });
    const each = isFilter || args.length === 3 ? plus(predicate, union(append, one)) : append;
    return { before: listCost, each, after: one };
  }

  #with<T>(name: string, local: Local, run: () => T): T {
    const known = this.#locals.get(name) ?? [];
    this.#locals.set(name, [...known, local]);
    try {
      return run();
    } finally {
      this.#locals.set(name, known);
    }
  }

  #local(node: Node): Local | undefined {
    return node.op === "id" ? this.#locals.get(node.args as string)?.at(-1) : undefined;
  }

  #path(node: Node): readonly string[] {
    return this.#local(node)?.path ?? this.#paths.get(node) ?? [];
  }

  #operand(node: Node): Operand {
    const type = typeOf(node);
    const item = type?.kind === "list" ? type.valueType : undefined;
    const path = this.#path(node);
    return {
      kind: kindOf(node),
      itemKind: item?.name,
      size: this.#sizeOrUnknown(node),
      itemSize: (path.length === 0 ? undefined : this.#sizeAt([...path.slice(1), "@items"])) ?? unknownSize,
      literal: node.op === "value" && typeof node.args === "bigint" ? Number(node.args) : undefined,
    };
  }

  #sizeOrUnknown(node: Node): Range {
    return this.#size(node) ?? unknownSize;
  }

  #size(node: Node): Range | undefined {
    const known = this.#sizes.get(node) ?? writtenSize(node);
    if (known !== undefined) return known;
    const path = this.#path(node);
    const there = path.length === 0 ? undefined : this.#sizeAt(path.slice(1));
    if (there !== undefined) return there;
    return isScalar(typeOf(node)) ? one : this.#local(node)?.size;
  }

  #entriesOf(node: Node): Entries | undefined {
    return this.#entries.get(node) ?? this.#local(node)?.entries;
  }
}

/** What a call names: `sets.contains(a, b)` is a function of that name, not one of a value. */
export function callParts(node: Node): {
  readonly name: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
} {
  if (node.op === "call") {
    const [name, args] = node.args as readonly [string, readonly Node[]];
    return { name: plainName(name), target: undefined, args };
  }
  const [name, receiver, args] = node.args as readonly [string, Node, readonly Node[]];
  if (isNamespace(receiver)) return { name: `${receiver.args}.${plainName(name)}`, target: undefined, args };
  return { name: plainName(name), target: receiver, args };
}

function isNamespace(node: Node): boolean {
  return node.op === "id" && node.meta.alternate !== undefined;
}

function plainName(name: string): string {
  return name.replace(/^__/, "");
}

function unitedEntries(a: Entries, b: Entries): Entries {
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function typeOf(node: Node): NodeType | undefined {
  const type = node.checkedType;
  return type === undefined || type.kind === "dyn" ? (typeOfOneOf(node) ?? type) : type;
}

/** What answers one of the items of a list, or their sum, is of their type; the checker calls it dynamic. */
function typeOfOneOf(node: Node): NodeType | undefined {
  if (node.op !== "rcall") return undefined;
  const [name, target, args] = node.args as readonly [string, Node, readonly Node[]];
  if (name === "sum" || name === "min" || name === "max") return itemType(typeOf(target));
  if (name !== "greatest" && name !== "least") return undefined;
  const [first] = args.map(typeOf);
  return args.length === 1 ? itemType(first) : first;
}

function itemType(list: NodeType | undefined): NodeType | undefined {
  return list?.kind === "list" ? list.valueType : undefined;
}

export function kindOf(node: Node): string {
  const type = typeOf(node);
  if (type === undefined) return "dyn";
  return type.kind === "primitive" || type.kind === "message" ? type.name : type.kind;
}

function isScalar(type: NodeType | undefined): boolean {
  if (type === undefined) return false;
  return scalars.has(type.name) || (type.kind === "optional" && isScalar(type.valueType));
}

function writtenSize(node: Node): Range | undefined {
  if (node.op === "-_") return (node.args as Node).op === "value" ? one : undefined;
  if (node.op === "list" || node.op === "map") return fixed((node.args as readonly unknown[]).length);
  if (node.op !== "value") return undefined;
  const value = node.args;
  if (typeof value === "string") return fixed([...value].length);
  return value instanceof Uint8Array ? fixed(value.length) : one;
}
