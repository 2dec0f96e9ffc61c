// Nothing inside the world may wait for real time or for promises: the same seed and inputs must give the same bytes.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const rooms = ["src/sim", "src/shell", "src/cluster", "src/kubectl", "src/world"];
/** Tools that run at build time, and the one driver that maps wall time to virtual time. */
const outside = [/\.test\.ts$/, /\/generated?\//, /^src\/sim\/real-time\.ts$/, /^src\/world\/worker\.ts$/, /\/testing\//];
const forbiddenNames = new Set([
  "Promise",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "requestAnimationFrame",
  "performance",
  "fetch",
  "Date",
]);

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ts") && !outside.some((pattern) => pattern.test(path)));
}

function offences(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node, what: string): void => {
    found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AsyncKeyword) report(node, "async");
    if (ts.isAwaitExpression(node)) report(node, "await");
    if (ts.isIdentifier(node) && isUse(node)) {
      if (forbiddenNames.has(node.text)) report(node, node.text);
      if (node.text === "random" && node.parent.getText() === "Math.random") report(node, "Math.random");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Property names, labels and types of that name are harmless; `x.fetch` and `Promise<T>` as a type are not uses of the global. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node || node.text === "random";
  if (
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent)
  ) {
    return parent.name !== node;
  }
  if (ts.isPropertyDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) return parent.name !== node;
  return true;
}

describe("the world is deterministic by construction", () => {
  it.each(rooms)("%s uses no real time, no promise and no foreign randomness", (room) => {
    const files = filesOf(room);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(offences)).toEqual([]);
  });
});
