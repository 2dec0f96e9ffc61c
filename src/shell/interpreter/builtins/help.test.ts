import { expect, it } from "vitest";
import { runShell } from "../../shell.test-kit.ts";
import { helpTopics } from "./help.ts";
import { builtins } from "./index.ts";

it("help knows every builtin, and no other", () => {
  expect([...helpTopics].sort()).toEqual([...builtins.keys()].sort());
});

it("help NAME says how a builtin is called, and that there is no such thing with status 1", () => {
  expect(runShell("help cd; help -s wait; help frob; echo $?")).toMatchObject({
    stdout: "cd: cd [-L|[-P [-e]] [-@]] [dir]\nwait: wait [-fn] [-p var] [id ...]\n1\n",
    stderr: "bash: line 1: help: no help topics match `frob'.  Try `help help' or `man -k frob' or `info frob'.\n",
  });
});
