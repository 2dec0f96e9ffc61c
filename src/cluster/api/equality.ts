// Equality of wire values, a hash of texts, and deep freezing for tests.

/** Whether two values are the same JSON; a field that is undefined is not there. Shared parts cost nothing. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index += 1) if (!deepEqual(a[index], b[index])) return false;
    return true;
  }
  return !Array.isArray(b) && equalObjects(a as Record, b as Record, deepEqual);
}

type Record = { readonly [key: string]: unknown };

function equalObjects(a: Record, b: Record, equal: (a: unknown, b: unknown) => boolean): boolean {
  let count = 0;
  for (const key in a) {
    const left = a[key];
    if (left === undefined) continue;
    count += 1;
    const right = b[key];
    if (right === undefined || (left !== right && !equal(left, right))) return false;
  }
  for (const key in b) if (b[key] !== undefined) count -= 1;
  return count === 0;
}

/**
 * Equality as apimachinery's equality.Semantic sees it: absent, null and empty lists and maps are the same. Quantities are
 * compared as texts: stored ones are canonical.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || a === null) return isNothing(b);
  if (b === undefined || b === null) return isNothing(a);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (!Array.isArray(a) && !Array.isArray(b)) return semanticallyEqualObjects(a as Record, b as Record);
  if (!Array.isArray(a) || !Array.isArray(b)) return isNothing(a) && isNothing(b);
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (!semanticDeepEqual(a[index], b[index])) return false;
  return true;
}

function semanticallyEqualObjects(left: Record, right: Record): boolean {
  for (const key in left) {
    const own = left[key];
    const other = right[key];
    if (own !== other && !semanticDeepEqual(own, other)) return false;
  }
  for (const key in right) if (left[key] === undefined && !isNothing(right[key])) return false;
  return true;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object") return false;
  for (const key in value) if ((value as Record)[key] !== undefined) return false;
  return true;
}

/** FNV-1a, 32 bits, over the UTF-16 units of a text. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** Freezes a value and all that it holds, for tests that prove that nobody writes to it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
