// Reads the catalog of commands and flags. It is parsed once, at the first use.

import { catalogText } from "./catalog.ts";

export type FlagType =
  | "bool"
  | "tristate"
  | "string"
  | "int"
  | "int32"
  | "int64"
  | "duration"
  | "stringSlice"
  | "stringArray"
  | "stringToString"
  | "mapStringString"
  | "level"
  | "moduleSpec";

export interface FlagInfo {
  readonly name: string;
  /** One letter, or "". */
  readonly shorthand: string;
  readonly type: FlagType;
  /** As help prints it. */
  readonly defaultText: string;
  /** The value when the flag is given without one; undefined when it must have one. */
  readonly bareValue: string | undefined;
  readonly hidden: boolean;
  /** What is printed when a deprecated flag is used; "" when it is not. */
  readonly deprecation: string;
  readonly usage: string;
}

export interface CommandInfo {
  /** Words after `kubectl`: "config view"; "" is kubectl itself. */
  readonly path: string;
  readonly name: string;
  /** What follows the path in the usage line. */
  readonly usage: string;
  readonly short: string;
  readonly long: string;
  readonly example: string;
  readonly aliases: readonly string[];
  readonly suggestFor: readonly string[];
  /** False for mere groups of commands. */
  readonly runnable: boolean;
  /** Own flags, sorted by name; `inherited` ones also belong to the subcommands. */
  readonly flags: readonly FlagInfo[];
  readonly inheritedFlags: readonly FlagInfo[];
}

interface Catalog {
  readonly commands: ReadonlyMap<string, CommandInfo>;
  readonly children: ReadonlyMap<string, readonly CommandInfo[]>;
}

let parsed: Catalog | undefined;

function readFlag(line: string): readonly [string, FlagInfo] {
  const [id = "", shorthand = "", type = "", defaultText = "", bare = "", hidden = "", deprecation = "", usage = ""] =
    line.split("\t");
  const isBool = type === "bool" || type === "tristate";
  return [
    id,
    {
      name: id.replace(/#\d+$/, ""),
      shorthand,
      type: type as FlagType,
      defaultText,
      bareValue: isBool ? "true" : bare === "" ? undefined : bare,
      hidden: hidden === "H",
      deprecation,
      usage: usage.replaceAll("\\n", "\n"),
    },
  ];
}

function readCommand(section: string, flags: ReadonlyMap<string, FlagInfo>): CommandInfo {
  const newline = section.indexOf("\n");
  const path = section.slice(0, newline).trim();
  const parts = new Map<string, string>();
  for (const part of `\n${section.slice(newline + 1)}`.split("\n%").slice(1)) parts.set(part[0] as string, part.slice(1));
  const words = (key: string) => (parts.get(key) ?? "").split(" ").filter((word) => word !== "");
  const named = (ids: readonly string[]) =>
    ids.map((id) => {
      const flag = flags.get(id);
      if (flag === undefined) throw new Error(`the catalog has no flag ${id}`);
      return flag;
    });
  const ids = words("f");
  const inherited = ids.filter((id) => id.endsWith("*")).map((id) => id.slice(0, -1));
  return {
    path,
    name: path.slice(path.lastIndexOf(" ") + 1),
    usage: (parts.get("u") ?? "").slice(1),
    short: (parts.get("s") ?? "").trim(),
    long: (parts.get("l") ?? "").trim(),
    example: (parts.get("e") ?? "").replace(/^\n/, "").trimEnd(),
    aliases: words("a"),
    suggestFor: words("g"),
    runnable: !parts.has("n"),
    flags: named(ids.filter((id) => !id.endsWith("*"))),
    inheritedFlags: named(inherited),
  };
}

function catalog(): Catalog {
  if (parsed !== undefined) return parsed;
  const sections = `\n${catalogText.trimEnd()}`.split("\n%%");
  const flags = new Map((sections[0] as string).trim().split("\n").map(readFlag));
  const commands = new Map<string, CommandInfo>();
  const children = new Map<string, CommandInfo[]>();
  for (const section of sections.slice(1)) {
    const command = readCommand(section, flags);
    commands.set(command.path, command);
    if (command.path === "") continue;
    const parent = command.path.slice(0, -command.name.length).trim();
    children.set(parent, [...(children.get(parent) ?? []), command]);
  }
  parsed = { commands, children };
  return parsed;
}

/** The command at `path` ("config view"), or undefined. */
export function commandAt(path: string): CommandInfo | undefined {
  return catalog().commands.get(path);
}

/** Subcommands by name. */
export function subcommandsOf(path: string): readonly CommandInfo[] {
  return catalog().children.get(path) ?? [];
}

export const helpFlag: FlagInfo = {
  name: "help",
  shorthand: "h",
  type: "bool",
  defaultText: "false",
  bareValue: "true",
  hidden: false,
  deprecation: "",
  usage: "",
};

/** The flags of the commands above `path`, nearest first. */
export function flagsFromAbove(path: string): readonly FlagInfo[] {
  const result: FlagInfo[] = [];
  const words = path.split(" ");
  for (let length = path === "" ? -1 : words.length - 1; length >= 0; length -= 1) {
    result.push(...(commandAt(words.slice(0, length).join(" "))?.inheritedFlags ?? []));
  }
  return result;
}
