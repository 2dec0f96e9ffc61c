// From a command's declaration to a program of a flavour.

import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { parseOptions } from "./options.ts";
import { type CommandDefinition, type Flavour, inLocale, Tool, ToolFailure, UsageFailure } from "./tool.ts";

/** The program of a command in a flavour. */
export function toolProgram(definition: CommandDefinition, flavour: Flavour): Program {
  return (self) => runTool(self, definition, flavour, self.argv);
}

/** Runs a command with a command line (its own name first), in the calling process; returns the exit status. */
export function* runTool(self: Process, definition: CommandDefinition, flavour: Flavour, argv: readonly string[]): Sys<number> {
  const tool = new Tool(self, definition.name, flavour);
  try {
    if (definition.options !== undefined) {
      if (argv[1] === "--help" && argv.length === 2) {
        yield* self.write(1, flavour === "busybox" ? usageText(definition) : `Usage: ${definition.usage ?? definition.name}\n`);
        return 0;
      }
      parseOptions(tool, definition, argv.slice(1));
    } else tool.operands = argv.slice(1);
    const status = yield* definition.run(tool);
    yield* tool.flush();
    return status === 0 ? tool.status : status;
  } catch (error) {
    if (error instanceof UsageFailure) {
      yield* tool.flush();
      const hint = flavour === "busybox" ? usageText(definition) : `Try '${definition.name} --help' for more information.\n`;
      yield* self.write(2, inLocale(self, `${error.message === "" ? "" : `${definition.name}: ${error.message}\n`}${hint}`));
      return definition.usageStatus ?? error.status;
    }
    if (error instanceof ToolFailure) {
      yield* tool.flush();
      if (error.message !== "") yield* self.write(2, inLocale(self, `${definition.name}: ${error.message}\n`));
      return error.status;
    }
    if (error instanceof SysError && error.code !== "EPIPE") {
      yield* self.write(2, `${definition.name}: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

export const busyboxVersion = "BusyBox v1.37.0 (2024-09-26 21:31:42 UTC) multi-call binary.";

function usageText(definition: CommandDefinition): string {
  return `${busyboxVersion}\n\nUsage: ${definition.usage ?? `${definition.name} [OPTIONS]`}\n`;
}
