// Where the library's operators are not what cel-go's are: equality of objects and of mixed lists, which of two faults `&&` and
// `||` tell, what `has()` may be asked of. Nodes of a parsed expression are given ours.

import { type ASTNode, EvaluationError, Optional } from "@marcbachmann/cel-js";
import { celEquals } from "./equality.ts";

/** What the library knows of a type. */
export interface NodeType {
  readonly kind: string;
  readonly name: string;
  readonly hasDynType: boolean;
  readonly keyType?: NodeType;
  readonly valueType?: NodeType;
}

/** A node as the library has it, beyond what it declares. */
export interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly meta: { macro?: Macro; alternate?: Node; evaluate: Evaluate };
  readonly checkedType?: NodeType;
  readonly receiverWithArgs?: readonly Node[];
  left?: Node;
  right?: Node;
  setMeta(key: string, value: unknown): this;
}

interface Macro {
  readonly args: readonly Node[];
  typeCheck(checker: Checker, macro: Macro, context: unknown): NodeType;
  evaluate(evaluator: Evaluator, macro: Macro, context: unknown): unknown;
}

interface Checker {
  readonly boolType: NodeType;
  check(node: Node, context: unknown): NodeType;
  checkAccessOnType(node: Node, context: unknown, type: NodeType, allowMissing?: boolean): NodeType;
  createError(code: string, message: string, node: Node): Error;
  formatType(type: NodeType): string;
}

interface Evaluator {
  readonly registry: {
    findBinaryOverload(
      operator: string,
      left: NodeType,
      right: NodeType,
    ): { handler(a: unknown, b: unknown): boolean } | false | undefined;
  };
  run(node: Node, context: unknown): unknown;
  debugType(value: unknown): NodeType;
}

export type Evaluate = (evaluator: Evaluator, node: Node, context: unknown) => unknown;

/** The nodes of an expression, those that macros were made of included; what macros are made into is not. */
export function visitNodes(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const inner of node) visitNodes(inner, visit);
    return;
  }
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return;
  visitNodes(node.args, visit);
  visit(node as Node);
}

/** Changes the tree. */
export function standardNodes(ast: ASTNode): void {
  visitNodes(ast, (node) => {
    switch (node.op) {
      case "==":
      case "!=":
        node.setMeta("check", checkEquality).setMeta("evaluate", node.op === "==" ? equal : unequal);
        break;
      case "in":
        node.setMeta("check", checkMembership).setMeta("evaluate", isMember);
        break;
      case "||":
        node.setMeta("evaluate", logical(true));
        break;
      case "&&":
        node.setMeta("evaluate", logical(false));
        break;
      case "call":
        if (node.meta.macro !== undefined && (node.args as readonly unknown[])[0] === "has") {
          node.meta.macro = { args: node.meta.macro.args, typeCheck: checkPresence, evaluate: isPresent };
        }
        break;
    }
  });
}

function checkEquality(checker: Checker, node: Node, context: unknown): NodeType {
  const [left, right] = operandTypes(checker, node, context);
  if (comparable(left, right)) return checker.boolType;
  throw noOverload(checker, node, left, right);
}

function checkMembership(checker: Checker, node: Node, context: unknown): NodeType {
  const [left, right] = operandTypes(checker, node, context);
  const inner = right.kind === "list" ? right.valueType : right.keyType;
  if (right.kind === "dyn" || (inner !== undefined && comparable(left, inner))) return checker.boolType;
  throw noOverload(checker, node, left, right);
}

function operandTypes(checker: Checker, node: Node, context: unknown): readonly [NodeType, NodeType] {
  const [left, right] = node.args as readonly [Node, Node];
  node.left = left;
  node.right = right;
  return [checker.check(left, context), checker.check(right, context)];
}

function noOverload(checker: Checker, node: Node, left: NodeType, right: NodeType): Error {
  const types = `${checker.formatType(left)} ${node.op} ${checker.formatType(right)}`;
  return checker.createError("no_such_overload", `no such overload: ${types}`, node);
}

