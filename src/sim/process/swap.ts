// Swap of a machine: files on its disk that take memory of processes when there is too little of it, or when a control group is at its limit.

export interface SwapArea {
  readonly path: string;
  /** What can be kept there: without the page in which its header is. */
  readonly sizeBytes: number;
  /** The higher, the earlier it is used. */
  readonly priority: number;
}

/** What is turned on of it; a machine without any has none of these. */
export class Swap {
  /** In the order of use. */
  readonly areas: readonly SwapArea[];
  /** In all areas together: the first is filled first. */
  usedBytes = 0;

  constructor(areas: readonly SwapArea[], usedBytes = 0) {
    this.areas = [...areas].sort((a, b) => b.priority - a.priority);
    this.usedBytes = usedBytes;
  }

  get totalBytes(): number {
    return this.areas.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  get freeBytes(): number {
    return this.totalBytes - this.usedBytes;
  }

  usedOf(area: SwapArea): number {
    let before = 0;
    for (const each of this.areas) {
      if (each === area) break;
      before += each.sizeBytes;
    }
    return Math.min(area.sizeBytes, Math.max(0, this.usedBytes - before));
  }
}

/** /proc/swaps: columns as the kernel sets them, sizes in KiB. */
export function swapsText(swap: Swap | undefined): string {
  let text = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
  for (const area of swap?.areas ?? []) {
    const [size, used] = [area.sizeBytes, swap?.usedOf(area) ?? 0].map((bytes) => Math.floor(bytes / 1024)) as [number, number];
    const tabs = (kibibytes: number): string => (kibibytes < 10_000_000 ? "\t\t" : "\t");
    text += `${area.path.padEnd(39)} file\t\t${size}${tabs(size)}${used}${tabs(used)}${area.priority}\n`;
  }
  return text;
}
