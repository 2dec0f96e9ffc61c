import { memoryFigures } from "../toolkit/machine-figures.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

/** The first unit in which it fits: five characters with a digit behind the point, or without one (procps' scale_size). */
function humanSize(kibibytes: number): string {
  if (kibibytes === 0) return "0B";
  let value = kibibytes;
  for (const unit of ["Ki", "Mi", "Gi"]) {
    const shown = [`${value.toFixed(1)}${unit}`, `${Math.floor(value)}${unit}`].find((text) => text.length <= 5);
    if (shown !== undefined) return shown;
    value /= 1024;
  }
  return `${Math.floor(value)}Ti`;
}

export const free: CommandDefinition = {
  name: "free",
  options: "b,bytes k,kibi m,mebi g,gibi h,human w t",
  usage: "free [-bkmgh]",
  *run(tool) {
    const figures = memoryFigures(tool.self);
    const kib = (name: string) => figures.get(name) ?? 0;
    const total = kib("MemTotal");
    const unused = kib("MemFree");
    const cache = kib("Buffers") + kib("Cached");
    const available = figures.get("MemAvailable") ?? unused + cache;
    const shown = (value: number) => {
      if (tool.has("h")) return humanSize(value);
      let factor = 1;
      if (tool.has("b")) factor = 1 / 1024;
      else if (tool.has("m")) factor = 1024;
      else if (tool.has("g")) factor = 1_048_576;
      return String(Math.floor(value / factor));
    };
    const row = (label: string, values: readonly number[]) =>
      `${label.padEnd(7)}${values.map((value) => shown(value).padStart(12)).join("")}\n`.replace(/^(.{7}) /u, "$1 ");
    yield* tool.print("               total        used        free      shared  buff/cache   available\n");
    yield* tool.print(`Mem:    ${row("", [total, total - unused - cache, unused, 0, cache, available]).slice(7)}`);
    const [swap, swapFree] = [kib("SwapTotal"), kib("SwapFree")];
    yield* tool.print(`Swap:   ${row("", [swap, swap - swapFree, swapFree]).slice(7)}`);
    return 0;
  },
};
