// Reads the catalog of commands and flags. It is parsed once, at the first use, and again when the long texts have come.

import { catalogText } from "./generated/catalog.ts";

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
  | "Level"
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
let longTexts: LongTexts | undefined;

/** What `texts.ts` holds: usages by flag identifier, sections by command path. */
interface LongTexts {
  readonly usages: ReadonlyMap<string, string>;
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Hands over the text of `texts.ts`; without it commands work, but there is no help. */
export function provideHelpTexts(text: string): void {
  const sections = `\n${text.trimEnd()}`.split("\n%%");
  const usages = (sections[0] as string)
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)] as const);
  longTexts = { usages: new Map(usages), sections: new Map(sections.slice(1).map(readSection)) };
  parsed = undefined;
}

export function hasHelpTexts(): boolean {
  return longTexts !== undefined;
}

/** The path of a section and its parts by letter. */
function readSection(section: string): readonly [string, ReadonlyMap<string, string>] {
  const newline = section.indexOf("\n");
  const end = newline < 0 ? section.length : newline;
  const parts = `\n${section.slice(end + 1)}`.split("\n%").slice(1);
  return [section.slice(0, end).trim(), new Map(parts.map((part) => [part[0] as string, part.slice(1)]))];
}

function readFlag(line: string): readonly [string, FlagInfo] {
  const [id = "", shorthand = "", type = "", defaultText = "", bare = "", hidden = "", deprecation = ""] = line.split("\t");
  const usage = longTexts?.usages.get(id) ?? "";
  const isBool = type === "bool" || type === "tristate";
  return [
    id,
    {
      name: id.replace(/#\d+$/, ""),
      shorthand,
      type: type as FlagType,
      defaultText,
      bareValue: (isBool ? "true" : bare) || undefined,
      hidden: hidden === "H",
      deprecation,
      usage: usage.replaceAll("\\n", "\n"),
    },
  ];
}

function readCommand(section: string, flags: ReadonlyMap<string, FlagInfo>): CommandInfo {
  const [path, parts] = readSection(section);
  const long = longTexts?.sections.get(path);
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
    long: (long?.get("l") ?? "").trim(),
    example: (long?.get("e") ?? "").replace(/^\n/, "").trimEnd(),
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
