// The code of all commands, for GNU machines and for busybox containers; `command-files.ts` has them as files.

import type { Program } from "#sim/program.ts";
import { awk } from "./commands/awk.ts";
import { cat } from "./commands/cat.ts";
import { column, cut, nl, paste, rev, seq, tac, tee, tr, yes } from "./commands/columns.ts";
import { chroot, getconf, killall, lscpu, nice, pidof, renice, setsid, taskset, umount, usleep, who } from "./commands/control.ts";
import { cp, mv } from "./commands/cp.ts";
import { curl } from "./commands/curl.ts";
import { dd } from "./commands/dd.ts";
import { diff } from "./commands/diff.ts";
import { base64, cmp, hexdump, md5sum, od, sha1sum, sha256sum, sha512sum, xxd } from "./commands/digest.ts";
import { dig, getent, host, nslookup, ping } from "./commands/dns.ts";
import { echo, printf } from "./commands/echo.ts";
import {
  bracket,
  cal,
  date,
  env,
  expr,
  falseCommand,
  nohup,
  printenv,
  sleep,
  test,
  timeout,
  trueCommand,
} from "./commands/environment.ts";
import { find, xargs } from "./commands/find.ts";
import { grep } from "./commands/grep.ts";
import { gunzip, gzip, zcat } from "./commands/gzip.ts";
import { head, tail } from "./commands/head.ts";
import { arch, groups, hostname, id, tty, uname, whoami } from "./commands/identity.ts";
import { jq } from "./commands/jq.ts";
import { ls } from "./commands/ls.ts";
import { fallocate, ln, mkdir, mkfifo, mktemp, touch, truncate } from "./commands/make.ts";
import { chgrp, chmod, chown } from "./commands/mode.ts";
import { nc } from "./commands/nc.ts";
import { httpd } from "./commands/network/httpd.ts";
import { ip } from "./commands/network/ip.ts";
import { arp, ifconfig, netstat, route } from "./commands/network/netstat.ts";
import { ss } from "./commands/network/ss.ts";
import { telnet } from "./commands/network/telnet.ts";
import { openssl } from "./commands/openssl/openssl.ts";
import { basename, dirname, pwd, readlink, realpath, which } from "./commands/path.ts";
import { cksum, expand, fold, shuf, split } from "./commands/pieces.ts";
import { free, kill, nproc, pgrep, pkill, ps, top, uptime } from "./commands/processes.ts";
import { rm, rmdir } from "./commands/rm.ts";
import { clear, less, watch } from "./commands/screen.ts";
import { sed } from "./commands/sed.ts";
import { sort, uniq } from "./commands/sort.ts";
import { df, du, mount, stat, sync } from "./commands/storage.ts";
import { stty } from "./commands/stty.ts";
import { tar } from "./commands/tar.ts";
import { busyboxVersion, type CommandDefinition, type Flavour, runTool, toolProgram } from "./commands/tool.ts";
import { updateCaCertificates } from "./commands/update-ca-certificates.ts";
import { wc } from "./commands/wc.ts";
import { wget } from "./commands/wget.ts";
import { nano } from "./editor/nano.ts";
import { vi } from "./editor/vi.ts";
import { sh } from "./programs.ts";

/** In both flavours. */
const shared: readonly CommandDefinition[] = [
  awk,
  arch,
  arp,
  base64,
  basename,
  bracket,
  cal,
  cat,
  chgrp,
  chmod,
  chown,
  chroot,
  cksum,
  clear,
  cmp,
  cp,
  cut,
  date,
  df,
  diff,
  dirname,
  du,
  echo,
  env,
  expand,
  expr,
  fallocate,
  falseCommand,
  find,
  fold,
  free,
  grep,
  groups,
  gunzip,
  gzip,
  dd,
  head,
  hexdump,
  hostname,
  id,
  ifconfig,
  ip,
  kill,
  killall,
  less,
  ln,
  ls,
  md5sum,
  mkdir,
  mkfifo,
  mktemp,
  mount,
  mv,
  nc,
  netstat,
  nice,
  nl,
  nohup,
  nproc,
  nslookup,
  od,
  paste,
  pgrep,
  pidof,
  ping,
  pkill,
  printenv,
  printf,
  ps,
  pwd,
  readlink,
  realpath,
  renice,
  rev,
  rm,
  rmdir,
  route,
  sed,
  seq,
  setsid,
  sha1sum,
  sha256sum,
  sha512sum,
  shuf,
  sleep,
  sort,
  split,
  stat,
  stty,
  sync,
  tac,
  tail,
  tar,
  taskset,
  tee,
  telnet,
  test,
  timeout,
  top,
  touch,
  tr,
  trueCommand,
  truncate,
  tty,
  umount,
  uname,
  uniq,
  uptime,
  vi,
  watch,
  wc,
  wget,
  which,
  who,
  whoami,
  xargs,
  xxd,
  yes,
  zcat,
];
const gnuOnly: readonly CommandDefinition[] = [column, curl, dig, getconf, getent, host, jq, lscpu, nano, ss];
const busyboxOnly: readonly CommandDefinition[] = [httpd, usleep];

