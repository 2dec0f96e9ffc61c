// The commands as file trees for machines and images: names and sizes. Their code (`commands.ts`) is found when they run.

import type { FileTree, TreeEntry } from "#sim/files.ts";
import { lateProgram } from "#sim/late-programs.ts";
import type { Program } from "#sim/program.ts";
import { bash } from "./programs.ts";
import type { Flavour } from "./toolkit/tool.ts";

const sharedNames =
  "awk arch arp base64 basename [ cal cat chgrp chmod chown chroot cksum clear cmp cp cut date dd df diff dirname du echo env expand expr fallocate false find fold free grep groups gunzip gzip head hexdump hostname id ifconfig ip kill killall less ln ls md5sum mkdir mkfifo mktemp mount mv nc netstat nice nl nohup nproc nslookup od paste pgrep pidof ping pkill printenv printf ps pwd readlink realpath renice rev rm rmdir route sed seq setsid sha1sum sha256sum sha512sum shuf sleep sort split stat stty sync sysctl tac tail tar taskset tee telnet test timeout top touch tr true truncate tty umount uname uniq uptime vi watch wc wget which who whoami xargs xxd yes zcat".split(
    " ",
  );
const aliasNames = ["egrep", "fgrep", "more", "dir"];
const gnuNames: readonly string[] = [
  ...sharedNames,
  "column",
  "curl",
  "dig",
  "envsubst",
  "getconf",
  "getent",
  "host",
  "jq",
  "lscpu",
  "nano",
  "ss",
  ...aliasNames,
  "edit",
  "vim",
  "openssl",
  "update-ca-certificates",
  "zgrep",
];
const busyboxNames: readonly string[] = [...sharedNames, ...aliasNames, "sh", "ash", "httpd", "usleep"];

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
