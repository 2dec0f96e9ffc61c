// Lists and sets: Kubernetes' lists library and cel-go's ext.Sets. Of ext.Math upstream's environment has nothing.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";

class SetsNamespace {}

export function addListFunctions(environment: Environment): void {
  const equal = equality(environment);
  const contains = (list: readonly unknown[], item: unknown): boolean => list.some((one) => equal(one, item));
  environment
    .registerFunction("list.isSorted(): bool", (list: readonly unknown[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
    )
    .registerFunction("list.sum(): dyn", (list: readonly (number | bigint)[]) =>
      list.length === 0 ? 0n : list.reduce((total, item) => ((total as bigint) + (item as bigint)) as bigint),
    )
    .registerFunction("list.min(): dyn", (list: readonly unknown[]) => extreme(list, "min", -1))
    .registerFunction("list.max(): dyn", (list: readonly unknown[]) => extreme(list, "max", 1))
    .registerFunction("list.indexOf(dyn): int", (list: readonly unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => equal(one, item))),
    )
    .registerFunction("list.lastIndexOf(dyn): int", (list: readonly unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => equal(one, item))),
    )
    .registerType("SetsNamespace", SetsNamespace)
    .registerConstant("sets", "SetsNamespace", new SetsNamespace())
    .registerFunction("SetsNamespace.contains(list, list): bool", (_: unknown, all: readonly unknown[], some: readonly unknown[]) =>
      some.every((item) => contains(all, item)),
    )
    .registerFunction("SetsNamespace.intersects(list, list): bool", (_: unknown, a: readonly unknown[], b: readonly unknown[]) =>
      a.some((item) => contains(b, item)),
    )
    .registerFunction(
      "SetsNamespace.equivalent(list, list): bool",
      (_: unknown, a: readonly unknown[], b: readonly unknown[]) =>
        a.every((item) => contains(b, item)) && b.every((item) => contains(a, item)),
    );
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [a as string, b as string];
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function extreme(list: readonly unknown[], name: string, wanted: number): unknown {
  if (list.length === 0) throw new EvaluationError(`${name} called on empty list`);
  return list.reduce((best, item) => (compare(item, best) === wanted ? item : best));
}

/** CEL's `==`. */
function equality(environment: Environment): (a: unknown, b: unknown) => boolean {
  const parsed = new Map<"equal", (context: { readonly a: unknown; readonly b: unknown }) => unknown>();
  return (a, b) => {
    if (a === b) return true;
    if (typeof a !== "object" && typeof b !== "object") {
      return typeof a === typeof b || typeof a === "string" || typeof b === "string" ? false : Number(a) === Number(b);
    }
    let program = parsed.get("equal");
    if (program === undefined) {
      program = environment.clone().registerVariable("a", "dyn").registerVariable("b", "dyn").parse("a == b");
      parsed.set("equal", program);
    }
    return program({ a, b }) === true;
  };
}
