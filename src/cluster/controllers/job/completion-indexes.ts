// Indexes of an Indexed Job as sets, and as the text that status keeps: `0,2-4`.

/** Indexes below `completions`; what cannot be read is left out. */
export function parseIndexes(text: string | undefined, completions: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) continue;
    for (let index = Number(first); index <= Math.min(Number(last), completions - 1); index += 1) found.add(index);
  }
  return found;
}

/** Ascending; two neighbours stand apart, three and more become a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  const sorted = [...indexes].sort((a, b) => a - b);
  for (let start = 0, end = 0; start < sorted.length; start = end + 1) {
    end = start;
    while (sorted[end + 1] === (sorted[end] as number) + 1) end += 1;
    const [first, last] = [sorted[start] as number, sorted[end] as number];
    if (first === last) parts.push(String(first));
    else parts.push(last === first + 1 ? `${first},${last}` : `${first}-${last}`);
  }
  return parts.join(",");
}