const nullable: ReadonlySet<string> = new Set(["message", "optional"]);
const nullableNames: ReadonlySet<string> = new Set(["google.protobuf.Timestamp", "google.protobuf.Duration"]);

/** Whether values of two types may be compared: those of one type, and everything with what is known only when it runs. */
function comparable(a: NodeType, b: NodeType): boolean {
  if (a === b || a.kind === "dyn" || b.kind === "dyn" || a.kind === "param" || b.kind === "param") return true;
  if (a.name === "null") return nullable.has(b.kind) || nullableNames.has(b.name);
  if (b.name === "null") return comparable(b, a);
  if (a.kind !== b.kind) return false;
  if (a.valueType === undefined || b.valueType === undefined) return a.name === b.name;
  if (a.keyType !== undefined && b.keyType !== undefined && !comparable(a.keyType, b.keyType)) return false;
  return comparable(a.valueType, b.valueType);
}

const equal: Evaluate = (evaluator, node, context) => {
  const [left, right] = node.args as readonly [Node, Node];
  return areEqual(evaluator, evaluator.run(left, context), evaluator.run(right, context));
};

const unequal: Evaluate = (evaluator, node, context) => equal(evaluator, node, context) !== true;

const isMember: Evaluate = (evaluator, node, context) => {
  const [left, right] = node.args as readonly [Node, Node];
  const item = evaluator.run(left, context);
  const among = evaluator.run(right, context);
  if (Array.isArray(among)) return among.some((one) => areEqual(evaluator, item, one));
  if (among instanceof Map) return among.has(item);
  if (isPlain(among)) return typeof item === "string" && Object.hasOwn(among, item) && among[item] !== undefined;
  throw new EvaluationError({ code: "no_such_overload", message: "no such overload" });
};

function areEqual(evaluator: Evaluator, a: unknown, b: unknown): boolean {
  return celEquals(a, b, (left, right) => {
    const [type, other] = [evaluator.debugType(left), evaluator.debugType(right)];
    if (type !== other) return false;
    const overload = evaluator.registry.findBinaryOverload("==", type, other);
    return overload === undefined || overload === false ? undefined : overload.handler(left, right);
  });
}

function isPlain(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The side that decides wins over faults of the other; without one, the left fault is told. */
function logical(deciding: boolean): Evaluate {
  return (evaluator, node, context) => {
    const [left, right] = node.args as readonly [Node, Node];
    const first = outcome(evaluator, left, context);
    if (first === deciding) return deciding;
    const second = outcome(evaluator, right, context);
    if (second === deciding) return deciding;
    for (const one of [first, second]) {
      if (one instanceof Error) throw one;
      if (typeof one !== "boolean") throw new EvaluationError({ code: "invalid_logical_operand", message: "no such overload" });
    }
    return !deciding;
  };
}

function outcome(evaluator: Evaluator, node: Node, context: unknown): unknown {
  try {
    return evaluator.run(node, context);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

function checkPresence(checker: Checker, { args: [asked] }: Macro, context: unknown): NodeType {
  if (asked === undefined || (asked.op !== "." && asked.op !== ".?")) {
    throw checker.createError("invalid_macro_argument", "invalid argument to has() macro", asked as Node);
  }
  const [operand] = asked.args as readonly [Node, string];
  const type = checker.check(operand, context);
  checker.checkAccessOnType(asked, context, type.kind === "optional" ? (type.valueType as NodeType) : type);
  return checker.boolType;
}

function isPresent(evaluator: Evaluator, { args: [asked] }: Macro, context: unknown): boolean {
  const [operand, name] = (asked as Node).args as readonly [Node, string];
  let value = evaluator.run(operand, context);
  if (value instanceof Optional) {
    if (!value.hasValue()) return false;
    value = value.value();
  }
  if (value instanceof Map) return value.get(name) !== undefined;
  if (isPlain(value)) return Object.hasOwn(value, name) && value[name] !== undefined;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return (value as { [key: string]: unknown })[name] !== undefined;
  throw new EvaluationError({ code: "no_such_overload", message: "no such overload" });
}
