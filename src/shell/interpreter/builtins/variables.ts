// export, declare, local, readonly, unset.

import type { Sys } from "#sim/program.ts";
import { doubleQuote } from "../../text/quote.ts";
import { ExpansionError } from "../control.ts";
import { assign, declarationOf, indexKey } from "../parameter.ts";
import type { Shell } from "../shell.ts";
import { isName, type Variable } from "../variables.ts";
import { type Builtin, readBuiltinOptions } from "./builtin.ts";
import { functionText } from "./lookup.ts";

interface Declaration {
  readonly name: string;
  readonly index: string | undefined;
  readonly append: boolean;
  readonly value: string | undefined;
}

function readDeclaration(word: string): Declaration | undefined {
  const match = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(?:(\+?)=([\s\S]*))?$/u.exec(word);
  if (match === null) return undefined;
  return { name: match[1] as string, index: match[2], append: match[3] === "+", value: match[4] };
}

function* refuseName(shell: Shell, command: string, word: string): Sys<number> {
  yield* shell.complain(shell.bash ? `${command}: \`${word}': not a valid identifier` : `${command}: ${word}: bad variable name`);
  if (!shell.bash) throw new ExpansionError("", true, 2);
  return 1;
}

function attribute(variable: Variable, letters: ReadonlyMap<string, string>, on: boolean): void {
  if (letters.has("x")) variable.exported = on;
  if (letters.has("r") && on) variable.readonly = true;
  if (letters.has("i")) variable.integer = on;
  if (letters.has("u")) variable.letters = on ? "upper" : undefined;
  if (letters.has("l")) variable.letters = on ? "lower" : undefined;
  if (letters.has("n")) variable.reference = on;
  if (on && letters.has("A")) variable.kind = "associative";
  if (on && letters.has("a") && variable.kind === "scalar") {
    variable.kind = "indexed";
    if (variable.value !== undefined) variable.elements.set("0", variable.value);
  }
}

function* declareWith(shell: Shell, command: string, args: readonly string[], local: boolean): Sys<number> {
  const off = args[0]?.startsWith("+") === true;
  const normal = off ? [`-${(args[0] as string).slice(1)}`, ...args.slice(1)] : args;
  const { letters, operands, refused } = readBuiltinOptions(normal, "aAfFgiIlnprtux");
  if (refused !== undefined) {
    yield* shell.complain(`${command}: ${refused}: invalid option`);
    yield* shell.writeError(
      `${command}: usage: ${command} [-aAfFgiIlnrtux] [name[=value] ...] or ${command} -p [-aAfFilnrtux] [name ...]\n`,
    );
    return 2;
  }
  if (letters.has("f") || letters.has("F")) return yield* showFunctions(shell, operands, letters.has("F"));
  if (letters.has("p") || operands.length === 0) return yield* showVariables(shell, command, operands, letters);
  let status = 0;
  for (const word of operands) {
    const declaration = readDeclaration(word);
    if (declaration === undefined) {
      status = yield* refuseName(shell, command, word);
      continue;
    }
    const { name, index, append, value } = declaration;
    const outer = shell.variables.lookup(name);
    const variable = local && !letters.has("g") ? shell.variables.ensureLocal(name) : shell.variables.ensure(name);
    if (variable.readonly && value !== undefined) {
      yield* shell.complain(`${command}: ${name}: readonly variable`);
      status = 1;
      continue;
    }
    const late = new Map([...letters].filter(([letter]) => letter === "r" || letter === "n"));
    attribute(variable, new Map([...letters].filter(([letter]) => !late.has(letter))), !off);
    if (local && variable !== outer && append && outer?.value !== undefined) variable.value = outer.value;
    if (value !== undefined) assign(shell, name, index, value, append);
    attribute(variable, late, !off);
  }
  return status;
}

function* showFunctions(shell: Shell, names: readonly string[], namesOnly: boolean): Sys<number> {
  let status = 0;
  for (const name of names.length === 0 ? [...shell.functions.keys()].sort() : names) {
    if (!shell.functions.has(name)) status = 1;
    else if (namesOnly) yield* shell.print(names.length === 0 ? `declare -f ${name}\n` : `${name}\n`);
    else yield* shell.print(`${functionText(shell, name)}\n`);
  }
  return status;
}

