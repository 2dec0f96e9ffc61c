import { describe, expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

describe("gzip and the programs that cut texts up", () => {
  it.each<readonly [script: string, gnu: string, busybox: string]>([
    [
      "seq 1000 > a; gzip a; ls a*; zcat a.gz | tail -n 1; gunzip a.gz; wc -l < a; ls",
      "a.gz\n1000\n1000\na\n",
      "a.gz\n1000\n1000\na\n",
    ],
    ["seq 9 | gzip | gunzip | tail -n 1; seq 9 | gzip -c > b; gzip -dc < b | wc -l; gzip -t b; echo $?", "9\n9\n0\n", "9\n9\n0\n"],
    [
      "seq 3 > a; seq 4 5 > b; gzip a b; cat a.gz b.gz | zcat; cat a.gz a.gz a.gz > c.gz; zcat c.gz | wc -l; head -c 60 c.gz | zcat; echo $?",
      "1\n2\n3\n4\n5\n9\n1\n2\n3\n1\n2\n3\n\ngzip: stdin: unexpected end of file\n1\n",
      "1\n2\n3\n4\n5\n9\n1\n2\n3\n1\n2\n3\nzcat: unexpected end of file\n1\n",
    ],
    ["echo x | gunzip; echo $?", "\ngzip: stdin: not in gzip format\n1\n", "gunzip: invalid magic\n1\n"],
    [
      "echo x > a; gunzip a; echo $?; mkdir sub; gzip sub; echo $?",
      "gzip: a: unknown suffix -- ignored\n2\ngzip: sub is a directory -- ignored\n2\n",
      "gunzip: a: unknown suffix - ignored\n1\ngzip: sub: Is a directory\n1\n",
    ],
    [
      "echo x > a; gzip -k a; gzip a; echo $?; gunzip nosuch.gz",
      "gzip: a.gz already exists;\tnot overwritten\n2\ngzip: nosuch.gz: No such file or directory\n",
      "gzip: can't open 'a.gz': File exists\n1\ngunzip: nosuch.gz: No such file or directory\n",
    ],
    [
      "seq 99 > a; gzip a; head -c 40 a.gz > b.gz; gunzip b.gz; echo $?",
      "\ngzip: b.gz: unexpected end of file\n1\n",
      "gunzip: unexpected end of file\n1\n",
    ],
    [
      "mkdir d; seq 500 > d/a; tar czf d.tgz d; rm -r d; tar tzf d.tgz; tar xf d.tgz; tail -n 1 d/a",
      "d/\nd/a\n500\n",
      "d/\nd/a\n500\n",
    ],
    [
      "seq 5 > a; tar cf a.tar a; tar xzf a.tar; echo $?",
      "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n2\n",
      "tar: invalid magic\ntar: short read\n1\n",
    ],
    [
      "printf 'a b c\\n' > f; cksum f; cksum < f; cksum nosuch",
      "2255571629 6 f\n2255571629 6\ncksum: nosuch: No such file or directory\n",
      "2255571629 6 f\n2255571629 6\ncksum: can't open 'nosuch': No such file or directory\n",
    ],
    [
      "echo abcdefghij | fold -w 4; printf 'a b c d e f\\n' | fold -s -w 4",
      "abcd\nefgh\nij\na b \nc d \ne f\n",
      "abcd\nefgh\nij\na b \nc d \ne f\n",
    ],
    [
      "printf 'a\\tb\\n\\tc\\td\\n' | expand -t 4; printf '\\tc\\td\\n' | expand -i | cat -A",
      "a   b\n    c   d\n        c^Id$\n",
      "a   b\n    c   d\n        c^Id$\n",
    ],
    [
      "seq 10 | split -l 4; ls; cat xac; seq 5 | split -b 4 -d - p; ls p*",
      "xaa\nxab\nxac\n9\n10\np00\np01\np02\n",
      "xaa\nxab\nxac\n9\n10\np00\np01\np02\n",
    ],
    [
      "split nosuch; seq 3 | split -n 2",
      "split: cannot open 'nosuch' for reading: No such file or directory\nsplit: option -n is not supported here\n",
      "split: can't open 'nosuch': No such file or directory\nsplit: option -n is not supported here\n",
    ],
    [
      "seq 9 | shuf | sort | tr -d '\\n'; shuf -i 1-9 -n 2 | wc -l; shuf -e a; shuf -i 3-1",
      "1234567892\na\nshuf: invalid input range: ‘3-1’\n",
      "1234567892\na\nshuf: bad range '3-1'\n",
    ],
  ])("%s", (script, gnu, busybox) => {
    const run = (flavour: "gnu" | "busybox") => runShell(`exec 2>&1; mkdir /tmp/w; cd /tmp/w; ${script}`, flavour).stdout;
    expect([run("gnu"), run("busybox")]).toEqual([gnu, busybox]);
  });

  it("shuf gives the same order from the same seed", () => {
    expect(runShell("seq 20 | shuf").stdout).toBe(runShell("seq 20 | shuf").stdout);
  });

  it("zgrep looks into packed files and into the others", () => {
    const script =
      "printf 'sensor 4\\nwind\\n' > a; printf 'sensor 5\\n' > b; gzip a; zgrep sensor a.gz b; zgrep -hc wind *; zgrep sensor < a.gz; zgrep x nosuch.gz; echo $?; ls";
    expect(runShell(`exec 2>&1; mkdir /tmp/w; cd /tmp/w; ${script}`).stdout).toBe(
      "a.gz:sensor 4\nb:sensor 5\n1\n0\nsensor 4\ngzip: nosuch.gz: No such file or directory\n2\na.gz\nb\n",
    );
  });
});
