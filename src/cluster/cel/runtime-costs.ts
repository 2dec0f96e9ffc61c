// What an expression costs while it runs, counted as cel-go counts it (interpreter/runtimecost.go; Kubernetes' own functions: apiserver,
// pkg/cel/library/cost.go), and the end of one that costs too much. Nodes of the running tree are given a meter; types come from the
// checked tree, which has the same shape.

import { type ASTNode, Optional } from "@marcbachmann/cel-js";
import { callParts, kindOf } from "./costs.ts";
import { callCost, sizeOf } from "./runtime-call-costs.ts";
import type { Evaluate, Node } from "./standard-nodes.ts";

/** Of one expression, each time it runs. */
const callLimit = 1_000_000;

/** Ends an expression. */
export class CostLimitReached extends Error {}

/** Counts one expression. */
export class Meter {
  cost = 0;
  /** What nodes were worth when they last ran: what calls are charged by. */
  readonly values = new Map<Node, unknown>();

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > callLimit) throw new CostLimitReached();
  }

  get isExceeded(): boolean {
    return this.cost > callLimit;
  }

  begin(): void {
    this.cost = 0;
    this.values.clear();
  }
}

/** Changes the running tree. */
export function meterNodes(running: ASTNode, checked: ASTNode): Meter {
  const meter = new Meter();
  new Plan(meter).visit(running as unknown as Node, checked as unknown as Node, false);
  return meter;
}

const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);
const attributes: ReadonlySet<string> = new Set(["id", ".", ".?", "[]", "[?]", "?:"]);
const texts: ReadonlySet<string> = new Set(["string", "bytes"]);
const listCost = 10;
const mapCost = 30;
const structCost = 40;
const factor = 0.1;

/** Constants are worked out when an expression is compiled and cost nothing. */
function isConstant(node: Node): boolean {
  switch (node.op) {
    case "value":
      return true;
    case "-_":
      return (node.args as Node).op === "value";
    case "list":
      return (node.args as readonly Node[]).every(isConstant);
    case "map":
      return (node.args as readonly (readonly Node[])[]).flat().every(isConstant);
    case "call": {
      const { name, args } = callParts(node);
      const [only] = args;
      return args.length === 1 && only !== undefined && conversions.has(name) && isConstant(only);
    }
    default:
      return false;
  }
}

class Plan {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** `isPart`: an attribute that belongs to another (a branch of `?:`, an index); its first name is not counted by itself. */
  visit(node: Node, checked: Node, isPart: boolean): void {
    if (isConstant(checked)) return;
    switch (node.op) {
      case "id":
        if (!isPart && checked.meta.alternate === undefined) this.#charge(node, 1);
        return;
      case ".":
      case ".?":
        this.#select(node, checked, isPart);
        return;
      case "[]":
      case "[?]":
        this.#select(node, checked, isPart);
        this.#visitIndex(partsOf(node)[1] as Node, partsOf(checked)[1] as Node);
        return;
      case "?:":
        this.#conditional(node, checked);
        return;
      case "||":
      case "&&":
        this.#visitAll(partsOf(node), partsOf(checked));
        return;
      case "!_":
      case "-_":
        this.visit(node.args as Node, checked.args as Node, false);
        this.#charge(node, 1);
        return;
      case "list":
        this.#visitAll(partsOf(node), partsOf(checked));
        this.#charge(node, listCost);
        return;
      case "map":
        this.#visitAll(entriesOf(node), entriesOf(checked));
        this.#charge(node, mapCost);
        return;
      case "call":
      case "rcall":
        this.#call(node, checked);
        return;
      default:
        this.#operator(node, checked);
    }
  }

