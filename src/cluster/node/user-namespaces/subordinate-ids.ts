// /etc/subuid and /etc/subgid: `name or number:first:count` a line (subuid(5)).

export interface SubordinateRange {
  readonly start: number;
  readonly count: number;
}

/** Those of a user, in the order of the file. Lines that are none are passed over. */
export function subordinateRanges(text: string, name: string, uid: string | undefined): readonly SubordinateRange[] {
  const ranges: SubordinateRange[] = [];
  for (const line of text.split("\n")) {
    const [owner, start = "", count = "", ...more] = line.split(":");
    const isOwn = owner === name || (uid !== undefined && owner === uid);
    if (!isOwn || more.length > 0 || !/^\d+$/u.test(start) || !/^\d+$/u.test(count)) continue;
    ranges.push({ start: Number(start), count: Number(count) });
  }
  return ranges;
}
