import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

export const getconf: CommandDefinition = {
  name: "getconf",
  *run(tool) {
    const [name] = tool.operands;
    if (name === undefined) {
      yield* tool.self.write(2, "Usage: getconf [-v specification] variable_name [pathname]\n");
      return 2;
    }
    const value = configuration(tool, name);
    if (value === undefined) {
      yield* tool.self.write(2, `getconf: Unrecognized variable \`${name}'\n`);
      return 2;
    }
    yield* tool.print(`${value}\n`);
    return 0;
  },
};

const fixedConfiguration: { readonly [name: string]: number } = {
  ARG_MAX: 2_097_152,
  CHAR_BIT: 8,
  CLK_TCK: 100,
  HOST_NAME_MAX: 64,
  INT_MAX: 2_147_483_647,
  LONG_BIT: 64,
  NAME_MAX: 255,
  OPEN_MAX: 1024,
  PAGESIZE: 4096,
  PAGE_SIZE: 4096,
  PATH_MAX: 4096,
  PIPE_BUF: 4096,
};

function configuration({ self }: Tool, name: string): number | undefined {
  if (Object.hasOwn(fixedConfiguration, name)) return fixedConfiguration[name];
  if (name === "_NPROCESSORS_ONLN" || name === "_NPROCESSORS_CONF") return self.processors;
  const row = { _PHYS_PAGES: "MemTotal", _AVPHYS_PAGES: "MemFree" }[name];
  if (row === undefined) return undefined;
  const match = new RegExp(`^${row}:\\s+(\\d+)`, "mu").exec(self.readText("/proc/meminfo"));
  return match === null ? undefined : Math.floor(Number(match[1]) / 4);
}
