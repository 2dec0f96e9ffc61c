// crictl on a node: what it changes and what it tells in detail, typed through ssh.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeEach(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world, { columns: 300, rows: 300 });
  learner.run("kubectl run web --image=busybox:1.37 -- sh -c 'echo up; sleep 36000'");
  world.simulation.advance(20_000);
});

const onNode = (words: string): string => learner.run(`ssh node-1 "crictl ${words}"`);
const webId = (): string => onNode("ps -q --name '^web$'").trim();
const podId = (): string => onNode("pods -q --state ready --name '^web$'").trim();
const restarts = (): string =>
  learner.run("kubectl get pod web -o jsonpath='{.status.phase} {.status.containerStatuses[0].restartCount}'; echo").trim();

describe("crictl changes a node", () => {
  it("[POD-576] a container stopped by hand is made again, with a restart more", () => {
    const id = webId();
    expect(onNode(`stop ${id}; echo \\$?`)).toBe(`${id}\n0\n`);
    expect(onNode(`inspect ${id} | grep -E 'exitCode|CONTAINER_'`)).toBe(
      '    "state": "CONTAINER_EXITED",\n    "exitCode": 137,\n'.replaceAll("    ", "    "),
    );
    world.simulation.advance(20_000);
    expect(restarts()).toBe("Running 1");
    expect(webId()).toMatch(/^[0-9a-f]{64}$/u);
    expect(webId()).not.toBe(id);
    expect(onNode("stop zz; echo \\$?")).toBe("zz\n0\n");
    expect(onNode("stop")).toContain('level=fatal msg="you must specify at least one CONTAINER-ID or use --all"');
  });

  it("[POD-576] a container removed by hand is made again, with a restart more", () => {
    const id = webId();
    expect(onNode(`rm ${id}; echo \\$?`)).toMatch(
      new RegExp(`level=fatal msg="container \\\\"${id}\\\\" is running, please stop it first"\n1\n$`, "u"),
    );
    expect(onNode(`rm -f ${id}; echo \\$?`)).toBe(`${id}\n${id}\n0\n`);
    world.simulation.advance(20_000);
    expect(restarts()).toBe("Running 1");
    expect(webId()).not.toBe(id);
    expect(onNode("rm zz")).toContain(
      String.raw`level=fatal msg="getting container status \"zz\": rpc error: code = NotFound desc = an error occurred when try to find container \"zz\": not found"`,
    );
  });

  it("[POD-577] a sandbox stopped by hand is made again with all its containers", () => {
    const id = podId();
    expect(onNode(`rmp ${id}`)).toContain(`pod sandbox \\"${id}\\" is running, please stop it first`);
    expect(onNode(`stopp ${id}; echo \\$?`)).toBe(`Stopped sandbox ${id}\n0\n`);
    world.simulation.advance(30_000);
    expect(learner.run("kubectl get events --field-selector reason=SandboxChanged -o name | wc -l").trim()).toBe("1");
    expect(restarts()).toBe("Running 1");
    expect(podId()).not.toBe(id);
    expect(onNode(`rmp ${id}`)).toBe(`Removed sandbox ${id}\n`);
    expect(onNode("stopp zz; echo \\$?")).toBe("Stopped sandbox zz\n0\n");
  });

  it("pulls an image", () => {
    expect(onNode("pull nginx:1.27; echo \\$?")).toMatch(/^Image is up to date for sha256:[0-9a-f]{64}\n0\n$/u);
    expect(onNode("images -q nginx:1.27")).toMatch(/^sha256:[0-9a-f]{64}\n$/u);
    expect(onNode("inspecti nginx:1.27 | grep StopSignal").trim()).toBe('"StopSignal": "SIGQUIT"');
    expect(onNode("pull nothing.example/x:1; echo \\$?")).toMatch(
      /level=fatal msg="pulling image: rpc error: code = \w+ desc = .*"\n1\n$/u,
    );
    expect(onNode("pull")).toContain('msg="Image name cannot be empty"');
  });
});

