import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Program } from "#sim/program.ts";
import { printed, terminalShell } from "../shell.test-kit.ts";

describe("editing a line", () => {
  it.each([
    ["moves and inserts", "echo ac\x1b[Db", "abc"],
    ["kills to the end and yanks back", "echo one two\x17\x17\x19", "one"],
    ["goes to the start and the end", "ho hi\x01ec\x05!", "hi!"],
    ["deletes backwards over wide characters", "echo 你好\x7f们", "你们"],
    ["transposes", "echo ab\x14", "ba"],
    ["moves by words", "echo one two\x1bb\x1bbX", "Xone two"],
    ["deletes the word before the cursor", "echo one two\x17three", "one three"],
  ])("%s", (_title, keys, expected) => {
    const { type } = terminalShell();
    expect(printed(type(`${keys.replace(/\r$/u, "")}\r`))).toBe(`${expected}\n`);
  });

  it("redraws a wrapped line on all of its rows", () => {
    const { type } = terminalShell({ columns: 10 });
    type("echo 12345678");
    // "$ echo 12345678" is 15 columns: the cursor stands in the second row, column 5.
    expect(type("9").endsWith("\r\x1b[6C")).toBe(true);
    expect(type("你")).toContain("\x1b[1A\x1b[J$ echo 123456789你");
  });

  it("inserts a paste with newlines as text and runs it as commands when entered", () => {
    const { type } = terminalShell();
    expect(printed(type("\x1b[200~echo a\necho b\x1b[201~\r"))).toBe("a\nb\n");
  });
});

