// The learner's machine as somebody meets it in the first hour: what is not here, and what is.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "../terminal.test-kit.ts";
import { World } from "../world.ts";
import { internetHost } from "./internet.ts";
import { insteadOf } from "./not-here.ts";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
});

describe("a command that is not here", () => {
  it("gets bash's own words and status, and one line on what is", () => {
    expect(learner.run("helm list; echo $?")).toBe(
      "-bash: helm: command not found\nNo helm here: there are no charts to fetch; kubectl apply -f FILE and kubectl apply -k FOLDER install what a chart would.\n127\n",
    );
    expect(learner.run("sudo kubectl get nodes; echo $?")).toMatch(/^-bash: sudo: command not found\nNo sudo here: .+\n127\n$/);
  });

  it("that nobody knows gets bash's words alone", () => {
    expect(learner.run("frobnicate; echo $?")).toBe("-bash: frobnicate: command not found\n127\n");
  });

  it("tells who copied the prompt along, or wrote kubectl with a capital, what to type", () => {
    expect(learner.run("$ kubectl get nodes")).toBe("-bash: $: command not found\n$ is the prompt: type what stands behind it.\n");
    expect(insteadOf("learner@workstation:~/configs$")).toBe(
      "learner@workstation:~/configs$ is the prompt: type what stands behind it.",
    );
    expect(insteadOf("Kubectl")).toContain("did you mean kubectl?");
  });

  it("typed in full-width letters or with a word processor's quotes is told so", () => {
    expect(learner.run("ｋｕｂｅｃｔｌ get pods")).toContain("\nThere are full-width characters in it");
    expect(insteadOf("kubectl\u3000get")).toContain("full-width");
    expect(insteadOf("echo\u00a0hi")).toContain("typographic");
  });

  it("says no more than bash to files, pipes, scripts, other shells, nodes and containers", () => {
    expect(learner.run("helm 2>&1 | cat; helm 2> f; cat f; bash -c helm; echo helm > s; bash s")).toBe(
      "-bash: helm: command not found\n-bash: helm: command not found\nbash: line 1: helm: command not found\ns: line 1: helm: command not found\n",
    );
    expect(learner.run("ssh node-1 helm")).toBe("bash: line 1: helm: command not found\n");
  });

  it.each([
    ["git clone https://github.com/kubernetes/kubernetes", "git"],
    ["make release", "make"],
  ])("[API-432] %s: there is none, nothing is fetched and nothing happens to the cluster", (command, name) => {
    const state = () => learner.run("ls ~; kubectl get all -A -o name");
    const before = state();
    const [error, line = "", code] = learner.run(`${command}; echo $?`).split("\n");
    expect([error, code]).toEqual([`-bash: ${name}: command not found`, "127"]);
    expect(line).toContain(name === "git" ? "there is nothing to fetch" : "bash, awk, sed and jq");
    expect(state()).toBe(before);
  });

  it("is no command of the learner's to a lab's checks, and neither is the line about it", () => {
    const before = world.workstation.history.length;
    learner.run("helm list");
    learner.run("help");
    expect(world.workstation.history.length).toBe(before);
  });

  it("is really not here: no sentence is about a command that is", () => {
    const here = learner
      .run("ls /usr/bin /usr/local/bin /bin")
      .split(/\s+/)
      .filter((name) => /^\w/.test(name));
    expect(here.length).toBeGreaterThan(80);
    expect(here.filter((name) => insteadOf(name) !== undefined)).toEqual([]);
  });
});

describe("a host of the internet", () => {
  const line =
    "example.com is on the internet. This machine and its cluster are not: what the cluster runs can be reached, and nothing else.";

  it.each([
    ["curl example.com", "curl: (6) Could not resolve host: example.com", 6],
    ["curl -sS https://example.com:8443/a?b=c.d", "curl: (6) Could not resolve host: example.com", 6],
    ["ping -c1 example.com", "ping: example.com: Temporary failure in name resolution", 2],
    ["nslookup example.com", ";; connection timed out; no servers could be reached\n", 1],
  ])("%s: the program's own error and status, and one line on why", (command, error, code) => {
    expect(learner.run(`${command}; echo $?`)).toBe(`${error}\n${line}\n${code}\n`);
  });

  it("is told to a person alone, and of names and addresses here nothing is said", () => {
    expect(learner.run("curl -sS example.com 2>&1 | cat")).toBe("curl: (6) Could not resolve host: example.com\n");
    expect(learner.run("curl -m 1 --resolve example.com:80:10.244.9.9 http://example.com/")).not.toContain("internet");
    expect(learner.run("curl http://web.default.svc; curl -m 1 10.244.9.9; curl http://node-1:81")).not.toContain("internet");
  });

  it("in a manifest's address leads to a file", () => {
    expect(learner.run("kubectl apply -f https://k8s.io/examples/pods/simple-pod.yaml")).toMatch(
      /^error: unable to read URL .+\nk8s\.io is on the internet\. This machine is not: write the manifest into a file/,
    );
  });

  it.each([
    ["curl", ["-H", "Host: shop.example.com", "http://172.18.0.3:30080"], undefined],
    ["curl", ["-sS", "http://user@git.example.org/x"], "git.example.org"],
    ["curl", ["web.default.svc.cluster.local", "localhost:8080", "node-1"], undefined],
    ["curl", ["8.8.8.8"], "8.8.8.8"],
    ["kubectl", ["get", "deployments.apps", "widgets.example.com"], undefined],
    ["kubectl", ["apply", "--filename=https://k8s.io/x.yaml"], "k8s.io"],
  ] as const)("is found among the arguments of %s %j: %s", (name, args, host) => {
    expect(internetHost(name, args)).toBe(host);
  });
});

describe("help", () => {
  it("lists the commands that are here, and with a name is bash's own", () => {
    const text = learner.run("help");
    expect(text).toContain("kubectl       the cluster;");
    expect(text).toMatch(/\n {2}arch {2}arp {2}awk .*\n[\s\S]* xxd\s+yes /);
    expect(learner.run("help cd")).toBe("cd: cd [-L|[-P [-e]] [-@]] [dir]\n");
  });
});
