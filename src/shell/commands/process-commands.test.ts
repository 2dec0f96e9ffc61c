import { describe, expect, it } from "vitest";
import { printed, runShell, terminalShell } from "../shell.test-kit.ts";
import { sizeText } from "./ps/busybox.ts";

describe("programs that act on processes and machines", () => {
  it.each<readonly [script: string, gnu: string, busybox: string]>([
    ["killall nosuch", "nosuch: no process found\n1\n", "killall: nosuch: no process killed\n1\n"],
    ["sleep 100 & killall -0 sleep; echo $?; killall sleep; wait; pidof sleep", "0\n1\n", "0\n1\n"],
    ["killall -s NOPE sleep", "NOPE: unknown signal; killall -l lists signals.\n1\n", "killall: bad signal name 'NOPE'\n1\n"],
    ["sleep 9 & sleep 9 & pidof sleep; pidof -s sleep; pidof nosuch", "4 3\n4\n1\n", "4 3\n4\n1\n"],
    ["sleep 9 & sleep 9 & pgrep -o sleep; pgrep -n sleep; pkill -o sleep; pgrep sleep", "3\n4\n4\n0\n", "3\n4\n4\n0\n"],
    ["nice; nice -n 0 echo hi", "0\nhi\n0\n", "0\nhi\n0\n"],
    [
      "nice -n 5 echo hi",
      "nice: cannot set niceness: Function not implemented\n125\n",
      "nice: cannot set niceness: Function not implemented\n1\n",
    ],
    [
      "renice 5 999999",
      "renice: failed to get priority for 999999 (process ID): No such process\n1\n",
      "renice: setpriority: No such process\n1\n",
    ],
    ["setsid sh -c 'ps -o pid,pgid | tail -n +2 | head -0; echo in'", "in\n0\n", "in\n0\n"],
    [
      "setsid nosuch",
      "setsid: failed to execute nosuch: No such file or directory\n127\n",
      "setsid: can't execute 'nosuch': No such file or directory\n127\n",
    ],
    [
      "chroot /nosuch",
      "chroot: cannot change root directory to '/nosuch': No such file or directory\n125\n",
      "chroot: can't change root directory to '/nosuch': No such file or directory\n1\n",
    ],
    [
      "umount /nosuch",
      "umount: /nosuch: no mount point specified.\n32\n",
      "umount: can't unmount /nosuch: No such file or directory\n1\n",
    ],
    ["umount /root", "umount: /root: not mounted.\n32\n", "umount: can't unmount /root: Invalid argument\n1\n"],
    [
      "taskset -p 1; taskset -cp 1",
      "pid 1's current affinity mask: f\npid 1's current affinity list: 0-3\n0\n",
      "pid 1's current affinity mask: f\npid 1's current affinity list: 0-3\n0\n",
    ],
    [
      "taskset 1 echo hi",
      "taskset: failed to set pid 0's affinity: Function not implemented\n1\n",
      "taskset: failed to set pid 0's affinity: Function not implemented\n1\n",
    ],
    [
      "getconf PAGESIZE; getconf _NPROCESSORS_ONLN; getconf NOPE",
      "4096\n4\ngetconf: Unrecognized variable `NOPE'\n2\n",
      "sh: getconf: not found\nsh: getconf: not found\nsh: getconf: not found\n127\n",
    ],
    ["usleep 500; echo ok", "bash: line 1: usleep: command not found\nok\n0\n", "ok\n0\n"],
    ["who", "0\n", "0\n"],
    [
      "stty size",
      "stty: 'standard input': Inappropriate ioctl for device\n1\n",
      "stty: standard input: Inappropriate ioctl for device\n1\n",
    ],
    ["ulimit -z", "bash: line 1: ulimit: -z: invalid option\n2\n", "sh: ulimit: -z: invalid option\n2\n"],
  ])("%s", (script, gnu, busybox) => {
    const run = (flavour: "gnu" | "busybox") => runShell(`exec 2>&1; ${script}; echo $?`, flavour).stdout;
    expect([run("gnu"), run("busybox")]).toEqual([gnu, busybox]);
  });

  it.each<readonly [script: string, gnu: string, busybox: string]>([
    ["timeout 1 sh -c 'sh -c \"sleep 2; echo late\" & wait'; echo $?; sleep 3", "124\n", "143\nlate\n"],
    ["timeout --foreground 1 sh -c 'sh -c \"sleep 2; echo late\" & wait'; echo $?; sleep 3", "124\nlate\n", ""],
    ["timeout 1 sh -c 'trap \"exit 3\" TERM; sleep 5 & wait'; echo $?", "124\n", "3\n"],
    ["(timeout -s KILL 1 sleep 5) 2> /dev/null; echo $?", "137\n", "137\n"],
    ["timeout 1 true; echo $?; timeout 1 sleep 5; echo $?; echo on", "0\n124\non\n", "0\n143\non\n"],
  ])("what has run too long ends, on GNU machines with what it started: %s", (script, gnu, busybox) => {
    expect(runShell(script, "gnu").stdout).toBe(gnu);
    if (busybox !== "") expect(runShell(script, "busybox").stdout).toBe(busybox);
  });

  it("chroot makes a directory the root of what it runs", () => {
    const script = "mkdir -p /host/bin; cp /bin/busybox /host/bin/ls; chroot /host /bin/ls /; ls -d /root";
    expect(runShell(script, "busybox")).toEqual({ stdout: "bin\n/root\n", stderr: "", code: 0 });
  });
});

