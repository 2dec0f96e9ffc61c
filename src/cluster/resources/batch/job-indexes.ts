// Lists of indexes of Indexed Jobs as text, `0,2-4,7` (pkg/apis/batch/validation: validateIndexesFormat).

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** How many indexes a list names, or what is wrong with it. */
export type IndexCount = { readonly total: number } | { readonly fault: string };

/** Indexes are below `completions` and ascend. */
export function countIndexes(text: string, completions: number): IndexCount {
  if (text === "") return { total: 0 };
  let total = 0;
  let previous: number | undefined;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return { fault: interval };
    if (previous !== undefined && previous >= interval.first) return { fault: notIncreasing(previous, interval.first) };
    total += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return { total };
}

/** The first index that both lists name; intervals that cannot be read are passed over. */
export function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  if (completed === "" || failed === "") return undefined;
  const [left, right] = [readable(completed, completions), readable(failed, completions)];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [left[i], right[j]];
    if (a === undefined || b === undefined) return undefined;
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) i += 1;
    else j += 1;
  }
}

function readable(text: string, completions: number): readonly Interval[] {
  return text
    .split(",")
    .map((part) => parseInterval(part, completions))
    .filter((interval) => typeof interval !== "string");
}

/** The interval, or the text of its fault. */
function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split("-");
  if (limits.length > 2) {
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^\+?[0-9]+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length === 2 && first >= last) return notIncreasing(first, last);
  return { first, last };
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
