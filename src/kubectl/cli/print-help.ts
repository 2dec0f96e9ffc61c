// Prints help, wrapped at the terminal's width.

import type { Process, Sys } from "#sim/program.ts";
import { homeOf } from "../config/kubeconfig.ts";
import { KubectlError } from "../errors.ts";
import { type CommandInfo, hasHelpTexts } from "../help/catalog-reader.ts";
import { type HelpSurroundings, helpText, optionsText, usageText } from "./help-text.ts";
import { wrapWidth } from "./wrap.ts";

function surroundings(self: Process, fd: number): HelpSurroundings {
  const width = self.isTty(fd) ? wrapWidth(self.terminal(fd).columns) : undefined;
  return { home: homeOf(self), width };
}

/** Writes a command's help to a descriptor; with `usageOnly` without its description. */
export function* printHelp(self: Process, command: CommandInfo, fd: number, usageOnly = false): Sys<void> {
  if (!hasHelpTexts()) throw new KubectlError("the help texts of kubectl are still being loaded; try again in a moment");
  const around = surroundings(self, fd);
  yield* self.write(fd, usageOnly ? usageText(command, around) : wholeText(command, around));
}

function wholeText(command: CommandInfo, around: HelpSurroundings): string {
  return command.path === "options" ? optionsText(around) : helpText(command, around);
}
