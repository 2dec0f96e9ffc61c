import { describe, expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

describe("envsubst", () => {
  it.each([
    ["printf '$A ${B} $C ${A:-x} $$ \\\\$A ${ $1 $A_B ${A}_B $A-$B\\n' | envsubst", "1 x y  ${A:-x} $$ \\1 ${ $1  1_B 1-x y\n"],
    ["printf 'no newline $A' | envsubst", "no newline 1"],
    ["printf '$A $B\\n' | envsubst '$B and ${D}'", "$A x y\n"],
    ["envsubst -v '$A ${B} $A x$C-'", "A\nB\nA\nC\n"],
    ["envsubst '$A' x; echo $?", "envsubst: too many arguments\n1\n"],
    ["envsubst -v; echo $?", "envsubst: missing arguments\n1\n"],
    ["envsubst -q; echo $?", "envsubst: invalid option -- 'q'\nTry 'envsubst --help' for more information.\n1\n"],
  ])("%s", (script, output) => {
    expect(runShell(`exec 2>&1; export A=1 B='x y'; ${script}`, "gnu").stdout).toBe(output);
  });
});
