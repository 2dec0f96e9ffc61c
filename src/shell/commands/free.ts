import { memoryFigures } from "../toolkit/machine-figures.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

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
      if (tool.has("h")) {
        if (value >= 1_048_576) return `${(value / 1_048_576).toFixed(1)}Gi`;
        return value >= 1024 ? `${Math.round(value / 1024)}Mi` : `${value}Ki`;
      }
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
    yield* tool.print(`Swap:   ${row("", [0, 0, 0]).slice(7)}`);
    return 0;
  },
};
