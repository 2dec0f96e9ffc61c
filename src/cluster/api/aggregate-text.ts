// Several errors as one text, in the way of Go's Aggregate.

/** The only one, or `[one, another]`; each text once. */
export function aggregateText(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(", ")}]`;
}
