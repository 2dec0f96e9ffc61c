// Help texts, in the layout of kubectl's templates.

import { compareBytes } from "#cluster/api/json-write.ts";
import { type CommandInfo, commandAt, type FlagInfo, subcommandsOf } from "../help/catalog-reader.ts";
import { groups } from "./tree.ts";
import { wrapText } from "./wrap.ts";

/** `home` stands in for `~` in defaults; `width` is the wrapping width on a terminal. */
export interface HelpSurroundings {
  readonly home: string;
  readonly width: number | undefined;
}

/** How far usage texts of flags are indented, as far as wrapping counts it. */
const usageIndent = 10;

function flagText(flag: FlagInfo, surroundings: HelpSurroundings): string {
  const quote = flag.type === "string" ? "'" : "";
  const value = flag.defaultText.startsWith("~/") ? surroundings.home + flag.defaultText.slice(1) : flag.defaultText;
  const head = `    ${flag.shorthand === "" ? "" : `-${flag.shorthand}, `}--${flag.name}=${quote}${value}${quote}:`;
  const oneLine = flag.usage.replaceAll("\n", " ");
  const usage = surroundings.width === undefined ? oneLine : wrapText(oneLine, surroundings.width - usageIndent);
  return `${head}\n\t${usage.replaceAll("\n", "\n\t")}\n\n`;
}

function flagsText(flags: readonly FlagInfo[], surroundings: HelpSurroundings): string {
  return [...flags]
    .filter((flag) => !flag.hidden)
    .sort((a, b) => compareBytes(a.name, b.name))
    .map((flag) => flagText(flag, surroundings))
    .join("");
}

function commandList(title: string, commands: readonly CommandInfo[], padding: number): string {
  return [title, ...commands.map((command) => `  ${command.name.padEnd(padding)}   ${command.short}`)].join("\n");
}

function subcommandsText(command: CommandInfo): string {
  const children = subcommandsOf(command.path).filter((child) => child.name !== "options" && child.path !== "alpha");
  if (children.length === 0) return "";
  const padding = Math.max(11, ...children.map((child) => child.name.length));
  if (command.path !== "") return `${commandList("Available Commands:", children, padding)}\n\n`;
  return `${groups
    .map((group) => {
      const names = group.names.split(" ").filter((name) => name !== "");
      return commandList(
        group.title,
        names.map((name) => commandAt(name) as CommandInfo),
        padding,
      );
    })
    .join("\n\n")}\n\n`;
}

/** The text after the description. */
export function usageText(command: CommandInfo, surroundings: HelpSurroundings): string {
  const full = `kubectl ${command.path}`.trim();
  let text = "\n\n";
  if (command.aliases.length > 0) text += `Aliases:\n${[command.name, ...command.aliases].join(", ")}\n\n`;
  if (command.example !== "") text += `Examples:\n${command.example}\n\n`;
  text += subcommandsText(command);
  const flags = command.flags.filter((flag) => !flag.hidden);
  if (flags.length > 0) text += `Options:\n${flagsText(flags, surroundings).trimEnd()}\n\n`;
  if (command.runnable && (command.path !== "" || command.usage !== "")) {
    const line = command.usage === "" ? full : `${full} ${command.usage}`;
    text += `Usage:\n  ${line.includes("[options]") ? line : `${line} [options]`}\n\n`;
  }
  if (subcommandsOf(command.path).length > 0) {
    text += `Use "${full} <command> --help" for more information about a given command.\n`;
  }
  if (command.runnable) text += `Use "kubectl options" for a list of global command-line options (applies to all commands).\n`;
  return text;
}

function wrapped(text: string, surroundings: HelpSurroundings): string {
  return surroundings.width === undefined ? text : wrapText(text, surroundings.width);
}

/** What `kubectl <command> --help` prints. */
export function helpText(command: CommandInfo, surroundings: HelpSurroundings): string {
  const description = command.long === "" ? command.short : command.long;
  return wrapped(description + usageText(command, surroundings), surroundings);
}

/** What `kubectl options` prints. */
export function optionsText(surroundings: HelpSurroundings): string {
  const root = commandAt("") as CommandInfo;
  const text = `The following options can be passed to any command:\n\n${flagsText(root.inheritedFlags, surroundings)}`;
  return wrapped(text, surroundings);
}
