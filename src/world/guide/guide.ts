// What the learner's machine says of itself: `help`, and a line after bash's own for commands that are not here. Only to a person at its
// terminals: scripts, containers and nodes hear what they would hear anywhere.

import type { Program } from "#sim/program.ts";
import { insteadOf } from "./not-here.ts";

const commandNotFound: Program = function* (self) {
  const instead = insteadOf(self.argv[1] ?? "");
  if (instead !== undefined) yield* self.write(1, `${instead}\n`);
  return 127;
};

const introduction = `The learner's machine of this cluster. What is most used:

  kubectl       the cluster; k is short for it, Tab completes names
                kubectl COMMAND --help, kubectl explain KIND, kubectl api-resources
  ssh NODE      a node, by its name from kubectl get nodes
  virsh         the nodes' power: virsh list --all, virsh destroy NODE, virsh start NODE
  nano, vi      write files; Ctrl-X leaves nano, Esc :q! leaves vi
  curl, wget    ask what the cluster runs; there is no internet
  jq, grep, awk, sed, less, watch

  Up, Ctrl-R    earlier commands      Ctrl-C    ends what runs
  Ctrl-L        clears the screen     Ctrl-D    ends the shell

All commands:
`;

const ofCloud = "  simcloud      the cloud that the nodes are machines of: simcloud --help\n";

const help: Program = function* (self) {
  const columns = self.isTty(1) ? self.terminal(1).columns : 80;
  const names = ["/usr/local/bin", "/usr/bin", "/bin"].flatMap((folder) => self.readdir(folder));
  const shown = [...new Set(names)].filter((name) => name !== "[").sort();
  const [before, after] = introduction.split(/(?=^ {2}nano)/mu) as [string, string];
  const intro = shown.includes("simcloud") ? before + ofCloud + after : introduction;
  yield* self.write(1, `${intro}${inLines(shown, columns - 2)}\nBuiltins of bash: help NAME.\n`);
  return 0;
};

/** Words in lines of at most so many columns, each begun with two blanks. */
function inLines(words: readonly string[], columns: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + word.length <= columns) lines[lines.length - 1] = `${last}  ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Their code, provided with the tools. */
export const guidePrograms: ReadonlyMap<string, Program> = new Map([
  ["guide/command-not-found", commandNotFound],
  ["guide/help", help],
]);
