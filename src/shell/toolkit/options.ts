// Options as getopt reads them.

import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

interface OptionForm {
  readonly name: string;
  readonly argument: "none" | "required" | "optional";
}

/** By what commands say of their options: there are as many as commands. */
const knownForms = new Map<string, ReadonlyMap<string, OptionForm>>();

function formsOf(spec: string): ReadonlyMap<string, OptionForm> {
  let forms = knownForms.get(spec);
  if (forms === undefined) {
    forms = readForms(spec);
    knownForms.set(spec, forms);
  }
  return forms;
}

function readForms(spec: string): ReadonlyMap<string, OptionForm> {
  const forms = new Map<string, OptionForm>();
  for (const entry of spec.split(" ")) {
    if (entry === "") continue;
    let argument: OptionForm["argument"] = "none";
    if (entry.endsWith("=?")) argument = "optional";
    else if (entry.endsWith("=")) argument = "required";
    const names = entry.replace(/=\??$/u, "").split(",");
    for (const name of names) forms.set(name, { name: names[0] as string, argument });
  }
  return forms;
}

/**
 * Sorts a command line (without the name) into `tool.given` and `tool.operands`. Long names may be cut short, letters stand
 * together, `--` ends the options. Throws UsageFailure for what the command does not know, ToolFailure for what it refuses.
 */
export function parseOptions(tool: Tool, definition: CommandDefinition, args: readonly string[]): void {
  const forms = formsOf(definition.options ?? "");
  const given: [string, string][] = [];
  const operands: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] as string;
    if (word === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (word.startsWith("--")) {
      const at = word.indexOf("=");
      const wanted = word.slice(2, at < 0 ? undefined : at);
      const exact = forms.get(wanted);
      const matches =
        exact !== undefined && wanted.length > 1
          ? [wanted]
          : [...forms.keys()].filter((name) => name.length > 1 && name.startsWith(wanted));
      const form = matches.length === 1 ? forms.get(matches[0] as string) : undefined;
      if (form === undefined)
        throw new UsageFailure(matches.length > 1 ? `option '${word}' is ambiguous` : `unrecognized option '${word}'`);
      if (form.argument === "none" && at >= 0) throw new UsageFailure(`option '--${matches[0]}' doesn't allow an argument`);
      if (form.argument === "required" && at < 0 && i + 1 >= args.length)
        throw new UsageFailure(`option '--${matches[0]}' requires an argument`);
      if (at >= 0) given.push([form.name, word.slice(at + 1)]);
      else given.push([form.name, form.argument === "required" ? (args[++i] as string) : ""]);
      continue;
    }
    if (definition.numberOption !== undefined && /^-\d+$/u.test(word)) {
      given.push([definition.numberOption, word.slice(1)]);
      continue;
    }
    if (!word.startsWith("-") || word === "-") {
      if (definition.inOrder === true) {
        operands.push(...args.slice(i));
        break;
      }
      operands.push(word);
      continue;
    }
    for (let j = 1; j < word.length; j += 1) {
      const letter = word[j] as string;
      const form = forms.get(letter);
      if (form === undefined) throw new UsageFailure(`invalid option -- '${letter}'`);
      if (form.argument === "none") {
        given.push([form.name, ""]);
        continue;
      }
      const rest = word.slice(j + 1);
      if (rest === "" && form.argument === "required" && i + 1 >= args.length)
        throw new UsageFailure(`option requires an argument -- '${letter}'`);
      given.push([form.name, rest !== "" || form.argument === "optional" ? rest : (args[++i] as string)]);
      break;
    }
  }
  const refused = given.find(([name]) => definition.unsupported?.split(" ").includes(name));
  if (refused !== undefined) throw new ToolFailure(`option -${refused[0]} is not supported here`, definition.usageStatus ?? 1);
  tool.given = given;
  tool.operands = operands;
}
