// Finds in a file what would not be the same in every engine: time, chance, promises, an engine's words, its tables, its last bits.

import ts from "typescript";

export interface Offence {
  readonly line: number;
  readonly what: string;
}

/** Of the host's clock, of its turns, of its chance, of its language, of its memory; and what only Node has. */
const globals = new Set([
  ...["Date", "performance", "setTimeout", "setInterval", "setImmediate", "requestAnimationFrame", "queueMicrotask", "Promise"],
  ...["fetch", "crypto", "navigator", "Intl", "WeakRef", "FinalizationRegistry", "Buffer"],
]);
/** Exact by the language's definition, or constants. */
const exactMathematics = new Set(
  "abs ceil clz32 floor fround imul max min round sign sqrt trunc E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2".split(" "),
);
const engineErrors = new Set(["Error", "SyntaxError", "TypeError", "RangeError", "ReferenceError", "URIError", "EvalError"]);

export function engineOffences(source: ts.SourceFile): readonly Offence[] {
  const found: Offence[] = [];
  const visit = (node: ts.Node): void => {
    for (const rule of rules) {
      const what = rule(node);
      if (what !== undefined) found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, what });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What is wrong with a node, if anything. */
type Rule = (node: ts.Node) => string | undefined;

const rules: readonly Rule[] = [
  waits,
  isGlobal,
  mathematics,
  power,
  engineError,
  caughtError,
  errorStack,
  byLanguage,
  expression,
  order,
];

function waits(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return "async";
  return ts.isAwaitExpression(node) ? "await" : undefined;
}

function isGlobal(node: ts.Node): string | undefined {
  return ts.isIdentifier(node) && globals.has(node.text) && isUse(node) ? node.text : undefined;
}

/** Names of properties and parameters are harmless; a type such as `Promise<T>` is not. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  const isNamed =
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent);
  return !isNamed || parent.name !== node;
}

function mathematics(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node) || node.expression.getText() !== "Math") return undefined;
  return exactMathematics.has(node.name.text) ? undefined : `Math.${node.name.text}`;
}

/** Powers of two are exact, and so are whole powers below 2^53, and big integers. */
function power(node: ts.Node): string | undefined {
  const offence = "a power that may be rounded";
  if (!ts.isBinaryExpression(node)) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken) return offence;
  if (node.operatorToken.kind !== ts.SyntaxKind.AsteriskAsteriskToken || ts.isBigIntLiteral(node.left)) return undefined;
  if (!ts.isNumericLiteral(node.left)) return offence;
  const base = Number(node.left.text);
  if (Number.isInteger(Math.log2(base))) return undefined;
  const isWhole = Number.isInteger(base) && ts.isNumericLiteral(node.right) && Number.isInteger(Number(node.right.text));
  return isWhole && base ** Number(node.right.text) <= Number.MAX_SAFE_INTEGER ? undefined : offence;
}

/** With these, the type checker would let the message of an engine's error be read; `isOwnError` and our own classes never do. */
function engineError(node: ts.Node): string | undefined {
  if (ts.isAsExpression(node) && engineErrors.has(node.type.getText())) return `as ${node.type.getText()}`;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword) return undefined;
  const name = node.right.getText();
  return engineErrors.has(name) ? `instanceof ${name}` : undefined;
}

/** `String(error)`, `${error}`, `"…" + error` of what a clause caught. */
function caughtError(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !isCaught(node)) return undefined;
  const { parent } = node;
  const isText =
    ts.isTemplateSpan(parent) ||
    (ts.isCallExpression(parent) && parent.expression.getText() === "String") ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.PlusToken);
  return isText ? "words of a caught error" : undefined;
}

function isCaught(node: ts.Identifier): boolean {
  for (let outer: ts.Node = node; outer !== undefined; outer = outer.parent) {
    if (ts.isCatchClause(outer) && outer.variableDeclaration?.name.getText() === node.text) return true;
  }
  return false;
}

function errorStack(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const isStack =
    node.name.text === "captureStackTrace" ||
    (node.name.text === "stack" && /error|thrown|fault|cause/i.test(node.expression.getText()));
  return isStack ? "stack of an error" : undefined;
}

function byLanguage(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const name = node.expression.name.text;
  if (name === "localeCompare" || name.startsWith("toLocale")) return name;
  if (name === "toLowerCase" || name === "toUpperCase") return name;
  const isOfText = node.arguments.every((argument) => ts.isStringLiteralLike(argument));
  return name === "normalize" && isOfText ? name : undefined;
}

/** An expression, written or built of texts: engines have tables of characters of their own. */
function expression(node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    const source = node.text.slice(1, end);
    if (/\\p\{/i.test(source)) return "Unicode property of an expression";
    return node.text.indexOf("i", end) > 0 && /[^\0-\x7f]|\\u/.test(source) ? "case folding beyond ASCII" : undefined;
  }
  const isBuilt = ts.isNewExpression(node) && node.expression.getText() === "RegExp";
  return isBuilt && /\\p\{/i.test(node.getText()) ? "Unicode property of an expression" : undefined;
}

/** `a < b ? -1 : 1` says of equals that the first comes first, whichever it is: then each engine's way of sorting shows. */
function order(node: ts.Node): string | undefined {
  if (!ts.isConditionalExpression(node) || !ts.isBinaryExpression(node.condition)) return undefined;
  const { left, right, operatorToken } = node.condition;
  const compares = [ts.SyntaxKind.LessThanToken, ts.SyntaxKind.GreaterThanToken].includes(operatorToken.kind);
  const ends = [node.whenTrue.getText(), node.whenFalse.getText()].sort();
  if (!compares || ends[0] !== "-1" || ends[1] !== "1" || ts.isNumericLiteral(right)) return undefined;
  return areKnownToDiffer(node, left.getText(), right.getText()) ? undefined : "an order without equals";
}

/** Inside `if (a !== b)`, or behind `a === b ? … :`. */
function areKnownToDiffer(node: ts.Node, left: string, right: string): boolean {
  for (let outer = node.parent; outer !== undefined && !ts.isFunctionLike(outer); outer = outer.parent) {
    if (ts.isIfStatement(outer) && outer.expression.getText() === `${left} !== ${right}`) return true;
    if (ts.isConditionalExpression(outer) && outer.condition.getText() === `${left} === ${right}`) return true;
  }
  return false;
}
