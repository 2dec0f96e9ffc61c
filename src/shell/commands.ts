// The code of all commands, for GNU machines and for busybox containers; `command-files.ts` has them as files.

import type { Program } from "#sim/program.ts";
import { arch } from "./commands/arch.ts";
import { arp } from "./commands/arp.ts";
import { awk } from "./commands/awk.ts";
import { base64 } from "./commands/base64.ts";
import { basename } from "./commands/basename.ts";
import { cal } from "./commands/cal.ts";
import { cat } from "./commands/cat.ts";
import { chgrp } from "./commands/chgrp.ts";
import { chmod } from "./commands/chmod.ts";
import { chown } from "./commands/chown.ts";
import { chroot } from "./commands/chroot.ts";
import { cksum } from "./commands/cksum.ts";
import { clear } from "./commands/clear.ts";
import { cmp } from "./commands/cmp.ts";
import { column } from "./commands/column.ts";
import { cp } from "./commands/cp.ts";
import { curl } from "./commands/curl.ts";
import { cut } from "./commands/cut.ts";
import { date } from "./commands/date.ts";
import { dd } from "./commands/dd.ts";
import { df } from "./commands/df.ts";
import { diff } from "./commands/diff.ts";
import { dig } from "./commands/dig.ts";
import { dirname } from "./commands/dirname.ts";
import { du } from "./commands/du.ts";
import { echo } from "./commands/echo.ts";
import { env } from "./commands/env.ts";
import { envsubst } from "./commands/envsubst.ts";
import { expand } from "./commands/expand.ts";
import { expr } from "./commands/expr.ts";
import { fallocate } from "./commands/fallocate.ts";
import { falseCommand } from "./commands/false.ts";
import { find } from "./commands/find.ts";
import { fold } from "./commands/fold.ts";
import { free } from "./commands/free.ts";
import { getconf } from "./commands/getconf.ts";
import { getent } from "./commands/getent.ts";
import { grep, zgrep } from "./commands/grep.ts";
import { groups } from "./commands/groups.ts";
import { gunzip } from "./commands/gunzip.ts";
import { gzip } from "./commands/gzip.ts";
import { head } from "./commands/head.ts";
import { hexdump } from "./commands/hexdump.ts";
import { host } from "./commands/host.ts";
import { hostname } from "./commands/hostname.ts";
import { httpd } from "./commands/httpd.ts";
import { id } from "./commands/id.ts";
import { ifconfig } from "./commands/ifconfig.ts";
import { ip } from "./commands/ip.ts";
import { jq } from "./commands/jq.ts";
import { kill } from "./commands/kill.ts";
import { killall } from "./commands/killall.ts";
import { less } from "./commands/less.ts";
import { ln } from "./commands/ln.ts";
import { ls } from "./commands/ls.ts";
import { lscpu } from "./commands/lscpu.ts";
import { md5sum } from "./commands/md5sum.ts";
import { mkdir } from "./commands/mkdir.ts";
import { mkfifo } from "./commands/mkfifo.ts";
import { mktemp } from "./commands/mktemp.ts";
import { mount } from "./commands/mount.ts";
import { mv } from "./commands/mv.ts";
import { nc } from "./commands/nc.ts";
import { netstat } from "./commands/netstat.ts";
import { nice } from "./commands/nice.ts";
import { nl } from "./commands/nl.ts";
import { nohup } from "./commands/nohup.ts";
import { nproc } from "./commands/nproc.ts";
import { oldNslookup } from "./commands/nslookup/old-busybox.ts";
import { nslookup } from "./commands/nslookup.ts";
import { od } from "./commands/od.ts";
import { openssl } from "./commands/openssl.ts";
import { paste } from "./commands/paste.ts";
import { pgrep } from "./commands/pgrep.ts";
import { pidof } from "./commands/pidof.ts";
import { ping } from "./commands/ping.ts";
import { pkill } from "./commands/pkill.ts";
import { printenv } from "./commands/printenv.ts";
import { printf } from "./commands/printf.ts";
import { ps } from "./commands/ps.ts";
import { pwd } from "./commands/pwd.ts";
import { readlink } from "./commands/readlink.ts";
import { realpath } from "./commands/realpath.ts";
import { renice } from "./commands/renice.ts";
import { rev } from "./commands/rev.ts";
import { rm } from "./commands/rm.ts";
import { rmdir } from "./commands/rmdir.ts";
import { route } from "./commands/route.ts";
import { sed } from "./commands/sed.ts";
import { seq } from "./commands/seq.ts";
import { setsid } from "./commands/setsid.ts";
import { sha1sum } from "./commands/sha1sum.ts";
import { sha256sum } from "./commands/sha256sum.ts";
import { sha512sum } from "./commands/sha512sum.ts";
import { shuf } from "./commands/shuf.ts";
import { sleep } from "./commands/sleep.ts";
import { sort } from "./commands/sort.ts";
import { split } from "./commands/split.ts";
import { ss } from "./commands/ss.ts";
import { stat } from "./commands/stat.ts";
import { stty } from "./commands/stty.ts";
import { sync } from "./commands/sync.ts";
import { sysctl } from "./commands/sysctl.ts";
import { tac } from "./commands/tac.ts";
import { tail } from "./commands/tail.ts";
import { tar } from "./commands/tar.ts";
import { taskset } from "./commands/taskset.ts";
import { tee } from "./commands/tee.ts";
import { telnet } from "./commands/telnet.ts";
import { bracket, test } from "./commands/test.ts";
import { timeout } from "./commands/timeout.ts";
import { top } from "./commands/top.ts";
import { touch } from "./commands/touch.ts";
import { tr } from "./commands/tr.ts";
import { trueCommand } from "./commands/true.ts";
import { truncate } from "./commands/truncate.ts";
import { tty } from "./commands/tty.ts";
import { umount } from "./commands/umount.ts";
import { uname } from "./commands/uname.ts";
import { uniq } from "./commands/uniq.ts";
import { updateCaCertificates } from "./commands/update-ca-certificates.ts";
import { uptime } from "./commands/uptime.ts";
import { usleep } from "./commands/usleep.ts";
import { watch } from "./commands/watch.ts";
import { wc } from "./commands/wc.ts";
import { wget } from "./commands/wget.ts";
import { which } from "./commands/which.ts";
import { who } from "./commands/who.ts";
import { whoami } from "./commands/whoami.ts";
import { xargs } from "./commands/xargs.ts";
import { xxd } from "./commands/xxd.ts";
import { yes } from "./commands/yes.ts";
import { zcat } from "./commands/zcat.ts";
import { nano } from "./editor/nano.ts";
import { vi } from "./editor/vi.ts";
import { sh } from "./programs.ts";
import { busyboxVersion, runTool, toolProgram } from "./toolkit/run-tool.ts";
import type { CommandDefinition, Flavour } from "./toolkit/tool.ts";

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
  sysctl,
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
const gnuOnly: readonly CommandDefinition[] = [column, curl, dig, envsubst, getconf, getent, host, jq, lscpu, nano, ss, zgrep];
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

