// `kubectl __complete`: what the shell's completion asks, in cobra's protocol: candidates (with a tab and a description), then a
// directive line. Failures give no candidates.

import { compareBytes } from "#cluster/api/json-write.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { FlagError, parseFlags } from "../cli/flags.ts";
import { findCommand, flagsOf } from "../cli/tree.ts";
import { groupResource, pathOf } from "../client/discovery.ts";
import { Context } from "../context.ts";
import { arrayAt, textAt } from "../documents.ts";
import type { CommandInfo, FlagInfo } from "../help/catalog-reader.ts";
import { subcommandsOf } from "../help/catalog-reader.ts";

/** cobra's ShellCompDirective: default lets the shell complete file names. */
const directives = { default: [0, "ShellCompDirectiveDefault"], noFiles: [4, "ShellCompDirectiveNoFileComp"] } as const;

interface Answer {
  /** `candidate` or `candidate\tdescription` */
  readonly candidates: readonly string[];
  readonly directive: keyof typeof directives;
  /** The candidates are already those that fit (the value in `--flag=value`). */
  readonly whole?: boolean;
}

const podCommands = new Set(["logs", "exec", "attach", "port-forward"]);
const nodeCommands = new Set(["cordon", "uncordon", "drain"]);
const resourceCommands = new Set(
  "get describe delete edit label annotate patch scale expose wait autoscale set env set image set resources".split(" "),
);
const rolloutTypes = ["daemonset", "deployment", "statefulset"];

const getFormats =
  "json yaml kyaml name go-template go-template-file template templatefile jsonpath jsonpath-as-json jsonpath-file custom-columns custom-columns-file wide".split(
    " ",
  );

function* objectNames(context: Context, type: string): Sys<readonly string[]> {
  const mapping = yield* context.discovery().find(type);
  if (mapping === undefined) return [];
  const all = context.flags.has("all-namespaces") && context.flags.bool("all-namespaces");
  const namespace = all ? "" : context.namespace().name;
  const list = yield* context.client().json({ method: "GET", path: pathOf(mapping, mapping.namespaced ? namespace : "") });
  return arrayAt(list, "items").map((item) => textAt(item, "metadata", "name"));
}

function* typeNames(context: Context): Sys<readonly string[]> {
  const { groups, resources } = yield* context.discovery().fetch();
  const preferred = resources.filter(
    (resource) => groups.find((group) => group.name === resource.group)?.versions[0] === resource.version,
  );
  return preferred
    .filter((resource) => resource.verbs.includes("get"))
    .sort((a, b) => compareBytes(a.group, b.group) || compareBytes(a.plural, b.plural))
    .map(groupResource);
}

function* flagValues(context: Context, flag: FlagInfo): Sys<Answer> {
  const config = context.kubeConfig();
  const of = (candidates: Iterable<string>): Answer => ({ candidates: [...candidates].sort(), directive: "noFiles" });
  switch (flag.name) {
    case "namespace":
      return of(yield* objectNames(context, "namespaces"));
    case "context":
      return of(config.contexts.keys());
    case "cluster":
      return of(config.clusters.keys());
    case "user":
      return of(config.users.keys());
    case "output":
      return context.command.path === "get"
        ? { candidates: getFormats, directive: "noFiles" }
        : { candidates: [], directive: "default" };
    case "container":
      return of(yield* containersOf(context));
    default:
      return { candidates: [], directive: "default" };
  }
}

