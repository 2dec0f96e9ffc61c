import { describe, expect, it } from "vitest";
import { shellProgram } from "#shell/programs.ts";
import { shellMachine } from "#shell/shell.test-kit.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { TreeEntry } from "#sim/files.ts";
import { startFilesOf } from "./start-files.ts";

const home = "/home/learner";
const knownStart = startFilesOf(home);

type Files = { readonly [path: string]: string | TreeEntry | undefined };

/** What a login shell shows: first by itself, then of each line. */
function session(program: ReturnType<typeof shellProgram>, changed: Files, lines: readonly string[], argv: readonly string[]) {
  const files = Object.entries({ ...Object.fromEntries(knownStart.files), ...changed });
  const there = Object.fromEntries(files.flatMap(([path, entry]) => (entry === undefined ? [] : [[path, entry]])));
  const host = shellMachine("gnu", { [home]: { type: "directory" }, ...there });
  const terminal = host.kernel.createTerminal({ columns: 80, rows: 24 });
  let output = "";
  terminal.onOutput = (bytes) => {
    output += decodeUtf8(bytes);
  };
  const env = new Map([
    ["PATH", "/usr/local/bin:/usr/bin:/bin"],
    ["HOME", home],
  ]);
  host.start(program, { argv, terminal, cwd: home, env, uid: 0 });
  const shown = [output];
  for (const line of ["", ...lines.map((text) => `${text}\n`)]) {
    output = "";
    terminal.input(encodeUtf8(line));
    host.simulation.advance(200);
    shown.push(output);
  }
  return shown;
}

function both(changed: Files, lines: readonly string[], argv: readonly string[] = ["-bash"]) {
  return {
    known: session(shellProgram("bash", { knownStart }), changed, lines, argv),
    run: session(shellProgram("bash"), changed, lines, argv),
  };
}

const questions = [
  'echo "$? ${PIPESTATUS[@]} $- $# $$ $! $_ $0 $SHLVL $LINENO $RANDOM"',
  "times; ps -o pid,args",
  "set",
  "declare -p",
  "alias",
  "complete -p",
  "set -o; shopt",
  "trap; jobs; history",
  "declare -f; declare -F; type help command_not_found_handle",
  "help cd; echo $?",
  "frobnicate x; echo $?",
  "k; ls /none",
  "echo $SECONDS $PWD $OLDPWD; help() { echo mine; }; help; type help",
  "bash -lc 'alias; type help; echo $PS1'",
  "exec bash -l",
  "alias",
];

describe("the start-up files of the learner's account", () => {
  it("leave a login shell exactly as their known effect does", () => {
    const { known, run } = both({}, questions);
    expect(known[1]).toContain("\x1b[32mroot@");
    expect(known).toEqual(run);
  });

  it.each([
    ["a variable", { [`${home}/.bashrc`]: "PS1='mine> '\nx=1\n" }, /mine> /],
    ["a line more", { [`${home}/.bashrc`]: `${knownStart.files.get(`${home}/.bashrc`)}echo hello\n` }, /hello\r\n/],
    ["an error", { [`${home}/.bashrc`]: "x=1\nif\n" }, /^-bash: \/home\/learner\/\.bashrc: line 3: syntax error/],
    [
      "a word that may not stand there",
      { [`${home}/.bashrc`]: "x=1\nfi\ny=2\n" },
      /^-bash: \/home\/learner\/\.bashrc: line 2: syntax error near unexpected token `fi'\r\n-bash: \/home\/learner\/\.bashrc: line 2: `fi'\r\n/,
    ],
    [
      "a command that is not there",
      { [`${home}/.bashrc`]: "PS1='> '\nfrobnicate\n" },
      /^-bash: frobnicate: command not found\r\n.*> /s,
    ],
    ["no .bashrc", { [`${home}/.bashrc`]: undefined }, /-bash-5\.2#|bash-5\.2/],
    ["no .bash_profile", { [`${home}/.bash_profile`]: undefined }, /bash-5\.2/],
    ["a .profile alone", { [`${home}/.bash_profile`]: undefined, [`${home}/.profile`]: "echo profile\n" }, /^profile\r\n/],
    [
      "a directory",
      { [`${home}/.bash_profile`]: { type: "directory" } as const },
      /^-bash: \/home\/learner\/\.bash_profile: is a directory\r\n/,
    ],
    ["nothing", { [`${home}/.bash_profile`]: { type: "symlink", target: "/dev/null" } as const }, /bash-5\.2/],
    ["of the machine", { "/etc/bash.bashrc": "alias hi='echo hi'\n" }, /\x1b\[32m/],
  ])("are read when they are changed: %s", (_what, changed, shown) => {
    const { known, run } = both(changed, questions.slice(0, 11));
    expect(known.slice(0, 2).join("")).toMatch(shown);
    expect(known).toEqual(run);
  });

  it("are left out with --noprofile, .bashrc too", () => {
    expect(both({}, [], ["bash", "--noprofile", "-l"]).known[1]).toContain("bash-5.2# ");
  });

  it.each([[["bash", "-x", "-l"]], [["bash", "--noprofile", "-l"]], [["bash", "-i"]], [["bash", "--norc"]]])(
    "%j begins as ever",
    (argv) => {
      const { known, run } = both({}, questions.slice(0, 11), argv);
      expect(known).toEqual(run);
    },
  );
});
