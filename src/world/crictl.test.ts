// crictl on a node, typed through ssh.

import { beforeAll, describe, expect, it } from "vitest";
import { humanAge, humanSize } from "./crictl-output.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let learner: TypingLearner;

beforeAll(() => {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run(
    "kubectl run web --image=nginx:1.27; kubectl run say --image=busybox:1.37 --restart=Never -- sh -c 'echo one; echo two >&2'",
  );
  world.simulation.advance(20_000);
});

const onNode = (words: string): string => learner.run(`ssh node-1 crictl ${words}`);
const cells = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/u));

describe("crictl on a node", () => {
  it("lists containers that run, and all", () => {
    const [head, ...rows] = cells(onNode("ps"));
    expect(head).toEqual(["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID", "POD", "NAMESPACE"]);
    expect(rows.find(([, , , , name]) => name === "web")).toEqual([
      expect.stringMatching(/^[0-9a-f]{13}$/u),
      expect.stringMatching(/^[0-9a-f]{13}$/u),
      expect.stringMatching(/^\d+ seconds ago$/u),
      "Running",
      "web",
      "0",
      expect.stringMatching(/^[0-9a-f]{13}$/u),
      "web",
      "default",
    ]);
    expect(rows.some(([, , , , name]) => name === "say")).toBe(false);
    expect(cells(onNode("ps -a --name '^say$'"))[1]?.slice(3, 6)).toEqual(["Exited", "say", "0"]);
    expect(onNode("ps -aq --name '^say$'")).toMatch(/^[0-9a-f]{64}\n$/u);
  });

  it("lists the containers of a Pod by the labels that the kubelet gives them", () => {
    const labels =
      "--label io.kubernetes.pod.name=web --label=io.kubernetes.container.name=web,io.kubernetes.pod.namespace=default";
    expect(onNode(`ps -q ${labels}`)).toBe(onNode("ps -q --name '^web$'"));
    expect(onNode("ps -aq --label io.kubernetes.pod.name=nobody; echo $?")).toBe("0\n");
    expect(onNode("ps --label web; echo $?")).toMatch(/msg="incorrectly specified label: web"\n1\n$/u);
  });

  it("lists pods", () => {
    const [head, row] = cells(onNode("pods --name '^web$'"));
    expect(head).toEqual(["POD ID", "CREATED", "STATE", "NAME", "NAMESPACE", "ATTEMPT", "RUNTIME"]);
    expect(row?.slice(2)).toEqual(["Ready", "web", "default", "0", "(default)"]);
  });

  it("prints a container's log", () => {
    expect(onNode("logs $(ssh node-1 crictl ps -aq --name '^say$')")).toBe("one\ntwo\n");
    expect(onNode("logs --tail 1 $(ssh node-1 crictl ps -aq --name '^say$')")).toBe("two\n");
    expect(onNode("logs zz; echo $?")).toMatch(
      /level=fatal msg="rpc error: code = NotFound desc = an error occurred when try to find container \\"zz\\": not found"\n1\n$/u,
    );
  });

  it("lists images, and removes them from the node", () => {
    const [head, ...rows] = cells(onNode("images"));
    expect(head).toEqual(["IMAGE", "TAG", "IMAGE ID", "SIZE"]);
    expect(rows.find(([name]) => name === "docker.io/library/busybox")?.[1]).toBe("1.37");
    expect(onNode("rmi busybox:1.37; echo $?")).toBe("Deleted: docker.io/library/busybox:1.37\n0\n");
    expect(onNode("images")).not.toContain("busybox");
    expect(onNode("rmi busybox:1.37; echo $?")).toMatch(
      /level=error msg="no such image busybox:1\.37"\ntime=.* level=fatal msg="unable to remove the image\(s\)"\n1\n$/u,
    );
  });

  it("says what it does not do", () => {
    expect(onNode("events; echo $?")).toMatch(/msg="crictl events: not simulated; there are images, ps, pods, logs, .*"\n1\n$/u);
    expect(onNode("ps -o go-template")).toContain("output go-template: not simulated; there are json, yaml and table");
    expect(onNode("ps --image busybox")).toContain("crictl ps: option -image: not simulated");
    expect(onNode("pods --label a=b")).toContain("crictl pods: option -label: not simulated");
    expect(onNode("")).toContain("crictl without a subcommand: not simulated");
    expect(onNode("ps web")).toContain("crictl ps: web: one word too many");
  });

  it("takes values of the options' kinds only", () => {
    expect(onNode("logs --tail=x zz")).toContain(String.raw`level=fatal msg="invalid value \"x\" for flag -tail: parse error"`);
    expect(onNode("ps --all=maybe")).toContain(String.raw`level=fatal msg="invalid boolean value \"maybe\" for -all: parse error"`);
    expect(onNode("ps --all=F --name '^say$' -q; echo none")).toBe("none\n");
  });
});

describe("sizes and ages", () => {
  it("are those of go-units", () => {
    expect([999, 1000, 59_800_000, 1_234_567_890].map(humanSize)).toEqual(["999B", "1kB", "59.8MB", "1.23GB"]);
    const minute = 60_000;
    expect([0, 1000, 59_000, minute, 5 * minute, 60 * minute, 47 * 60 * minute, 49 * 60 * minute].map(humanAge)).toEqual([
      "Less than a second",
      "1 second",
      "59 seconds",
      "About a minute",
      "5 minutes",
      "About an hour",
      "47 hours",
      "2 days",
    ]);
  });
});