describe("ps", () => {
  const two = "sleep 7 & sleep 8 & ";

  it.each<readonly [script: string, output: string]>([
    ["ps -C sleep -o args=", "sleep 7\nsleep 8\n"],
    ["ps -fC sleep --no-headers | wc -l", "2\n"],
    ["ps -o pid= -p 3,4", "3\n4\n"],
    ["ps -C nosuch; echo $?", "    PID TTY          TIME CMD\n1\n"],
    ["ps -u root -o comm= | grep -c sleep; ps -U 0 -o comm= | grep -c sleep", "2\n2\n"],
    ["ps -eo pid,args --sort=-pid | grep ' sleep .$'", "  4 sleep 8\n  3 sleep 7\n"],
    ["ps aux --sort -pid --no-headers | grep -o 'sleep .$'", "sleep 8\nsleep 7\n"],
    ["ps -C sleep -o user:12,pid:5,args", "USER           PID COMMAND\nroot             3 sleep 7\nroot             4 sleep 8\n"],
  ])("shows those of a name, a number or a user, in the order asked for: %s", (script, output) => {
    expect(runShell(`exec 2>&1; ${two}${script}`).stdout).toBe(output);
  });

  it("shows a name whole where its column is wide enough", () => {
    const script = "sleep 7 & ps -C sleep -o user; ps -C sleep -o user:14; ps -C sleep -o user:4=";
    const names = "echo systemd-network:x:0:0::/:/bin/sh > /etc/passwd;";
    expect(runShell(`${names} ${script}`).stdout).toBe("USER\nsystemd+\nUSER\nsystemd-networ\nsyst\n");
  });

  it.each<readonly [words: string, message: string]>([
    ["-u nobody-here", "user name does not exist"],
    ["-C", "list of command names must follow -C"],
    ["-p one", "process ID list syntax error"],
    ["-eo pid,nope", 'unknown user-defined format specifier "nope"'],
    ["--sort=nope", "unknown sort specifier"],
    ["--nope", "unknown gnu long option"],
    ["-eQ", "unsupported SysV option"],
    ["auxQ", "unsupported option (BSD syntax)"],
  ])("refuses what it does not know: ps %s", (words, message) => {
    expect(runShell(`ps ${words}`)).toEqual({ stdout: "", stderr: `ps: error: ${message}\n\nUsage:\n ps [options]\n`, code: 1 });
  });
});

describe("busybox's ps", () => {
  const supported = "user,group,comm,args,pid,ppid,pgid,etime,nice,rgroup,ruser,time,tty,vsz,sid,stat,rss";

  it.each<readonly [words: string, output: string]>([
    ["", "PID   USER     TIME  COMMAND\n    1 root      0:00 init\n    2 root      0:00 sh -c exec 2>&1"],
    ["aux", "PID   USER     TIME  COMMAND\n    1 root      0:00 init\n    2 root      0:00 sh -c exec 2>&1"],
    ["-o pid,comm", "PID   COMMAND\n    1 init\n    2 sh\n"],
    ["-o pid,ppid,args=WHAT,AND", "PID   PPID  WHAT,AND\n    1     0 init\n    2     0 sh -c exec 2>&1"],
    ["-o pid=", "    1\n"],
    ["-o stat,nice,tty,group -o rss=KILOBYTES", "STAT NI    TT     GROUP    KILOBYTES\nS        0 ?      root     "],
    ["-o args,pid", "COMMAND\ninit\nsh -c exec 2>&1"],
    ["-ef -o user", "USER\nroot\n"],
    ["-o pid,cmd", `ps: bad -o argument 'cmd', supported arguments: ${supported}\n`],
    ["-o pid,", `ps: bad -o argument '', supported arguments: ${supported}\n`],
    [
      "-x",
      "ps: invalid option -- 'x'\nBusyBox v1.37.0 (2024-09-26 21:31:42 UTC) multi-call binary.\n\nUsage: ps [-o COL1,COL2=HEADER]",
    ],
    ["-o", "ps: option requires an argument -- 'o'\n"],
    ["-T", "ps: option -T is not supported here\n"],
  ])("shows the columns that it has, and tells them to who asks for others: ps %s", (words, output) => {
    expect(runShell(`exec 2>&1; ps ${words}`, "busybox").stdout.slice(0, output.length)).toBe(output);
  });

  it.each<readonly [kilobytes: number, text: string]>([
    [9999, "9999"],
    [10_000, "9.7m"],
    [12 * 1024, " 12m"],
    [200 * 1024, "200m"],
    [1500 * 1024, "1.4g"],
  ])("says %d kB in four places", (kilobytes, text) => {
    expect(sizeText(kilobytes * 1024)).toBe(text);
  });
});