describe("history", () => {
  it("walks back and forth, keeps what was being written", () => {
    const { type } = terminalShell();
    type("echo one\r");
    type("echo two\r");
    expect(printed(type("\x1b[A\x1b[A\r"))).toBe("one\n");
    expect(printed(type("echo new\x1b[A\x1b[B\r"))).toBe("new\n");
  });

  it("searches backwards with Ctrl-R", () => {
    const { type } = terminalShell();
    type("echo alpha\r");
    type("echo beta\r");
    expect(printed(type("\x12alp\r"))).toBe("alpha\n");
  });

  it("expands !! and !$", () => {
    const { type } = terminalShell();
    type("echo one two\r");
    expect(printed(type("!!\r"))).toBe("echo one two\none two\n");
    expect(printed(type("echo !$\r"))).toBe("echo two\ntwo\n");
    expect(printed(type("!nosuch\r"))).toContain("bash: !nosuch: event not found\n");
  });

  it("does not expand in a here-document nor in quotes that span lines", () => {
    const { type } = terminalShell();
    expect(printed(type("cat <<EOF\ra !nosuch b\rEOF\r"))).toContain("a !nosuch b\n");
    expect(printed(type("cat <<'EOF'\r*[!0-9]*) x\rEOF\r"))).toContain("*[!0-9]*) x\n");
    expect(printed(type("echo 'one\r!nosuch' two\r"))).toContain("one\n!nosuch two\n");
    expect(printed(type("echo 'one\r' !nosuch\r"))).toContain("bash: !nosuch: event not found\n");
  });

  it("joins lines that end in a backslash, except in a comment", () => {
    const { type } = terminalShell();
    expect(printed(type("echo one \\\r  two '#' \\\r  three\r"))).toMatch(/one two # three\n$/u);
    expect(printed(type("echo one \\\\\r"))).toBe("one \\\n");
    expect(printed(type("echo one # not two \\\r"))).toBe("one\n");
  });

  it.each([
    ["&&", "echo a && \\\recho b\r", "a\nb\n"],
    ["|", "echo a | \\\rcat\r", "a\n"],
    ["do", "for i in 1 2; do \\\r echo $i; done\r", "1\n2\n"],
    [">", "echo a > \\\r/dev/stderr\r", "a\n"],
    ["( at the line's end", "(\recho a)\r", "a\n"],
    ["{ at the line's end", "{ \\\recho a; }\r", "a\n"],
  ])("goes on with the next line after %s", (_title, keys, expected) => {
    const { type } = terminalShell();
    expect(
      printed(type(keys))
        .replaceAll(/^(?:> )+/gmu, "")
        .endsWith(expected),
    ).toBe(true);
    expect(printed(type("echo $?\r"))).toBe("0\n");
  });

  it("keeps the lines in ~/.bash_history", () => {
    const { type, files } = terminalShell();
    type("echo kept\r");
    type("\x04");
    expect(decodeUtf8(files.readFile("/root/.bash_history"))).toBe("echo kept\n");
  });
});

describe("completion", () => {
  const files = { "/root/alpha.yaml": "a\n", "/root/alpine.yaml": "b\n", "/root/my file": "c\n", "/root/dir/x": "d\n" };

  it("completes a file up to where names part, then lists them", () => {
    const { type } = terminalShell({ files });
    expect(type("cat al\t")).toContain("cat alp");
    expect(type("\t\t")).toContain("alpha.yaml   alpine.yaml\r\n");
    expect(printed(type("h\t\r"))).toBe("a\n");
  });

  it("escapes blanks in names and opens directories", () => {
    const { type } = terminalShell({ files });
    expect(printed(type("cat my\t\r"))).toBe("c\n");
    expect(printed(type("cat d\t\t\r"))).toBe("d\n");
  });

  it("completes commands and variables", () => {
    const { type } = terminalShell({ files });
    expect(printed(type("basena\t/a/b\r"))).toBe("b\n");
    type("LONGNAME=v\r");
    expect(printed(type("echo $LONGN\t\r"))).toBe("v\n");
  });

  it("asks a program that speaks cobra's protocol", () => {
    const kubectl: Program = function* (self) {
      if (self.argv[1] === "__complete")
        yield* self.write(
          1,
          `${self.argv.slice(2, -1).join(" ") === "get" ? "pods\tPods\nservices\nsecrets\n" : "get\ndelete\n"}:4\n`,
        );
      else yield* self.write(1, `${self.argv.slice(1).join(" ")}\n`);
      return 0;
    };
    const { type } = terminalShell({ files: { "/usr/bin/kubectl": kubectl } });
    type("alias k=kubectl; complete -o default -F __start_kubectl kubectl k\r");
    expect(printed(type("kubectl ge\tpo\t\r"))).toBe("get pods\n");
    expect(type("k get s\t\t")).toContain("secrets   services\r\n");
  });
});

describe("jobs", () => {
  it("interrupts the foreground job and goes on", () => {
    const { type } = terminalShell();
    type("sleep 100\r");
    expect(type("\x03")).toContain("^C");
    expect(printed(type("echo $?\r"))).toBe("130\n");
  });

  it("ends a loop with Ctrl-C, whether it runs programs or only builtins", () => {
    const { type } = terminalShell();
    type("while true; do sleep 1; done\r");
    type("\x03");
    expect(printed(type("echo after\r"))).toBe("after\n");
    type("while true; do :; done\r");
    type("\x03");
    expect(printed(type("echo again\r"))).toBe("again\n");
  });

  it("stops, lists, continues and kills jobs", () => {
    const { type } = terminalShell();
    type("sleep 100\r");
    expect(type("\x1a")).toContain("[1]+  Stopped                 sleep 100");
    expect(printed(type("bg\r"))).toBe("[1]+ sleep 100 &\n");
    expect(printed(type("jobs\r"))).toBe("[1]+  Running                 sleep 100 &\n");
    expect(printed(type("kill %1\r"))).toContain("[1]+  Terminated              sleep 100");
  });

  it("leaves a partly typed line with Ctrl-C and the shell with Ctrl-D", () => {
    const { type, handle } = terminalShell();
    expect(type("echo not run\x03")).toContain("^C\r\n");
    expect(type("\x04")).toContain("exit\r\n");
    expect(handle.exit?.code).toBe(130);
  });

  // bash's exit says its name; busybox's (shell/ash.c, exitcmd) says nothing.
  it.each([
    ["gnu", "exit\n"],
    ["busybox", ""],
  ] as const)("leaves the shell of %s with exit, which says %j", (flavour, said) => {
    const { type, handle } = terminalShell({ flavour });
    expect(printed(type("exit 3\r"))).toBe(said);
    expect(handle.exit?.code).toBe(3);
  });

  it("asks for more lines until a command is complete", () => {
    const { type } = terminalShell();
    expect(type("for i in 1 2\r")).toContain("> ");
    type("do echo $i\r");
    expect(printed(type("done\r"))).toBe("1\n2\n");
    type("cat <<EOF\r");
    type("here\r");
    expect(printed(type("EOF\r"))).toBe("here\n");
  });
});