/** The commands with another name: egrep is grep -E. */
const aliases: { readonly [name: string]: readonly [CommandDefinition, ...string[]] } = {
  egrep: [grep, "-E"],
  fgrep: [grep, "-F"],
  more: [less],
  dir: [ls, "-C"],
};

/** Other names of the editors, on GNU machines only. */
const editors: readonly (readonly [string, CommandDefinition])[] = [
  ["edit", nano],
  ["vim", vi],
];

function programOf(definition: CommandDefinition, flavour: Flavour, first: readonly string[] = []): Program {
  if (first.length === 0) return toolProgram(definition, flavour);
  return (self) => runTool(self, definition, flavour, [definition.name, ...first, ...self.argv.slice(1)]);
}

function collect(definitions: readonly CommandDefinition[], flavour: Flavour): ReadonlyMap<string, Program> {
  const programs = new Map(definitions.map((definition) => [definition.name, programOf(definition, flavour)]));
  for (const [name, [definition, ...first]] of Object.entries(aliases)) programs.set(name, programOf(definition, flavour, first));
  if (flavour === "gnu") {
    for (const [name, definition] of editors) programs.set(name, programOf(definition, flavour));
    programs.set("openssl", openssl);
    programs.set("update-ca-certificates", updateCaCertificates);
  }
  return programs;
}

const coreutils: ReadonlyMap<string, Program> = collect([...shared, ...gnuOnly], "gnu");

/** Its shell among them. */
const busyboxApplets: ReadonlyMap<string, Program> = new Map([
  ...collect([...shared, ...busyboxOnly], "busybox"),
  ["sh", sh],
  ["ash", sh],
]);

/** The multi-call binary: `busybox ls`, or by the name that it is called with. */
const busybox: Program = function* (self) {
  const called = (self.argv[0] ?? "").split("/").at(-1) as string;
  const own = called.startsWith("busybox");
  const applet = busyboxApplets.get(own ? (self.argv[1] ?? "") : called);
  if (applet !== undefined && !own) return yield* applet(self);
  if (applet !== undefined) {
    const pid = self.spawn({ run: applet, argv: self.argv.slice(1) });
    return (yield* self.wait(pid))?.code ?? 0;
  }
  const name = self.argv[1];
  if (own && (name === undefined || name === "--help")) {
    const names = [...busyboxApplets.keys()].sort().join(", ");
    yield* self.write(
      1,
      `${busyboxVersion}\nBusyBox is copyrighted by many authors between 1998-2024.\n\nUsage: busybox [function [arguments]...]\n\nCurrently defined functions:\n\t${names}\n`,
    );
    return 0;
  }
  if (own && name === "--list") {
    yield* self.write(1, `${[...busyboxApplets.keys()].sort().join("\n")}\n`);
    return 0;
  }
  yield* self.write(2, `${own ? (name as string) : called}: applet not found\n`);
  return 127;
};

/** To be provided as late programs: `gnu/ls`, `busybox/ls`, `busybox/busybox`. */
export const shellPrograms: ReadonlyMap<string, Program> = new Map([
  ...[...coreutils].map(([name, program]) => [`gnu/${name}`, program] as const),
  ...[...busyboxApplets].map(([name, program]) => [`busybox/${name}`, program] as const),
  ["busybox/busybox", busybox],
]);
