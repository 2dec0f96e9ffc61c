// swapon(2) and swapoff(2) on a machine. Whether a file is made for it sees whoever calls.

import { SysError } from "#sim/errors.ts";
import { Swap, type SwapArea } from "#sim/process/swap.ts";
import { plain } from "./journal.ts";
import type { Machine } from "./machine.ts";

type SwappingMachine = Pick<Machine, "group" | "journal" | "availableMemoryBytes">;

const pageBytes = 4096;
/** What the first area gets of which nobody says it: each further one is used after those before. */
const firstPriority = -2;

/** Without a priority it is used after all others. Throws EBUSY where it is on. */
export function turnOnSwap({ group, journal }: SwappingMachine, path: string, fileBytes: number, priority?: number): void {
  const { swap } = group;
  const areas = swap?.areas ?? [];
  if (areas.some((area) => area.path === path)) throw new SysError("EBUSY");
  const lowest = Math.min(firstPriority + 1, ...areas.map((area) => area.priority));
  const area: SwapArea = {
    path,
    sizeBytes: Math.floor(fileBytes / pageBytes) * pageBytes - pageBytes,
    priority: priority ?? lowest - 1,
  };
  group.swap = new Swap([...areas, area], swap?.usedBytes);
  const kibibytes = `${area.sizeBytes / 1024}k`;
  journal.write("kernel", plain, `Adding ${kibibytes} swap on ${path}.  Priority:${area.priority} extents:1 across:${kibibytes}`);
}

/** What lies in it comes back into memory. Throws EINVAL where it is not on, ENOMEM where memory has no room. */
export function turnOffSwap(machine: SwappingMachine, path: string): void {
  const { group } = machine;
  const { swap } = group;
  const area = swap?.areas.find((each) => each.path === path);
  if (swap === undefined || area === undefined) throw new SysError("EINVAL");
  const usedBytes = swap.usedOf(area);
  if (usedBytes > machine.availableMemoryBytes) throw new SysError("ENOMEM");
  const others = swap.areas
    .filter((each) => each !== area)
    // Priorities that nobody gave move up behind it.
    .map((each) => (each.priority < area.priority && area.priority < 0 ? { ...each, priority: each.priority + 1 } : each));
  const left = new Swap(others, swap.usedBytes);
  group.swap = left;
  group.swapIn(usedBytes);
  if (others.length === 0) group.swap = undefined;
}
