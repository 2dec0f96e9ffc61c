import { describe, expect, it } from "vitest";
import { runShell } from "./shell.test-kit.ts";

describe("busybox's shell and applets", () => {
  it.each([
    ["nosuch", "", "sh: nosuch: not found\n", 127],
    ["cat /nope", "", "cat: can't open '/nope': No such file or directory\n", 1],
    ["cat /tmp", "", "cat: read error: Is a directory\n", 1],
    ["ls /nope", "", "ls: /nope: No such file or directory\n", 1],
    ["rm /nope", "", "rm: can't remove '/nope': No such file or directory\n", 1],
    ["mkdir /tmp", "", "mkdir: can't create directory '/tmp': File exists\n", 1],
    ["cd /nope", "", "sh: cd: can't cd to /nope: No such file or directory\n", 2],
    ["echo a b | awk '{print $2}'; busybox echo hi", "b\nhi\n", "", 0],
    ["busybox nosuch", "", "nosuch: applet not found\n", 127],
    ["sh -c 'sleep 1\n:\n' & sleep 0.1; ps | grep -o 'sh -c slee[p].*' | cat -A", "sh -c sleep 1 :$\n", "", 0],
    ["stat -f -c %T /proc /dev /sys/fs/cgroup", "proc\ntmpfs\nUNKNOWN\n", "", 0],
    ["fallocate -l 5M /tmp/f; fallocate -l 1k /tmp/f; stat -c %s /tmp/f; du -m /tmp/f", "5242880\n5\t/tmp/f\n", "", 0],
    ["wget -q -O- http://nosuchhost/", "", "wget: bad address 'nosuchhost'\n", 1],
    ["wget -q -O- http://127.0.0.1:9/", "", "wget: can't connect to remote host (127.0.0.1): Connection refused\n", 1],
  ])("%s", (script, stdout, stderr, code) => {
    expect(runShell(script, "busybox")).toEqual({ stdout, stderr, code });
  });

  it("tar packs and unpacks, with the permissions that it is told to", () => {
    const deep = `${"folder/".repeat(16)}x`;
    const pack = `mkdir -p /tmp/a /tmp/b /tmp/c; cd /tmp/a; mkdir -p ${deep}; echo hi > ${deep}/y; chmod 777 ${deep}/y; tar cf /tmp/a.tar folder`;
    const unpack = `tar xf /tmp/a.tar -C /tmp/b; tar --no-same-permissions --no-same-owner -xmf /tmp/a.tar -C /tmp/c`;
    const look = `for each in b c; do cat /tmp/$each/${deep}/y; stat -c %a /tmp/$each/${deep}/y; done`;
    expect(runShell(`${pack}; ${unpack}; ${look}`, "busybox")).toEqual({ stdout: "hi\n777\nhi\n755\n", stderr: "", code: 0 });
    expect(runShell("echo no > /tmp/x; tar tf /tmp/x; head -c 600 /dev/zero | tr '\\0' a | tar t", "busybox").stderr).toBe(
      "tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n",
    );
  });

  it("tar names the directory that it cannot go to", () => {
    const script = "cd /tmp; echo hi > a; tar cf a.tar a; tar xf a.tar -C none; echo $?; tar cf b.tar -C none a; echo $?";
    const said = "tar: can't change directory to 'none': No such file or directory\n";
    expect(runShell(script, "busybox")).toEqual({ stdout: "1\n1\n", stderr: said + said, code: 0 });
    const gnu = "tar: none: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n";
    expect(runShell(script, "gnu")).toEqual({ stdout: "2\n2\n", stderr: gnu + gnu, code: 0 });
  });

  it("keeps $_ out of the environment, where bash exports it", () => {
    const script = "env | grep '^_='; echo $?";
    expect(runShell(script, "busybox").stdout).toBe("1\n");
    expect(runShell(script).stdout).toMatch(/^_=\S*\/env\n0\n$/u);
  });

  it("[POD-324] takes {1..100} for one word, where bash counts", () => {
    const script = "for i in {1..100}; do echo $i; done";
    expect(runShell(script, "busybox").stdout).toBe("{1..100}\n");
    expect(runShell(script).stdout.split("\n")).toHaveLength(101);
  });
});
