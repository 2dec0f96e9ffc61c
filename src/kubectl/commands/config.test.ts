import { describe, expect, it } from "vitest";
import { check, kubectlWorld } from "../kubectl.test-kit.ts";

const empty = 'apiVersion: v1\nclusters: null\ncontexts: null\ncurrent-context: ""\nkind: Config\nusers: null\n';

describe("kubectl config with a file that does not exist yet", () => {
  it("reads it as an empty one, and other commands miss it", () => {
    check(kubectlWorld(), [
      { line: "config view --kubeconfig=/tmp/new/config", stdout: empty },
      {
        line: "config use-context a --kubeconfig=/tmp/new/config",
        code: 1,
        stderr: 'error: no context exists with the name: "a"\n',
      },
      {
        line: "config delete-context a --kubeconfig=/tmp/new/config",
        code: 1,
        stderr: "error: cannot delete context a, not in /tmp/new/config\n",
      },
      {
        line: "get pods --kubeconfig=/tmp/new/config",
        code: 1,
        stderr: "error: stat /tmp/new/config: no such file or directory\n",
      },
    ]);
  });

  it("[API-400] [API-401] makes it, with its directory, for the first entry", () => {
    const world = kubectlWorld();
    check(world, [
      { line: "config set-context maps --user=reader --kubeconfig=/tmp/new/config", stdout: 'Context "maps" created.\n' },
      { line: "config set-credentials reader --token=x --kubeconfig=/tmp/new/config", stdout: 'User "reader" set.\n' },
    ]);
    expect(world.run("config view --raw --kubeconfig=/tmp/new/config").stdout).toBe(
      'apiVersion: v1\nclusters: null\ncontexts:\n- context:\n    cluster: ""\n    user: reader\n  name: maps\ncurrent-context: ""\nkind: Config\nusers:\n- name: reader\n  user:\n    token: x\n',
    );
  });
});

describe("kubectl config unset", () => {
  it("[API-401] is content with an entry that is not there, not with a field of one", () => {
    check(kubectlWorld(), [
      { line: "config unset contexts.none", stdout: 'Property "contexts.none" unset.\n' },
      { line: "config unset contexts.none.namespace", code: 1, stderr: "error: current map key `none` is invalid\n" },
    ]);
  });
});

describe("kubectl config view", () => {
  it("[API-395] [API-396] hides a token, unless it is asked for or the file is made for use elsewhere", () => {
    const world = kubectlWorld();
    world.run("config set-credentials reader --token=x --kubeconfig=/tmp/one");
    const tokenIn = (flags: string) => /token: (.*)/.exec(world.run(`config view ${flags} --kubeconfig=/tmp/one`).stdout)?.[1];
    expect(tokenIn("")).toBe("REDACTED");
    expect(tokenIn("--raw")).toBe("x");
    expect(tokenIn("--flatten")).toBe("x");
  });
});

describe("the current context of several files", () => {
  const head = "apiVersion: v1\nkind: Config\n";
  const entry = (name: string) => `contexts:\n- context: {cluster: a, user: b}\n  name: ${name}\n`;
  const files = {
    "/tmp/empty": head,
    "/tmp/maps": `${head}current-context: maps\n${entry("maps")}`,
    "/tmp/stations": `${head}${entry("stations")}`,
  };
  const list = Object.keys(files).join(":");

  function withFiles() {
    const world = kubectlWorld(files);
    const currentIn = (file: string) => world.run(`config view -o jsonpath={.current-context} --kubeconfig=${file}`).stdout;
    return { run: (line: string) => world.run(line, { kubeconfig: list }), current: () => Object.keys(files).map(currentIn) };
  }

  it("is written to the first of them that is there, not to the one that had it", () => {
    const { run, current } = withFiles();
    run("config use-context stations");
    expect(current()).toEqual(["stations", "maps", ""]);
  });

  it("is not written where it is so already, and is cleared where it is said", () => {
    const { run, current } = withFiles();
    run("config use-context maps");
    expect(current()).toEqual(["", "maps", ""]);
    run("config unset current-context");
    expect(current()).toEqual(["", "", ""]);
  });
});
