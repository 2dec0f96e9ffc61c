// Equality of plain JSON-like values.

/** Whether two values would be the same JSON; absent and undefined fields are equal. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSameValue(each, b[index]));
  if (Array.isArray(b)) return false;
  const left = a as { readonly [field: string]: unknown };
  const right = b as { readonly [field: string]: unknown };
  for (const field in left) if (!isSameValue(left[field], right[field])) return false;
  for (const field in right) if (right[field] !== undefined && left[field] === undefined) return false;
  return true;
}