describe("crictl in a container", () => {
  it("runs commands, on a terminal too", () => {
    const id = webId();
    expect(onNode(`exec ${id} hostname; echo \\$?`)).toBe("web\n0\n");
    expect(learner.run(`echo hello | ssh node-1 crictl exec -i ${id} cat`)).toBe("hello\n");
    expect(onNode(`exec ${id} sh -c 'exit 3'; echo \\$?`)).toMatch(/command terminated with exit code 3"\n1\n$/u);
    expect(onNode("exec zz ls")).toContain("code = NotFound desc = failed to find container");
    expect(onNode(`exec -it ${id} sh`)).toContain("input is not a terminal");
    learner.press(`\x0cssh -t node-1 crictl exec -it ${id} sh\r`, 2_000);
    expect(learner.press("hostname\r", 2_000)).toContain("hostname\nweb\n");
    learner.press("exit\r", 2_000);
    expect(learner.run("hostname")).not.toContain("web");
  });

  it("follows a log", () => {
    const id = webId();
    learner.press(`\x0cssh -t node-1 crictl logs -f ${id}\r`, 2_000);
    expect(`${learner.screen.text}\n`).toContain("\nup\n");
    const other = sitDown(world);
    other.run(`ssh node-1 "crictl exec ${id} sh -c 'echo more > /proc/1/fd/1'"`);
    world.simulation.advance(1_000);
    expect(`${learner.screen.text}\n`).toContain("\nup\nmore\n");
    learner.press("\x03");
  });
});

describe("crictl tells", () => {
  it("of a container", () => {
    const id = webId();
    const { info, status } = JSON.parse(onNode(`inspect ${id}`)) as { info: object; status: object };
    expect(info).toMatchObject({ sandboxID: podId(), pid: expect.any(Number), snapshotter: "overlayfs" });
    expect(status).toMatchObject({
      id,
      metadata: { name: "web", attempt: 0 },
      state: "CONTAINER_RUNNING",
      finishedAt: "0001-01-01T00:00:00Z",
      exitCode: 0,
      image: { image: "docker.io/library/busybox:1.37" },
      labels: { "io.kubernetes.container.name": "web", "io.kubernetes.pod.name": "web", "io.kubernetes.pod.namespace": "default" },
      logPath: expect.stringMatching(/^\/var\/log\/pods\/default_web_[-0-9a-f]{36}\/web\/0\.log$/u),
    });
    expect(onNode("inspect zz")).toContain("get the status of containers: get container status: rpc error: code = NotFound");
  });

  it("of a pod, an image, the runtime", () => {
    const address = learner.run("kubectl get pod web -o jsonpath='{.status.podIP}'; echo").trim();
    expect(JSON.parse(onNode(`inspectp ${podId()}`))).toMatchObject({
      status: { metadata: { name: "web", namespace: "default", attempt: 0 }, state: "SANDBOX_READY", network: { ip: address } },
    });
    expect(JSON.parse(onNode("inspecti busybox:1.37"))).toMatchObject({
      status: { repoTags: ["docker.io/library/busybox:1.37"], pinned: false },
      info: { imageSpec: { config: { Cmd: ["sh"] } } },
    });
    expect(onNode("inspecti nothing")).toContain(String.raw`msg="no such image \"nothing\" present"`);
    expect(onNode("version")).toMatch(
      /^Version: {2}0\.1\.0\nRuntimeName: {2}containerd\nRuntimeVersion: {2}v2\.\d+\.\d+\nRuntimeApiVersion: {2}v1\n$/u,
    );
    const { status } = JSON.parse(onNode("info")) as { status: { conditions: { type: string; status: boolean }[] } };
    expect(status.conditions.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
      "RuntimeReady true",
      "NetworkReady true",
      "ContainerdHasNoDeprecationWarnings true",
    ]);
  });

  it("lists as documents", () => {
    const { containers } = JSON.parse(onNode("ps --name '^web$' -o json")) as { containers: object[] };
    expect(containers).toMatchObject([
      { id: webId(), podSandboxId: podId(), state: "CONTAINER_RUNNING", metadata: { name: "web" } },
    ]);
    const { items } = JSON.parse(onNode("pods --name '^web$' -o json")) as { items: object[] };
    expect(items).toMatchObject([{ id: podId(), state: "SANDBOX_READY", metadata: { name: "web", namespace: "default" } }]);
    expect(onNode("images busybox:1.37 -o yaml")).toContain("one word too many");
    expect(onNode("images -o yaml busybox:1.37")).toContain("  repoTags:\n  - docker.io/library/busybox:1.37\n");
  });

  it("of use", () => {
    const [head, row] = onNode(`stats ${webId()}`).split("\n");
    expect(head?.split(/ {2,}/u)).toEqual(["CONTAINER", "NAME", "CPU %", "MEM", "DISK", "INODES"]);
    expect(row).toMatch(/^[0-9a-f]{13} +web +0\.\d\d +[\d.]+[kM]?B +0B +1$/u);
  });
});
