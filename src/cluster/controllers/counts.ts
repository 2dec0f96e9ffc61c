// Counts of a status.

/** Counts that are 0 are left out, as the API writes them. */
export function positive<T extends { readonly [field: string]: number }>(counts: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const field in counts) if (counts[field] !== 0) kept[field] = counts[field];
  return kept;
}