function* showVariables(
  shell: Shell,
  command: string,
  names: readonly string[],
  letters: ReadonlyMap<string, string>,
): Sys<number> {
  let status = 0;
  for (const name of names.length === 0 ? shell.variables.names() : names) {
    const variable = shell.variables.lookup(name);
    if (variable === undefined) {
      yield* shell.complain(`${command}: ${name}: not found`);
      status = 1;
      continue;
    }
    if (names.length === 0) {
      if (letters.has("x") && !variable.exported) continue;
      if (letters.has("r") && !variable.readonly) continue;
      if (letters.has("a") && variable.kind !== "indexed") continue;
      if (letters.has("A") && variable.kind !== "associative") continue;
    }
    yield* shell.print(`${declarationOf(name, variable)}\n`);
  }
  return status;
}

const exportVariables: Builtin = function* (shell, args) {
  const { letters, operands, refused } = readBuiltinOptions(args, "fnp");
  if (refused !== undefined) {
    yield* shell.complain(`export: ${refused}: invalid option`);
    yield* shell.writeError("export: usage: export [-fn] [name[=value] ...] or export -p\n");
    return 2;
  }
  if (operands.length === 0) {
    for (const name of shell.variables.names()) {
      const variable = shell.variables.lookup(name);
      if (variable?.exported !== true) continue;
      if (shell.bash) yield* shell.print(`${declarationOf(name, variable)}\n`);
      else
        yield* shell.print(
          `export ${name}${variable.value === undefined ? "" : `=${doubleQuote(variable.value).replace(/^"|"$/gu, "'")}`}\n`,
        );
    }
    return 0;
  }
  let status = 0;
  for (const word of operands) {
    if (letters.has("f")) continue;
    const declaration = readDeclaration(word);
    if (declaration === undefined) {
      status = yield* refuseName(shell, "export", word);
      continue;
    }
    if (declaration.value !== undefined) assign(shell, declaration.name, undefined, declaration.value, declaration.append);
    shell.variables.ensure(declaration.name).exported = !letters.has("n");
  }
  return status;
};

const unset: Builtin = function* (shell, args) {
  const { letters, operands } = readBuiltinOptions(args, "fvn");
  let status = 0;
  for (const word of operands) {
    const element = /^([A-Za-z_]\w*)\[(.+)\]$/u.exec(word);
    const name = element?.[1] ?? word;
    if (letters.has("f")) {
      shell.functions.delete(name);
      continue;
    }
    if (!isName(name)) {
      if (letters.has("v") || !shell.functions.delete(name)) status = yield* refuseName(shell, "unset", word);
      continue;
    }
    const variable = shell.variables.lookup(name);
    if (variable?.readonly === true) {
      yield* shell.complain(`unset: ${name}: cannot unset: readonly variable`);
      status = 1;
    } else if (element !== null && variable !== undefined)
      variable.elements.delete(indexKey(shell, name, variable, element[2] as string));
    else if (variable !== undefined) shell.variables.unset(name);
    else if (!letters.has("v")) shell.functions.delete(name);
  }
  return status;
};

const declare: Builtin = function* (shell, args, name) {
  return yield* declareWith(shell, name, args, shell.variables.inFunction);
};

export const variableBuiltins: { readonly [name: string]: Builtin } = {
  export: exportVariables,
  declare,
  typeset: declare,
  *local(shell, args) {
    if (!shell.variables.inFunction) {
      yield* shell.complain(shell.bash ? "local: can only be used in a function" : "local: not in a function");
      return 1;
    }
    return args.length === 0 ? 0 : yield* declareWith(shell, "local", args, true);
  },
  *readonly(shell, args) {
    const { operands } = readBuiltinOptions(args, "aAfp");
    if (operands.length === 0) {
      for (const name of shell.variables.names()) {
        const variable = shell.variables.lookup(name);
        if (variable?.readonly === true) yield* shell.print(`${declarationOf(name, variable)}\n`);
      }
      return 0;
    }
    return yield* declareWith(shell, "readonly", ["-r", ...args.filter((arg) => arg !== "-p")], false);
  },
  unset,
};
