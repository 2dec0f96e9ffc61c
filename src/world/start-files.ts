// The start-up files of the learner's account, and what a login shell is when it has run them.

import type { KnownStart } from "#shell/start-up.ts";
import { guideFunctions, guideStartUp } from "./guide/start-up.ts";

const prompt = "\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ ";
const aliases = new Map([
  ["k", "kubectl"],
  ["ls", "ls --color=auto"],
]);
const specification = "-o default -F __start_kubectl";
const completed = ["kubectl", "k"];

const bashrc = [
  `PS1='${prompt}'`,
  ...[...aliases].map(([name, value]) => `alias ${name}='${value}'`),
  ...completed.map((name) => `complete ${specification} ${name}`),
];

/** Of an account with this home directory. */
export function startFilesOf(home: string): KnownStart {
  return {
    files: new Map([
      ["/etc/profile", "[ -f /etc/bash.bashrc ] && . /etc/bash.bashrc\n"],
      ["/etc/bash.bashrc", guideStartUp],
      [`${home}/.bash_profile`, "[ -f ~/.bashrc ] && . ~/.bashrc\n"],
      [`${home}/.bashrc`, bashrc.map((line) => `${line}\n`).join("")],
    ]),
    variables: new Map([["PS1", prompt]]),
    aliases,
    completions: new Map(completed.map((name) => [name, specification])),
    functions: new Map(guideFunctions.map((name) => [name, "/etc/bash.bashrc"])),
  };
}
