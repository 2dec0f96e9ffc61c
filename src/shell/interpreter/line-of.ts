/** 1-based line of a position. */
export function lineOf(source: string, position: number): number {
  let line = 1;
  for (let i = source.indexOf("\n"); i >= 0 && i < position; i = source.indexOf("\n", i + 1)) line += 1;
  return line;
}