describe("a named pipe", () => {
  it.each<readonly [script: string, output: string]>([
    ["mkfifo p; ls -l p | cut -c1; test -p p && echo pipe; mkfifo p", "p\npipe\nmkfifo: cannot create fifo 'p': File exists\n"],
    ["mkfifo p; cat p & echo hi > p; wait; echo end", "hi\nend\n"],
    ["mkfifo p; echo hi > p & sleep 1; cat < p; wait", "hi\n"],
    ["mkfifo p; (sleep 2; : > p) & cat p; date +%S", "02\n"],
    ["mkfifo p; yes > p & head -n 1 p; wait $!; echo $?", "y\n141\n"],
    ["mkfifo p; timeout 1 sh -c ': > p'; echo $?", "124\n"],
    ["mkfifo p; exec 3<>p; echo a >&3; read x <&3; echo $x", "a\n"],
    ["mkfifo p; cat p > out & for i in 1 2 3; do echo $i; done > p; wait; cat out", "1\n2\n3\n"],
  ])("%s", (script, output) => {
    expect(runShell(`exec 2>&1; cd /tmp; ${script}`).stdout).toBe(output);
  });
});

describe("stty", () => {
  it("shows and changes what the terminal has", () => {
    const { type, terminal } = terminalShell();
    const run = (line: string) => printed(type(`${line}\r`));
    expect(run("stty size")).toBe("24 80\n");
    expect(run("stty -a")).toBe(`speed 38400 baud; rows 24; columns 80; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
eol2 = <undef>; swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R;
werase = ^W; lnext = ^V; discard = ^O; min = 1; time = 0;
-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts
-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff
-iuclc -ixany -imaxbel -iutf8
opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0
isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt
echoctl echoke -flusho -extproc
`);
    expect(run("stty -echo; stty; stty rows 9; stty foo; stty sane; stty")).toBe(`speed 38400 baud; line = 0;
-brkint -imaxbel
-echo
stty: rows is not supported here
stty: invalid argument ‘foo’
Try 'stty --help' for more information.
speed 38400 baud; line = 0;
-brkint -imaxbel
`);
    expect(terminal.modes.echo).toBe(false);
  });
});

describe("mount and umount", () => {
  it.each<readonly [script: string, gnu: string, busybox: string]>([
    [
      "mkdir /a /b; echo one > /a/f; mount --bind /a /b && cat /b/f; mount | grep -c ' on /b '; umount /b; ls /b; umount /b",
      "one\n1\numount: /b: not mounted.\n32\n",
      "one\n1\numount: can't unmount /b: Invalid argument\n1\n",
    ],
    [
      "mkdir /a; mount -t tmpfs -o ro,size=1m,nosuid tmpfs /a; mount | grep ' on /a '; echo x > /a/f",
      "tmpfs on /a type tmpfs (ro,relatime)\nbash: line 1: /a/f: Read-only file system\n1\n",
      "tmpfs on /a type tmpfs (ro,relatime)\nsh: can't create /a/f: Read-only file system\n1\n",
    ],
    [
      "mkdir /a; mount -t tmpfs -o nosuch tmpfs /a",
      "mount: /a: wrong fs type, bad option, bad superblock on tmpfs, missing codepage or helper program, or other error.\n       dmesg(1) may have more information after failed mount system call.\n32\n",
      "mount: mounting tmpfs on /a failed: Invalid argument\n1\n",
    ],
    [
      "mount --bind /nope /root",
      "mount: /root: special device /nope does not exist.\n       dmesg(1) may have more information after failed mount system call.\n32\n",
      "mount: mounting /nope on /root failed: No such file or directory\n1\n",
    ],
    [
      "mount /dev/vdb /root",
      "mount: /root: special device /dev/vdb does not exist.\n       dmesg(1) may have more information after failed mount system call.\n32\n",
      "mount: mounting /dev/vdb on /root failed: No such file or directory\n1\n",
    ],
    ["mount /root", "mount: /root: can't find in /etc/fstab.\n1\n", "mount: can't find /root in /etc/fstab\n1\n"],
  ])("%s", (script, gnu, busybox) => {
    const run = (flavour: "gnu" | "busybox") => runShell(`exec 2>&1; ${script}; echo $?`, flavour).stdout;
    expect([run("gnu"), run("busybox")]).toEqual([gnu, busybox]);
  });
});
