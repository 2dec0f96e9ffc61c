// sudo on a node, typed through ssh.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("sudo on a node", () => {
  let learner: TypingLearner;

  beforeAll(() => {
    const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    learner = sitDown(world);
  });

  it.each([
    ["sudo systemctl is-active kubelet", "active\n"],
    ["sudo -n -E A=1 sh -c 'echo $A'; sudo -u root whoami", "1\nroot\n"],
    ["echo whoami | sudo -i; echo whoami | sudo su -", "root\nroot\n"],
    ["sudo false; echo $?", "1\n"],
    ["sudo nosuch; echo $?", "sudo: nosuch: command not found\n1\n"],
    ["sudo -l; echo $?", "sudo: option -l: not simulated\n1\n"],
    ["sudo; echo $?", "usage: sudo -h | -V\nusage: sudo [-EHin] [VAR=value] [command [arg ...]]\n1\n"],
  ])("%s", (line, output) => {
    expect(learner.run(`ssh node-1 "${line.replaceAll("$", "\\$")}"`)).toBe(output);
  });

  it("is not on the workstation, where nobody needs it", () => {
    expect(learner.run("sudo ls")).toContain("command not found");
  });
});
