// Equality of API values as apimachinery's Semantic.DeepEqual sees it: absent, empty list and empty map are the same.

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, index) => sameValue(value, b[index]));
  }
  return sameFields(a as Fields, b as Fields);
}

type Fields = { readonly [field: string]: unknown };

function sameFields(a: Fields, b: Fields): boolean {
  for (const field in a) if (!sameValue(a[field], b[field])) return false;
  for (const field in b) if (!(field in a) && !isEmpty(b[field])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _field in value) return false;
  return true;
}