  #visitAll(nodes: readonly Node[], checked: readonly Node[]): void {
    for (const [index, node] of nodes.entries()) this.visit(node, checked[index] as Node, false);
  }

  #select(node: Node, checked: Node, isPart: boolean): void {
    const [operand] = partsOf(node) as readonly [Node];
    this.visit(operand, partsOf(checked)[0] as Node, isPart);
    // Of what is no attribute one is made, which counts like a name.
    const made = attributes.has(operand.op) || isPart ? 0 : 1;
    if (node.op === "." || node.op === "[]") this.#charge(node, made + 1);
    else this.#chargeBy(node, [], (_, found) => made + (found instanceof Optional && found.hasValue() ? 1 : 0));
  }

  #visitIndex(node: Node, checked: Node): void {
    if (isConstant(checked)) return;
    const isAttribute = attributes.has(node.op);
    this.visit(node, checked, isAttribute);
  }

  #conditional(node: Node, checked: Node): void {
    const [condition, ...branches] = partsOf(node) as readonly [Node, Node, Node];
    this.visit(condition, partsOf(checked)[0] as Node, false);
    for (const [index, branch] of branches.entries()) {
      this.visit(branch, partsOf(checked)[index + 1] as Node, attributes.has(branch.op));
    }
  }

  #operator(node: Node, checked: Node): void {
    const [left, right] = partsOf(node) as readonly [Node, Node];
    this.#visitAll([left, right], partsOf(checked));
    const kinds = partsOf(checked).map(kindOf);
    const isText = kinds.some((kind) => texts.has(kind));
    switch (node.op) {
      case "==":
      case "!=":
        this.#compare(node, left, right, true);
        return;
      case "in":
        this.#membership(node, partsOf(checked)[1] as Node, right, kinds[1] === "list");
        return;
      case "<":
      case "<=":
      case ">":
      case ">=":
        if (isText) this.#compare(node, left, right, false);
        else this.#charge(node, 1);
        return;
      case "+":
        if (isText) this.#chargeBy(node, [left, right], ([a, b]) => Math.ceil((sizeOf(a) + sizeOf(b)) * factor));
        else this.#charge(node, 1);
        return;
      default:
        this.#charge(node, 1);
    }
  }

  #compare(node: Node, left: Node, right: Node, isEquality: boolean): void {
    this.#chargeBy(node, [left, right], ([a, b]) =>
      isEquality && node.op === "==" && isOpaque(a) ? 1 : Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * factor),
    );
  }

  #membership(node: Node, checked: Node, right: Node, isList: boolean): void {
    if (!isList) this.#charge(node, 1);
    else if (!isConstant(checked) || !isSetOfScalars(checked)) this.#chargeBy(node, [right], ([among]) => sizeOf(among));
  }

  #call(node: Node, checked: Node): void {
    if (node.op === "call" && (node.args as readonly unknown[])[0] === "has") {
      const [asked] = (node.args as readonly [string, readonly Node[]])[1];
      const [known] = (checked.args as readonly [string, readonly Node[]])[1];
      const [operand] = partsOf(asked as Node) as readonly [Node];
      this.visit(operand, partsOf(known as Node)[0] as Node, false);
      if (!attributes.has(operand.op)) this.#charge(node, 1);
      return;
    }
    if (checked.meta.alternate !== undefined) {
      this.#comprehension(node, checked);
      return;
    }
    const { name, target, args } = callParts(checked);
    const parts = callNodes(node, target !== undefined);
    if (name === "cel.bind" || name === "bind") {
      const known = (checked.args as readonly [string, Node, readonly Node[]])[2];
      const own = (node.args as readonly [string, Node, readonly Node[]])[2];
      this.#visitAll(own.slice(1), known.slice(1));
      return;
    }
    if (name === "__object" || name === "object") {
      const [, fields] = parts as readonly [Node, Node];
      this.#visitAll(entriesOf(fields), entriesOf(args[1] as Node));
      this.#charge(node, structCost);
      return;
    }
    const known = target === undefined ? args : [target, ...args];
    this.#visitAll(parts, known);
    if (name === "or" || name === "orValue") return;
    const argumentType = known[known.length - 1];
    const kind = argumentType === undefined ? "" : kindOf(argumentType);
    this.#chargeBy(node, parts, (values, result) => callCost(name, values, result, kind));
  }

  /** What the loop costs into which a macro is made. */
  #comprehension(node: Node, checked: Node): void {
    const [name, range, args] = node.args as readonly [string, Node, readonly Node[]];
    const [, knownRange, knownArgs] = checked.args as readonly [string, Node, readonly Node[]];
    this.visit(range, knownRange, false);
    this.#keep(range);
    for (const [index, argument] of args.entries()) if (index > 0) this.visit(argument, knownArgs[index] as Node, false);
    const predicate = args[1] as Node;
    if (name === "all" || name === "exists") {
      const isAll = name === "all";
      this.#quantifier(node, range, predicate, isAll);
      return;
    }
    this.#charge(node, name === "exists_one" || name === "existsOne" ? 2 : 1);
    if (name === "exists_one" || name === "existsOne") this.#chargeBy(predicate, [], (_, holds) => (holds === true ? 2 : 0));
    else if (name === "filter") this.#chargeBy(predicate, [], (_, holds) => (holds === true ? listCost + 3 : 0));
    else this.#charge(args.at(-1) as Node, isConstant(knownArgs.at(-1) as Node) ? 2 : listCost + 2);
  }

  /** A loop that is decided asks once more whether it goes on, and ends. */
  #quantifier(node: Node, range: Node, predicate: Node, isAll: boolean): void {
    const asking = isAll ? 2 : 3;
    let count = 0;
    let decided = false;
    this.#wrap(predicate, (_, run) => {
      const holds = run();
      count += 1;
      decided = holds === !isAll;
      this.#meter.charge(asking + 1);
      return holds;
    });
    this.#wrap(node, (_, run) => {
      count = 0;
      decided = false;
      const result = run();
      const stopped = decided && count < sizeOf(this.#meter.values.get(range));
      this.#meter.charge(stopped ? asking + 1 : 1);
      return result;
    });
  }

  #charge(node: Node, cost: number): void {
    this.#wrap(node, (_, run) => {
      this.#meter.charge(cost);
      return run();
    });
  }

  #chargeBy(node: Node, parts: readonly Node[], costOf: (values: readonly unknown[], result: unknown) => number): void {
    for (const part of parts) this.#keep(part);
    this.#wrap(node, (_, run) => {
      const result = run();
      this.#meter.charge(
        costOf(
          parts.map((part) => (part.op === "value" ? part.args : this.#meter.values.get(part))),
          result,
        ),
      );
      return result;
    });
  }

  #keep(node: Node): void {
    if (node.op === "value") return;
    this.#wrap(node, (inner, run) => {
      const value = run();
      this.#meter.values.set(inner, value);
      return value;
    });
  }

  /** `evaluate` of the library's nodes replaces itself when it is first called, so it is not asked. */
  #wrap(node: Node, around: (node: Node, run: () => unknown) => unknown): void {
    const inner: Evaluate = Object.hasOwn(node, "evaluate") ? (node as Evaluated).evaluate : evaluatePlainly;
    const evaluate: Evaluate = (evaluator, _, context) => around(node, () => inner(evaluator, node, context));
    Object.defineProperty(node, "evaluate", { value: evaluate, configurable: true });
  }
}

type Evaluated = Node & { readonly evaluate: Evaluate };

const evaluatePlainly: Evaluate = (evaluator, node, context) => {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate !== undefined) return evaluator.run(alternate, context);
  if (macro !== undefined) return macro.evaluate(evaluator, macro, context);
  return evaluate(evaluator, node, context);
};

function partsOf(node: Node): readonly Node[] {
  return node.args as readonly Node[];
}

function entriesOf(map: Node): readonly Node[] {
  return (map.args as readonly (readonly Node[])[]).flat();
}

function callNodes(node: Node, hasTarget: boolean): readonly Node[] {
  if (node.op === "call") return (node.args as readonly [string, readonly Node[]])[1];
  const [, receiver, args] = node.args as readonly [string, Node, readonly Node[]];
  return hasTarget ? [receiver, ...args] : args;
}

/** Looked up in one step; an empty list is known to hold nothing. */
function isSetOfScalars(list: Node): boolean {
  return partsOf(list).every(({ op, args }) => op === "-_" || (op === "value" && !(args instanceof Uint8Array)));
}

/** Kubernetes' own types are compared in one step. */
function isOpaque(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Map) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}