function* containersOf(context: Context): Sys<readonly string[]> {
  const name = (context.args[0] ?? "").replace(/^pods?\//, "");
  if (name === "") return [];
  const path = `/api/v1/namespaces/${context.namespace().name}/pods/${name}`;
  const pod = yield* context.client().json({ method: "GET", path });
  return ["initContainers", "containers"].flatMap((field) => arrayAt(pod, "spec", field)).map((item) => textAt(item, "name"));
}

function* argumentValues(context: Context, word: string): Sys<readonly string[]> {
  const { path } = context.command;
  const { args } = context;
  if (/^config (use|delete|rename|get|set)-contexts?$/.test(path))
    return args.length > 0 ? [] : [...context.kubeConfig().contexts.keys()].sort();
  if (path === "config delete-cluster" || path === "config set-cluster") return [...context.kubeConfig().clusters.keys()].sort();
  if (path === "config delete-user" || path === "config set-credentials") return [...context.kubeConfig().users.keys()].sort();
  if (nodeCommands.has(path)) return (yield* objectNames(context, "nodes")).filter((name) => !args.includes(name));
  if (path === "taint" && args.length === 0) return ["node"];
  const slash = word.indexOf("/");
  if (slash > 0) return (yield* objectNames(context, word.slice(0, slash))).map((name) => `${word.slice(0, slash)}/${name}`);
  if (podCommands.has(path)) return args.length > 0 ? [] : yield* objectNames(context, "pods");
  if (path === "explain") return args.length > 0 ? [] : yield* typeNames(context);
  const isRollout = path.startsWith("rollout ");
  if (!isRollout && !resourceCommands.has(path) && path !== "taint") return [];
  const [type] = args;
  if (type === undefined) return isRollout ? rolloutTypes : yield* typeNames(context);
  if (type.includes("/")) return [];
  return (yield* objectNames(context, type)).filter((name) => !args.includes(name));
}

function withDescriptions(commands: readonly CommandInfo[]): readonly string[] {
  return commands
    .filter((command) => command.path !== "alpha" && command.path !== "options")
    .map((command) => `${command.name}\t${command.short}`);
}

/** The flag that waits for its value as the last word but one. */
function openFlag(flags: readonly FlagInfo[], previous: string | undefined): FlagInfo | undefined {
  if (previous === undefined || !previous.startsWith("-") || previous.includes("=")) return undefined;
  const flag = previous.startsWith("--")
    ? flags.find((info) => info.name === previous.slice(2))
    : flags.find((info) => info.shorthand === previous.at(-1));
  return flag !== undefined && flag.bareValue === undefined ? flag : undefined;
}

function* answer(self: Process, before: readonly string[], word: string): Sys<Answer> {
  const { command, argv } = findCommand(before);
  const flags = flagsOf(command);
  const open = openFlag(flags, argv.at(-1));
  const line = parseFlags(flags, open === undefined ? argv : argv.slice(0, -1));
  const context = new Context(self, command, line);
  const inline = /^--([^=]+)=/.exec(word);
  if (open !== undefined) return yield* flagValues(context, open);
  if (inline !== null) {
    const flag = flags.find((info) => info.name === inline[1]);
    if (flag === undefined) return { candidates: [], directive: "noFiles" };
    const values = yield* flagValues(context, flag);
    const typed = word.slice(inline[0].length);
    return { ...values, candidates: values.candidates.filter((value) => value.startsWith(typed)), whole: true };
  }
  if (word.startsWith("-")) {
    const shown = flags.filter((flag) => !flag.hidden).map((flag) => `--${flag.name}\t${flag.usage.split("\n")[0] ?? ""}`);
    return { candidates: [...new Set(shown)].sort(), directive: "noFiles" };
  }
  const children = subcommandsOf(command.path);
  if (children.length > 0 && line.args.length === 0) return { candidates: withDescriptions(children), directive: "noFiles" };
  return { candidates: yield* argumentValues(context, word), directive: "noFiles" };
}

/** Answers `kubectl __complete <words…>`; the last word is the one being typed. */
export function* complete(self: Process, words: readonly string[], descriptions: boolean): Sys<void> {
  const word = words.at(-1) ?? "";
  let found: Answer = { candidates: [], directive: "noFiles" };
  try {
    found = yield* answer(self, words.slice(0, -1), word);
  } catch (error) {
    // A server that does not answer completes nothing; an interrupt still ends the program.
    if (!isOwnError(error) || (error instanceof SysError && error.code === "EINTR")) throw error;
    if (error instanceof FlagError) found = { candidates: [], directive: "default" };
  }
  const matching = found.whole === true ? found.candidates : found.candidates.filter((candidate) => candidate.startsWith(word));
  const [code, name] = directives[found.directive];
  const lines = matching.map((candidate) => `${descriptions ? candidate : (candidate.split("\t")[0] ?? "")}\n`);
  yield* self.write(1, `${lines.join("")}:${code}\n`);
  yield* self.write(2, `Completion ended with directive: ${name}\n`);
}
