import { expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { terminalShell } from "../shell.test-kit.ts";
import { ShownScreen } from "./screen.test-kit.ts";

const yaml = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n";

function open(command: string, files: { readonly [path: string]: string } = { "/root/web.yaml": yaml }) {
  const shell = terminalShell({ files: { ...files } });
  const screen = new ShownScreen();
  shell.terminal.onOutput = (bytes) => screen.write(decodeUtf8(bytes));
  const press = (keys: string): string => {
    shell.terminal.input(encodeUtf8(keys));
    shell.simulation.advance(300);
    return screen.text;
  };
  press(`${command}\r`);
  const file = (path: string): string => shell.kernel.files(shell.mounts).readText(path);
  return { ...shell, screen, press, file };
}

const up = "\x1b[A";
const down = "\x1b[B";
const right = "\x1b[C";
const end = "\x1b[F";

it("shows nano's title bar, text, status and shortcuts", () => {
  const { screen } = open("nano web.yaml");
  expect(screen.fullScreen).toBe(true);
  expect(screen.rows).toEqual([
    "  GNU nano 7.2                      web.yaml",
    ...yaml.trimEnd().split("\n"),
    ...Array.from({ length: 14 }, () => ""),
    "                                [ Read 6 lines ]",
    "^G Help      ^O Write Out ^W Where Is  ^K Cut       M-U Undo     ^C Location",
    "^X Exit      ^R Read File ^\\ Replace   ^U Paste     M-E Redo     ^/ Go To Line",
  ]);
  expect(screen.cursor).toEqual([1, 0]);
});

it("changes a file and saves it with ^O Enter ^X", () => {
  const { press, screen, file } = open("nano web.yaml");
  press(`${down.repeat(5)}${end}\x7f5`);
  expect(screen.rows[0]).toMatch(/web\.yaml +Modified$/u);
  expect(press("\x0f")).toContain("File Name to Write: web.yaml");
  expect(press("\r")).toContain("[ Wrote 6 lines ]");
  expect(press("\x18")).toMatch(/\$$/u);
  expect(screen.fullScreen).toBe(false);
  expect(file("/root/web.yaml")).toBe(yaml.replace("3", "5"));
});

it("asks before it leaves a changed text", () => {
  const { press, screen, file } = open("nano web.yaml");
  press("x");
  const asked = press("\x18");
  expect(asked).toContain("Save modified buffer?");
  expect(asked).toContain(" Y Yes");
  expect(press("\x03")).toContain("[ Cancelled ]");
  press("\x18n");
  expect(screen.fullScreen).toBe(false);
  expect(file("/root/web.yaml")).toBe(yaml);
});

it("cuts lines together, pastes them, and takes both back", () => {
  const { press, screen } = open("nano web.yaml");
  press("\x0b\x0b");
  expect(screen.rows[1]).toBe("metadata:");
  press("\x15");
  expect(screen.rows.slice(1, 4)).toEqual(["apiVersion: apps/v1", "kind: Deployment", "metadata:"]);
  press("\x1bu\x1bu\x1bu");
  expect(screen.rows.slice(1, 7).join("\n")).toBe(yaml.trimEnd());
});

it("searches around the end and says where it is", () => {
  const { press, screen } = open("nano web.yaml");
  press("\x17REPL\r");
  expect(screen.cursor).toEqual([6, 2]);
  expect(press("\x03")).toContain("[ line 6/7 (85%), col  3/14 ( 21%), char 67/79 (84%) ]");
  expect(press("\x17kind\r")).toContain("[ Search Wrapped ]");
  expect(press("\x17nothing\r")).toContain('[ "nothing" not found ]');
});

it("replaces all occurrences", () => {
  const { press } = open("nano a.txt", { "/root/a.txt": "one two one\none\n" });
  const after = press("\x1cone\rthree\ra");
  expect(after).toContain("three two three\nthree");
  expect(after).toContain("[ Replaced 3 occurrences ]");
});

it("puts two blanks for Tab into YAML", () => {
  const { press, screen } = open("nano new.yaml", {});
  expect(screen.text).toContain("[ New File ]");
  press("spec:\r\ta: 1");
  expect(screen.rows.slice(1, 3)).toEqual(["spec:", "  a: 1"]);
});

it("keeps the cursor on the right cell with wide characters", () => {
  const { press, screen } = open("nano a.txt", { "/root/a.txt": "集群x\n" });
  press(right + right);
  expect(screen.cursor).toEqual([1, 4]);
  press("の");
  expect(screen.rows[1]).toBe("集群のx");
  expect(screen.cursor).toEqual([1, 6]);
  press("\x7f\x7f");
  expect(screen.rows[1]).toBe("集x");
});

it("scrolls a large file and draws anew at another size", () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join("");
  const { press, screen, terminal, simulation } = open("nano big.txt", { "/root/big.txt": text });
  press("\x1b/");
  expect(screen.text).toContain("line 5000");
  press("\x1b[5~");
  expect(screen.text).not.toContain("line 5000");
  press("\x1f10\r");
  expect(screen.text).toContain("line 10\n");
  terminal.resize(60, 10);
  simulation.advance(100);
  expect(screen.rows).toHaveLength(10);
  expect(screen.rows[0]).toMatch(/^ {2}GNU nano 7\.2 +big\.txt$/u);
  expect(screen.rows[8]).toBe("^G Help     ^O Write Out^W Where Is ^K Cut      M-U Undo");
});