const oldBusyboxNslookup = programOf(oldNslookup, "busybox");

/** The multi-call binary: `busybox ls`, or by the name that it is called with. */
function busyboxOf(applets: ReadonlyMap<string, Program>): Program {
  return function* (self) {
    const called = (self.argv[0] ?? "").split("/").at(-1) as string;
    const own = called.startsWith("busybox");
    const applet = applets.get(own ? (self.argv[1] ?? "") : called);
    if (applet !== undefined && !own) return yield* applet(self);
    if (applet !== undefined) {
      const pid = self.spawn({ run: applet, argv: self.argv.slice(1) });
      return (yield* self.wait(pid))?.code ?? 0;
    }
    const name = self.argv[1];
    if (own && (name === undefined || name === "--help")) {
      const names = [...applets.keys()].sort().join(", ");
      yield* self.write(
        1,
        `${busyboxVersion}\nBusyBox is copyrighted by many authors between 1998-2024.\n\nUsage: busybox [function [arguments]...]\n\nCurrently defined functions:\n\t${names}\n`,
      );
      return 0;
    }
    if (own && name === "--list") {
      yield* self.write(1, `${[...applets.keys()].sort().join("\n")}\n`);
      return 0;
    }
    yield* self.write(2, `${own ? (name as string) : called}: applet not found\n`);
    return 127;
  };
}

/** To be provided as late programs: `gnu/ls`, `busybox/ls`, `busybox/busybox`; and what an old busybox did otherwise. */
export const shellPrograms: ReadonlyMap<string, Program> = new Map([
  ...[...coreutils].map(([name, program]) => [`gnu/${name}`, program] as const),
  ...[...busyboxApplets].map(([name, program]) => [`busybox/${name}`, program] as const),
  ["busybox/busybox", busyboxOf(busyboxApplets)],
  ["busybox-1.28/busybox", busyboxOf(new Map([...busyboxApplets, ["nslookup", oldBusyboxNslookup]]))],
  ["busybox-1.28/nslookup", oldBusyboxNslookup],
]);
