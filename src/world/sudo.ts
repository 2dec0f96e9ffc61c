// sudo on the cluster's machines, where whoever is logged in is root already: it runs the command, as for root everywhere.

import { findProgram } from "#shell/toolkit/other-programs.ts";
import { SysError } from "#sim/errors.ts";
import type { Program } from "#sim/program.ts";

const usage = "usage: sudo -h | -V\nusage: sudo [-EHin] [VAR=value] [command [arg ...]]\n";

export const sudo: Program = function* (self) {
  const words = self.argv.slice(1);
  const env = new Map(self.env);
  let wantsShell = false;
  let option: string | undefined;
  while (words[0] !== undefined && /^(?:-|[A-Za-z_]\w*=)/u.test(words[0])) {
    const word = words.shift() as string;
    if (word === "--") break;
    const at = word.indexOf("=");
    if (/^-[EHins]+$/u.test(word)) wantsShell ||= /[is]/u.test(word);
    else if (at > 0 && !word.startsWith("-")) env.set(word.slice(0, at), word.slice(at + 1));
    else if (word === "-u" && words[0] === "root") words.shift();
    else option ??= word;
  }
  if (option !== undefined) {
    yield* self.write(2, `sudo: option ${option}: not simulated\n`);
    return 1;
  }
  const [name = ""] = words;
  if (name === "" && !wantsShell) {
    yield* self.write(2, usage);
    return 1;
  }
  const isShell = name === "" || (name === "su" && words.slice(1).every((word) => ["-", "-l", "root"].includes(word)));
  try {
    const argv = isShell ? ["bash"] : words;
    const pid = self.spawn({ run: findProgram(self, argv[0] as string, env.get("PATH")), argv, env });
    return (yield* self.wait(pid))?.code ?? 0;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    yield* self.write(
      2,
      error.code === "ENOENT" ? `sudo: ${name}: command not found\n` : `sudo: unable to execute ${name}: ${error.message}\n`,
    );
    return 1;
  }
};
