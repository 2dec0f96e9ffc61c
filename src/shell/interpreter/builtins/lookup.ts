// type, command, builtin, hash, alias, unalias, history, complete, help.

import type { Sys } from "#sim/program.ts";
import { singleQuote } from "../../text/quote.ts";
import type { Shell } from "../shell.ts";
import { type Builtin, readBuiltinOptions } from "./builtin.ts";
import { help } from "./help.ts";

const keywords = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "),
);

type Found = { readonly kind: "alias" | "keyword" | "function" | "builtin" | "file"; readonly detail: string };

function find(shell: Shell, name: string): Found[] {
  const found: Found[] = [];
  const alias = shell.aliases.get(name);
  if (alias !== undefined) found.push({ kind: "alias", detail: alias });
  if (keywords.has(name)) found.push({ kind: "keyword", detail: "" });
  if (shell.functions.has(name)) found.push({ kind: "function", detail: functionText(shell, name) });
  if (shell.engine.isBuiltin(name)) found.push({ kind: "builtin", detail: "" });
  const path = shell.findProgram(name);
  if (path !== undefined && isExecutable(shell, path)) found.push({ kind: "file", detail: path });
  return found;
}

function isExecutable(shell: Shell, path: string): boolean {
  try {
    const stat = shell.self.stat(path);
    return stat.type === "file" && (stat.permissions & 0o111) !== 0;
  } catch {
    return false;
  }
}

export function functionText(shell: Shell, name: string): string {
  const called = shell.functions.get(name);
  if (called === undefined) return "";
  const { body } = called.node;
  const text = called.source.slice(body.pos, body.end);
  const inner = /^\{\s*([\s\S]*?);?\s*\}$/u.exec(text)?.[1];
  if (inner === undefined) return `${name} () \n${text}`;
  const lines = inner.includes("\n")
    ? inner.split("\n").map((line) => line.trimStart())
    : inner.split(/;\s*/u).map((line, index, all) => line + (index < all.length - 1 ? ";" : ""));
  return `${name} () \n{ \n${lines.map((line) => `    ${line}`).join("\n")}\n}`;
}

function* explain(shell: Shell, name: string, found: Found): Sys<void> {
  const text = {
    alias: shell.bash ? `${name} is aliased to \`${found.detail}'` : `${name} is an alias for ${found.detail}`,
    keyword: `${name} is a shell keyword`,
    function: shell.bash ? `${name} is a function\n${found.detail}` : `${name} is a function`,
    builtin: `${name} is a shell builtin`,
    file: `${name} is ${found.detail}`,
  }[found.kind];
  yield* shell.print(`${text}\n`);
}

const command: Builtin = function* (shell, args) {
  const { letters, operands } = readBuiltinOptions(args, "pvV");
  if (!letters.has("v") && !letters.has("V")) {
    return operands.length === 0 ? 0 : yield* shell.engine.runWords(shell, operands, true);
  }
  let status = 1;
  for (const name of operands) {
    const found = find(shell, name)[0];
    if (found === undefined) {
      if (letters.has("V")) yield* shell.complain(shell.bash ? `command: ${name}: not found` : `${name}: not found`);
      continue;
    }
    status = 0;
    if (letters.has("V")) yield* explain(shell, name, found);
    else if (found.kind === "alias") yield* shell.print(`alias ${name}=${singleQuote(found.detail)}\n`);
    else yield* shell.print(`${found.kind === "file" ? found.detail : name}\n`);
  }
  return status;
};

export const lookupBuiltins: { readonly [name: string]: Builtin } = {
  command,
  *builtin(shell, args) {
    const name = args[0];
    if (name === undefined) return 0;
    if (!shell.engine.isBuiltin(name)) {
      yield* shell.complain(`builtin: ${name}: not a shell builtin`);
      return 1;
    }
    return yield* shell.engine.runWords(shell, args, true);
  },
  *type(shell, args) {
    const { letters, operands } = readBuiltinOptions(args, "afptP");
    let status = 0;
    for (const name of operands) {
      const all = find(shell, name).filter((found) => !(letters.has("P") || letters.has("p")) || found.kind === "file");
      if (all.length === 0) {
        status = 1;
        if (!letters.has("t") && !letters.has("p"))
          yield* shell.complain(shell.bash ? `type: ${name}: not found` : `${name}: not found`);
      }
      for (const found of letters.has("a") ? all : all.slice(0, 1)) {
        if (letters.has("t")) yield* shell.print(`${found.kind}\n`);
        else if (letters.has("p") || letters.has("P")) yield* shell.print(`${found.detail}\n`);
        else yield* explain(shell, name, found);
      }
    }
    return status;
  },
  *hash(shell, args) {
    if (args.length === 0) yield* shell.print("hash: hash table empty\n");
    return 0;
  },
  *alias(shell, args) {
    const words = args.filter((arg) => arg !== "-p");
    const show = (name: string, value: string) => shell.print(`${shell.bash ? "alias " : ""}${name}=${singleQuote(value)}\n`);
    if (words.length === 0) for (const [name, value] of [...shell.aliases].sort()) yield* show(name, value);
    let status = 0;
    for (const word of words) {
      const at = word.indexOf("=");
      const value = shell.aliases.get(word);
      if (at > 0) shell.aliases.set(word.slice(0, at), word.slice(at + 1));
      else if (value !== undefined) yield* show(word, value);
      else {
        yield* shell.complain(`alias: ${word}: not found`);
        status = 1;
      }
    }
    return status;
  },
  *unalias(shell, args) {
    if (args[0] === "-a") shell.aliases.clear();
    let status = 0;
    for (const name of args.filter((arg) => arg !== "-a")) {
      if (shell.aliases.delete(name)) continue;
      yield* shell.complain(`unalias: ${name}: not found`);
      status = 1;
    }
    return status;
  },
  *history(shell, args) {
    const lines = shell.history.lines;
    if (args[0] === "-c") {
      lines.length = 0;
      return 0;
    }
    const count = args[0] === undefined ? lines.length : Number(args[0]);
    if (!Number.isInteger(count)) {
      yield* shell.complain(`history: ${args[0]}: numeric argument required`);
      return 1;
    }
    const from = Math.max(0, lines.length - count);
    const text = lines.slice(from).map((line, index) => `${String(from + index + 1).padStart(5)}  ${line}\n`);
    yield* shell.print(text.join(""));
    return 0;
  },
  *complete(shell, args) {
    const { letters, operands } = readBuiltinOptions(args, "abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:");
    if (letters.has("r")) for (const name of operands) shell.completions.delete(name);
    else if (letters.has("p") || args.length === 0) {
      for (const [name, spec] of shell.completions) yield* shell.print(`complete ${spec} ${name}\n`);
    } else {
      const spec = args.slice(0, args.length - operands.length).join(" ");
      for (const name of operands) shell.completions.set(name, spec);
    }
    return 0;
  },
  *compopt(shell) {
    yield* shell.complain("compopt: not currently executing completion function");
    return 1;
  },
  help,
};
