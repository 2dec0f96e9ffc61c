// Prints help, wrapped at the terminal's width.

import type { Process, Sys } from "#sim/program.ts";
import { homeOf } from "../config/kubeconfig.ts";
import type { CommandInfo } from "../help/catalog-reader.ts";
import { type HelpSurroundings, helpText, optionsText } from "./help-text.ts";
import { wrapWidth } from "./wrap.ts";

function surroundings(self: Process, fd: number): HelpSurroundings {
  const width = self.isTty(fd) ? wrapWidth(self.terminal(fd).columns) : undefined;
  return { home: homeOf(self), width };
}

/** Writes a command's help to a descriptor. */
export function* printHelp(self: Process, command: CommandInfo, fd: number): Sys<void> {
  const text = command.path === "options" ? optionsText(surroundings(self, fd)) : helpText(command, surroundings(self, fd));
  yield* self.write(fd, text);
}
