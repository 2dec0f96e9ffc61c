// The commands as file trees for machines and images: names and sizes. Their code (`commands.ts`) is found when they run.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import type { Program } from "#sim/program.ts";
import type { Flavour } from "./commands/tool.ts";
import { bash } from "./programs.ts";

const sharedNames =
  "awk arch base64 basename [ cal cat chgrp chmod chown clear cmp cp cut date df diff dirname du echo env expr false find free grep groups head hexdump hostname id kill less ln ls md5sum mkdir mktemp mount mv nc nl nohup nproc nslookup od paste pgrep ping pkill printenv printf ps pwd readlink realpath rev rm rmdir sed seq sha1sum sha256sum sha512sum sleep sort stat sync tac tail tar tee test timeout top touch tr true truncate tty uname uniq uptime vi watch wc wget which whoami xargs xxd yes".split(
    " ",
  );
const aliasNames = ["egrep", "fgrep", "more", "dir"];
const gnuNames: readonly string[] = [
  ...sharedNames,
  "column",
  "curl",
  "dig",
  "getent",
  "host",
  "jq",
  "nano",
  ...aliasNames,
  "edit",
  "vim",
  "openssl",
  "update-ca-certificates",
];
const busyboxNames: readonly string[] = [...sharedNames, ...aliasNames, "sh", "ash"];

const sizes = { gnu: 35_312, busybox: 1_036_952 } as const;

/** The commands as files: under /usr/bin (and bash, sh in /bin) for GNU, under /bin for busybox. */
export function commandFiles(flavour: Flavour): FileTree {
  const files = new Map<string, TreeEntry>();
  const add = (path: string, program: Program, sizeBytes: number) =>
    files.set(path, { type: "program", program, sizeBytes, permissions: 0o755 });
  const directory = flavour === "gnu" ? "/usr/bin" : "/bin";
  for (const name of flavour === "gnu" ? gnuNames : busyboxNames) {
    add(`${directory}/${name}`, lateProgram(`${flavour}/${name}`), sizes[flavour]);
  }
  if (flavour === "busybox") {
    add("/bin/busybox", lateProgram("busybox/busybox"), sizes.busybox);
    return files;
  }
  add("/bin/bash", bash, 1_298_416);
  add("/bin/sh", bash, 1_298_416);
  for (const name of [
    "cat",
    "ls",
    "echo",
    "sleep",
    "true",
    "false",
    "rm",
    "cp",
    "mv",
    "mkdir",
    "ps",
    "kill",
    "date",
    "grep",
    "sed",
    "hostname",
    "touch",
    "chmod",
    "ln",
    "pwd",
    "mount",
    "df",
    "uname",
  ]) {
    files.set(`/bin/${name}`, { type: "symlink", target: `/usr/bin/${name}` });
  }
  return files;
}
