/** The order of texts by their code units, for sorting: negative, zero or positive. */
export function compareTexts(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
