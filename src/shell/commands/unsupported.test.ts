import { expect, it } from "vitest";
import { runShell } from "../shell.test-kit.ts";

it.each(["cp -l a b", "mv -u a b", "rm -i a", "sort -R a", "sed -z p a", "ln -sr a b", "ls -c"])(
  "refuses what it would not do: %s",
  (line) => {
    const { stdout, stderr, code } = runShell(`cd /tmp; touch a; ${line}`);
    expect({ stdout, code: code > 0 }).toEqual({ stdout: "", code: true });
    expect(stderr).toMatch(/^\w+: option -\w is not supported here\n$/u);
  },
);
