// How large letters may be on a narrow screen: wide enough for most tables of kubectl, never too small to read.

/** `kubectl get nodes` needs as many. */
const comfortableColumns = 57;
const leastPx = 10.5;

/** The size for a screen on which `columns` fit at `usualPx`. */
export function fittingFontPx(usualPx: number, columns: number): number {
  if (columns >= comfortableColumns || usualPx <= leastPx) return usualPx;
  return Math.max(leastPx, Math.floor((usualPx * columns * 2) / comfortableColumns) / 2);
}
