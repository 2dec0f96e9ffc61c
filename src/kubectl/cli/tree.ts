// The order and grouping of kubectl's commands, and how the words of a command line lead to one.

import { asciiLowerCase } from "#sim/ascii.ts";
import { type CommandInfo, commandAt, type FlagInfo, flagsFromAbove, helpFlag, subcommandsOf } from "../help/catalog-reader.ts";

/** The groups of `kubectl --help`, in order. */
export const groups: readonly { readonly title: string; readonly names: string }[] = [
  { title: "Basic Commands (Beginner):", names: "create expose run set" },
  { title: "Basic Commands (Intermediate):", names: "explain get edit delete" },
  { title: "Deploy Commands:", names: "rollout scale autoscale" },
  { title: "Cluster Management Commands:", names: "certificate cluster-info top cordon uncordon drain taint" },
  {
    title: "Troubleshooting and Debugging Commands:",
    names: "describe logs attach exec port-forward proxy cp auth debug events",
  },
  { title: "Advanced Commands:", names: "diff apply patch replace wait kustomize" },
  { title: "Settings Commands:", names: "label annotate completion" },
  { title: "Subcommands provided by plugins:", names: "" },
  { title: "Other Commands:", names: "api-resources api-versions config kuberc plugin version" },
];

/** Top-level commands in the order in which kubectl registers them: suggestions keep it. */
const registered = `${groups
  .slice(0, 7)
  .map((group) => group.names)
  .join(" ")} config plugin version api-versions api-resources options kuberc`.split(" ");

export interface Found {
  readonly command: CommandInfo;
  /** The command line without the words that name the command. */
  readonly argv: readonly string[];
}

/** Flags that a command understands: its own, then those from above. */
export function flagsOf(command: CommandInfo): readonly FlagInfo[] {
  return [...command.flags, ...command.inheritedFlags, ...flagsFromAbove(command.path)];
}

/** Does this word swallow the next one? */
function takesValue(flags: readonly FlagInfo[], word: string): boolean {
  if (word.includes("=")) return false;
  const known = [...flags, helpFlag];
  if (word.startsWith("--")) {
    const flag = known.find((info) => info.name === word.slice(2));
    return flag !== undefined && flag.bareValue === undefined;
  }
  const flag = word.length === 2 ? known.find((info) => info.shorthand === word[1]) : undefined;
  return flag !== undefined && flag.bareValue === undefined;
}

/** Position of the first word that is not a flag or a flag's value. */
function firstWord(flags: readonly FlagInfo[], argv: readonly string[]): number | undefined {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] as string;
    if (word === "--") return undefined;
    if (word.startsWith("-") && word !== "-") {
      if (takesValue(flags, word)) index += 1;
      continue;
    }
    if (word !== "") return index;
  }
  return undefined;
}

/** Follows the words of `argv` (without `kubectl`) to the deepest command they name. */
export function findCommand(argv: readonly string[]): Found {
  let command = commandAt("") as CommandInfo;
  let rest = argv;
  for (;;) {
    const children = subcommandsOf(command.path);
    if (children.length === 0) return { command, argv: rest };
    const at = firstWord(flagsOf(command), rest);
    if (at === undefined) return { command, argv: rest };
    const word = rest[at] as string;
    const child = children.find((candidate) => candidate.name === word || candidate.aliases.includes(word));
    if (child === undefined) return { command, argv: rest };
    command = child;
    rest = [...rest.slice(0, at), ...rest.slice(at + 1)];
  }
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      next.push(same ? (row[j - 1] as number) : 1 + Math.min(row[j - 1] as number, row[j] as number, next[j - 1] as number));
    }
    row = next;
  }
  return row[right.length] as number;
}

/** Commands that the learner may have meant. */
export function suggestionsFor(typed: string): readonly string[] {
  const lower = asciiLowerCase(typed);
  return registered.filter((name) => {
    const near = editDistance(lower, name) <= 2 || name.startsWith(lower);
    return near || (commandAt(name)?.suggestFor.some((word) => asciiLowerCase(word) === lower) ?? false);
  });
}
