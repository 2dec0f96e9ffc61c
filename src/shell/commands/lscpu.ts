import type { CommandDefinition } from "../toolkit/tool.ts";

export const lscpu: CommandDefinition = {
  name: "lscpu",
  options: "a b c e=? p=? x y J,json",
  unsupported: "a b c e p x y J",
  *run(tool) {
    const count = tool.self.processors;
    const model = /^model name\s*: (.*)$/mu.exec(tool.self.readText("/proc/cpuinfo"))?.[1] ?? "";
    const rows: readonly (readonly [string, string])[] = [
      ["Architecture", "x86_64"],
      ["CPU op-mode(s)", "32-bit, 64-bit"],
      ["Byte Order", "Little Endian"],
      ["CPU(s)", String(count)],
      ["On-line CPU(s) list", count === 1 ? "0" : `0-${count - 1}`],
      ["Model name", model],
    ];
    for (const [name, value] of rows) yield* tool.print(`${`${name}:`.padEnd(25)}${value}\n`);
    return 0;
  },
};
