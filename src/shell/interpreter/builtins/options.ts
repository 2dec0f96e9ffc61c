// set, shopt, umask, ulimit, times.

import type { Sys } from "#sim/program.ts";
import { quoteWord } from "../../text/quote.ts";
import { formatDuration } from "../duration.ts";
import type { Shell } from "../shell.ts";
import { arrayKeys, type Variable } from "../variables.ts";
import type { Builtin } from "./builtin.ts";

const letterOptions: { readonly [letter: string]: string } = {
  a: "allexport",
  B: "braceexpand",
  C: "noclobber",
  e: "errexit",
  E: "errtrace",
  f: "noglob",
  h: "hashall",
  H: "histexpand",
  m: "monitor",
  n: "noexec",
  T: "functrace",
  u: "nounset",
  v: "verbose",
  x: "xtrace",
};

const longOptions = [...Object.values(letterOptions), "emacs", "vi", "history", "ignoreeof", "pipefail", "posix", "notify"].sort();
const shoptOptions = new Set(
  "autocd cdspell checkwinsize cmdhist dotglob expand_aliases extglob failglob globstar histappend inherit_errexit interactive_comments lastpipe login_shell nocaseglob nocasematch nullglob progcomp promptvars sourcepath".split(
    " ",
  ),
);

const set: Builtin = function* (shell, args) {
  if (args.length === 0) {
    for (const name of shell.variables.names()) {
      const variable = shell.variables.lookup(name);
      if (variable !== undefined && (variable.value !== undefined || variable.kind !== "scalar")) {
        yield* shell.print(`${name}=${shownValue(variable)}\n`);
      }
    }
    return 0;
  }
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] as string;
    if (word === "--" || word === "-") {
      shell.positional = args.slice(i + 1);
      return 0;
    }
    if (!/^[-+]./u.test(word)) {
      shell.positional = args.slice(i);
      return 0;
    }
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const status = yield* setLong(shell, args[++i], on);
        if (status !== 0) return status;
        continue;
      }
      const name = letterOptions[letter];
      if (name === undefined) {
        yield* shell.complain(shell.bash ? `set: ${word[0]}${letter}: invalid option` : `set: illegal option ${word[0]}${letter}`);
        if (shell.bash) yield* shell.writeError("set: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\n");
        return 2;
      }
      turn(shell, name, on);
    }
  }
  return 0;
};

function shownValue(variable: Variable): string {
  if (variable.kind === "scalar") return variable.value === "" ? "" : quoteWord(variable.value ?? "");
  return `(${arrayKeys(variable)
    .map((key) => `[${key}]=${quoteWord(variable.elements.get(key) ?? "")}`)
    .join(" ")})`;
}

function* setLong(shell: Shell, name: string | undefined, on: boolean): Sys<number> {
  if (name === undefined) {
    for (const option of longOptions) {
      yield* shell.print(
        on ? `${option.padEnd(15)}\t${shell.has(option) ? "on" : "off"}\n` : `set ${shell.has(option) ? "-" : "+"}o ${option}\n`,
      );
    }
    return 0;
  }
  if (!longOptions.includes(name)) {
    yield* shell.complain(`set: ${name}: invalid option name`);
    return 2;
  }
  turn(shell, name, on);
  return 0;
}

function turn(shell: Shell, name: string, on: boolean): void {
  if (on) shell.options.add(name);
  else shell.options.delete(name);
}

const shopt: Builtin = function* (shell, args) {
  const flags = args.filter((arg) => arg.startsWith("-")).join("");
  const names = args.filter((arg) => !arg.startsWith("-"));
  let status = 0;
  for (const name of names.length === 0 ? [...shoptOptions] : names) {
    if (!shoptOptions.has(name)) {
      yield* shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (flags.includes("s") || flags.includes("u")) turn(shell, name, flags.includes("s"));
    else {
      if (!shell.has(name)) status = names.length === 0 ? 0 : 1;
      if (!flags.includes("q")) yield* shell.print(`${name.padEnd(15)}\t${shell.has(name) ? "on" : "off"}\n`);
    }
  }
  return status;
};

const limits: readonly (readonly [letter: string, name: string, value: string])[] = [
  ["c", "core file size              (blocks, -c)", "0"],
  ["d", "data seg size               (kbytes, -d)", "unlimited"],
  ["f", "file size                   (blocks, -f)", "unlimited"],
  ["n", "open files                          (-n)", "1048576"],
  ["s", "stack size                  (kbytes, -s)", "8192"],
  ["u", "max user processes                  (-u)", "unlimited"],
  ["v", "virtual memory              (kbytes, -v)", "unlimited"],
];

export const optionBuiltins: { readonly [name: string]: Builtin } = {
  set,
  shopt,
  *umask(shell, args) {
    const word = args.find((arg) => !arg.startsWith("-"));
    if (word === undefined) {
      const mask = shell.self.umask();
      if (args.includes("-S")) {
        const part = (bits: number) => ["r", "w", "x"].filter((_letter, index) => (bits & (4 >> index)) === 0).join("");
        yield* shell.print(`u=${part(mask >> 6)},g=${part((mask >> 3) & 7)},o=${part(mask & 7)}\n`);
      } else yield* shell.print(`${mask.toString(8).padStart(4, "0")}\n`);
      return 0;
    }
    if (!/^[0-7]{1,4}$/u.test(word)) {
      yield* shell.complain(`umask: ${word}: octal number out of range`);
      return 1;
    }
    shell.self.umask(Number.parseInt(word, 8));
    return 0;
  },
  *ulimit(shell, args) {
    if (args.some((arg) => !arg.startsWith("-"))) {
      yield* shell.complain("ulimit: cannot modify limit: Operation not permitted");
      return 1;
    }
    const letters = args.join("").replace(/-|S|H/gu, "");
    const unknown = [...letters].find((letter) => !"abcdefiklmnpqrstuvxPRT".includes(letter));
    if (unknown !== undefined) {
      yield* shell.complain(`ulimit: -${unknown}: invalid option`);
      return 2;
    }
    if (letters.includes("a")) {
      for (const [, name, value] of limits) yield* shell.print(`${name} ${value}\n`);
      return 0;
    }
    yield* shell.print(`${limits.find(([letter]) => letter === (letters === "" ? "f" : letters))?.[2] ?? "unlimited"}\n`);
    return 0;
  },
  *times(shell) {
    const zero = formatDuration(0);
    yield* shell.print(`${zero} ${zero}\n${zero} ${zero}\n`);
    return 0;
  },
};
