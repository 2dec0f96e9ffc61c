// Semantic equality of JSON values: absent, undefined and empty lists or maps count as the same, as in Go, where a nil
// slice equals an empty one (apimachinery's equality.Semantic).

/** Shared parts are equal without looking: stored objects share what they did not change. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || a === null) return isEmpty(b);
  if (b === undefined || b === null) return isEmpty(a);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (Array.isArray(b)) return false;
  return sameFields(a as Fields, b as Fields);
}

type Fields = { readonly [name: string]: unknown };

function sameFields(a: Fields, b: Fields): boolean {
  for (const name in a) if (!deepEqual(a[name], b[name])) return false;
  for (const name in b) if (!(name in a) && !isEmpty(b[name])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.length === 0;
}
