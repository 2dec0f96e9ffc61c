// Arithmetic of resource lists (`cpu: 500m, memory: 1Gi`), name by name (apiserver's pkg/quota/v1/resources.go).

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
  quantitySign,
  subtractQuantities,
} from "#cluster/api/quantity.ts";

export type ResourceList = { readonly [name: string]: string };

const zero = "0";

/** The sum; a name that only one list has keeps its amount. */
export function addLists(a: ResourceList, b: ResourceList): ResourceList {
  const result: { [name: string]: string } = { ...a };
  for (const name in b) {
    const amount = b[name] as string;
    const before = result[name];
    result[name] =
      before === undefined ? amount : formatQuantity(addQuantities(parseQuantity(String(before)), parseQuantity(String(amount))));
  }
  return result;
}

/** The larger of the two amounts of each name. */
export function largerOfLists(a: ResourceList, b: ResourceList): ResourceList {
  const result: { [name: string]: string } = { ...a };
  for (const name in b) {
    const before = result[name];
    const amount = b[name] as string;
    if (before === undefined || compareAmounts(amount, before) > 0) result[name] = amount;
  }
  return result;
}

/** What `a` has more than `b`; never less than nothing. */
export function increase(a: ResourceList, b: ResourceList): ResourceList {
  const result: { [name: string]: string } = {};
  for (const name in a) {
    const less = b[name];
    const difference =
      less === undefined
        ? parseQuantity(String(a[name]))
        : subtractQuantities(parseQuantity(String(a[name])), parseQuantity(String(less)));
    result[name] = quantitySign(difference) > 0 ? formatQuantity(difference) : zero;
  }
  for (const name in b) result[name] ??= zero;
  return result;
}

/** Only the named resources. */
export function masked(list: ResourceList, names: Iterable<string>): ResourceList {
  const result: { [name: string]: string } = {};
  for (const name of names) if (list[name] !== undefined) result[name] = list[name] as string;
  return result;
}

/** The names of which `list` has more than `hard` allows. */
export function exceededNames(list: ResourceList, hard: ResourceList): readonly string[] {
  return Object.keys(hard).filter(
    (name) => list[name] !== undefined && compareAmounts(list[name] as string, hard[name] as string) > 0,
  );
}

export function withoutZeros(list: ResourceList): ResourceList {
  const names = Object.keys(list);
  const kept = names.filter((name) => !isZeroQuantity(parseQuantity(String(list[name]))));
  return kept.length === names.length ? list : masked(list, kept);
}

export function negativeNames(list: ResourceList): readonly string[] {
  return Object.keys(list).filter((name) => quantitySign(parseQuantity(String(list[name]))) < 0);
}

/** The same names with the same amounts, however written. */
export function sameLists(a: ResourceList | undefined, b: ResourceList | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => b[name] !== undefined && compareAmounts(a[name] as string, b[name] as string) === 0);
}

export function compareAmounts(a: string, b: string): number {
  return compareQuantities(parseQuantity(String(a)), parseQuantity(String(b)));
}

/** `limits.cpu=2,pods=1`, by name. */
export function listText(list: ResourceList): string {
  return Object.keys(list)
    .sort()
    .map((name) => `${name}=${formatQuantity(parseQuantity(String(list[name])))}`)
    .join(",");
}
