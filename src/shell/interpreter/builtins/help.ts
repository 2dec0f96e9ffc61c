// help: how each builtin is called, as bash 5.2's `help -s` says it.

import type { Builtin } from "./builtin.ts";

const mapfile = "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]";
const declare = (name: string): string => `${name} [-aAfFgiIlnrtux] [name[=value] ...] or ${name} -p [-aAfFilnrtux] [name ...]`;

const synopses: readonly string[] = [
  ":",
  "[ arg... ]",
  ". filename [arguments]",
  "alias [-p] [name[=value] ... ]",
  "bg [job_spec ...]",
  "break [n]",
  "builtin [shell-builtin [arg ...]]",
  "cd [-L|[-P [-e]] [-@]] [dir]",
  "command [-pVv] command [arg ...]",
  "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]",
  "compopt [-o|+o option] [-DEI] [name ...]",
  "continue [n]",
  declare("declare"),
  "dirs [-clpv] [+N] [-N]",
  "disown [-h] [-ar] [jobspec ... | pid ...]",
  "echo [-neE] [arg ...]",
  "eval [arg ...]",
  "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
  "exit [n]",
  "export [-fn] [name[=value] ...] or export -p",
  "false",
  "fg [job_spec]",
  "getopts optstring name [arg ...]",
  "hash [-lr] [-p pathname] [-dt] [name ...]",
  "help [-dms] [pattern ...]",
  "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
  "jobs [-lnprs] [jobspec ...] or jobs -x command [args]",
  "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
  "let arg [arg ...]",
  "local [option] name[=value] ...",
  "logout [n]",
  `mapfile ${mapfile}`,
  "popd [-n] [+N | -N]",
  "printf [-v var] format [arguments]",
  "pushd [-n] [+N | -N | dir]",
  "pwd [-LP]",
  "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
  `readarray ${mapfile}`,
  "readonly [-aAf] [name[=value] ...] or readonly -p",
  "return [n]",
  "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
  "shift [n]",
  "shopt [-pqsu] [-o] [optname ...]",
  "source filename [arguments]",
  "test [expr]",
  "times",
  "trap [-lp] [[arg] signal_spec ...]",
  "true",
  "type [-afptP] name [name ...]",
  declare("typeset"),
  "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]",
  "umask [-p] [-S] [mode]",
  "unalias [-a] name [name ...]",
  "unset [-f] [-v] [-n] [name ...]",
  "wait [-fn] [-p var] [id ...]",
];

const nameOf = (synopsis: string): string => synopsis.split(" ")[0] as string;

/** Names of the builtins that `help` knows. */
export const helpTopics: readonly string[] = synopses.map(nameOf);

/** A name stands for itself, or for all that begin with it, as bash takes it. */
function synopsesOf(pattern: string): readonly string[] {
  const exact = synopses.filter((synopsis) => nameOf(synopsis) === pattern);
  return exact.length > 0 ? exact : synopses.filter((synopsis) => nameOf(synopsis).startsWith(pattern));
}

export const help: Builtin = function* (shell, args) {
  if (!shell.bash) {
    yield* shell.print(`Built-in commands:\n------------------\n\t${helpTopics.join(" ")}\n`);
    return 0;
  }
  const patterns = args.filter((arg) => !/^-[dms]+$|^--$/.test(arg));
  if (patterns.length === 0) {
    yield* shell.print(
      `GNU bash, version 5.2.37(1)-release (x86_64-pc-linux-gnu)\nThese shell commands are defined internally.\n\n${synopses.map((synopsis) => ` ${synopsis}\n`).join("")}`,
    );
    return 0;
  }
  const found = patterns.flatMap(synopsesOf);
  if (found.length === 0) {
    const last = patterns.at(-1) as string;
    yield* shell.complain(`help: no help topics match \`${last}'.  Try \`help help' or \`man -k ${last}' or \`info ${last}'.`);
    return 1;
  }
  yield* shell.print(found.map((synopsis) => `${nameOf(synopsis)}: ${synopsis}\n`).join(""));
  return 0;
};