it("refuses directories and files that cannot be written", () => {
  expect(open("nano /tmp").screen.text).toContain('[ "/tmp" is a directory ]');
  const { press } = open("nano web.yaml");
  expect(press("\x0f\x15/nowhere/a\r")).toContain("[ Error writing /nowhere/a: No such file or directory ]");
});

it("is also called edit, and needs a terminal", () => {
  expect(open("edit web.yaml").screen.text).toContain("GNU nano");
  expect(open("echo | nano").screen.text).toContain("nano: Standard input is not a terminal");
});

const lines = "one two three\n  four five\nsix\n";

it.each([
  ["dd", "  four five\nsix\n"],
  ["2dd", "six\n"],
  ["yyp", "one two three\none two three\n  four five\nsix\n"],
  ["ddp", "  four five\none two three\nsix\n"],
  ["jddP", lines],
  ["x", "ne two three\n  four five\nsix\n"],
  ["3x", " two three\n  four five\nsix\n"],
  ["dw", "two three\n  four five\nsix\n"],
  ["wcwNEW\x1b", "one NEW three\n  four five\nsix\n"],
  ["wD", "one \n  four five\nsix\n"],
  ["wCx\x1b", "one x\n  four five\nsix\n"],
  ["ra", "ane two three\n  four five\nsix\n"],
  ["J", "one two three four five\nsix\n"],
  ["A!\x1b", "one two three!\n  four five\nsix\n"],
  ["jI!\x1b", "one two three\n  !four five\nsix\n"],
  ["onew\x1b", "one two three\nnew\n  four five\nsix\n"],
  ["Onew\x1b", "new\none two three\n  four five\nsix\n"],
  ["ix\x1b.", "xxone two three\n  four five\nsix\n"],
  ["dw.", "three\n  four five\nsix\n"],
  ["ddu", lines],
  ["3ia\x1b", "aaaone two three\n  four five\nsix\n"],
  ["/five\rx", "one two three\n  four ive\nsix\n"],
  ["/e\rnx", "one two thre\n  four five\nsix\n"],
  ["Gx", "one two three\n  four five\nix\n"],
  ["2Gx", "one two three\n  our five\nsix\n"],
  ["Gggx", "ne two three\n  four five\nsix\n"],
  ["$x", "one two thre\n  four five\nsix\n"],
  ["wbx", "ne two three\n  four five\nsix\n"],
  ["ftx", "one wo three\n  four five\nsix\n"],
  ["dG", "\n"],
  ["ciwX\x1b", "X two three\n  four five\nsix\n"],
  [":%s/o/0/g\r", "0ne tw0 three\n  f0ur five\nsix\n"],
  [":2d\r", "one two three\nsix\n"],
  ["xu\x12", "ne two three\n  four five\nsix\n"],
])("edits with vi: %j", (keys, result) => {
  const { press, file, screen } = open("vi a.txt", { "/root/a.txt": lines });
  press(keys);
  press(":wq\r");
  expect(screen.fullScreen).toBe(false);
  expect(file("/root/a.txt")).toBe(result);
});

it("shows vi's screen and messages", () => {
  const { press, screen, file } = open("vi web.yaml");
  expect(screen.rows).toEqual([
    ...yaml.trimEnd().split("\n"),
    ...Array.from({ length: 17 }, () => "~"),
    '"web.yaml" 6L, 79B                                            1,1',
  ]);
  expect(press("ix")).toMatch(/-- INSERT -- +1,2$/u);
  expect(press("\x1b:q\r")).toContain("E37: No write since last change (add ! to override)");
  expect(press(":foo\r")).toContain("E492: Not an editor command: foo");
  expect(press("/nothing\r")).toContain("E486: Pattern not found: nothing");
  expect(press(":set nu\r")).toContain("  2 kind: Deployment");
  expect(press(":w\r")).toContain('"web.yaml" 6L, 80B written');
  press("u");
  press(":q!\r");
  expect(screen.fullScreen).toBe(false);
  expect(file("/root/web.yaml")).toBe(`x${yaml}`);
});

it("leaves vi with ZZ and keeps the file without changes", () => {
  const { press, screen, file } = open("vi web.yaml");
  press(`${up}ZZ`);
  expect(screen.fullScreen).toBe(false);
  expect(file("/root/web.yaml")).toBe(yaml);
});
