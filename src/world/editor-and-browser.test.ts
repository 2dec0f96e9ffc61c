// What the learner does beside the terminal: the editor's files and the browser.

import { beforeAll, describe, expect, it } from "vitest";
import type { BrowsedPage } from "./browser.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({
    startMs: Date.UTC(2026, 0, 15, 9),
    seed: 7,
    nodes: 1,
    files: { "m/web.yaml": "kind: Pod\n", "notes.txt": "x\n" },
  });
  world.boot();
  learner = sitDown(world);
});

describe("the editor", () => {
  const save = (path: string, text: string): string | undefined => {
    const told: (readonly [string, string | undefined])[] = [];
    const remove = world.onFileSaved.add((name, refused) => told.push([name, refused]));
    world.apply({ kind: "file-write", path, text });
    world.simulation.advance(100);
    remove();
    expect(told.map(([name]) => name)).toEqual([path]);
    return told[0]?.[1];
  };

  it("lists the learner's files, but not hidden ones", () => {
    expect(world.workstation.listFiles()).toEqual(["m/web.yaml", "notes.txt"]);
  });

  it("saves as the learner: own files are written, others are refused", () => {
    expect(save("m/web.yaml", "kind: Service\n")).toBeUndefined();
    expect(learner.run("cat m/web.yaml; ls -l m/web.yaml | cut -d' ' -f3")).toBe("kind: Service\nlearner\n");
    expect(save("/etc/hosts", "")).toBe("Permission denied");
    expect(save("nowhere/x.yaml", "")).toBe("No such file or directory");
    expect(save("m", "")).toBe("Is a directory");
  });

  it("leaves nothing in the history of commands, and tells that checks may see something new", () => {
    let changes = 0;
    world.onChange.add(() => {
      changes += 1;
    });
    const before = world.workstation.history.length;
    save("notes.txt", "y\n");
    expect({ changes: changes > 0, history: world.workstation.history.length - before }).toEqual({ changes: true, history: 0 });
  });
});

describe("the browser", () => {
  const open = (url: string): BrowsedPage | undefined => {
    let page: BrowsedPage | undefined;
    const remove = world.onPage.add((_name, result) => {
      page = result;
    });
    world.apply({ kind: "page-open", page: "1", url });
    world.simulation.runUntil(() => page !== undefined, { limitMs: 60_000 });
    remove();
    return page;
  };

  beforeAll(() => {
    learner.run("kubectl run web --image=nginx:1.27 --port=80");
    learner.run("kubectl wait --for=condition=Ready pod/web");
    learner.run('kubectl expose pod web --type=NodePort --overrides=\'{"spec":{"ports":[{"port":80,"nodePort":30080}]}}\'');
    world.simulation.advance(5000);
  });

  it("shows what a node's port serves, by the node's name", () => {
    expect(open("node-1:30080")).toMatchObject({
      kind: "page",
      url: "http://node-1:30080/",
      status: 200,
      reason: "OK",
      contentType: "text/html",
      body: expect.stringContaining("<h1>Welcome to nginx!</h1>"),
    });
    expect(open("http://node-1:30080/none")).toMatchObject({ kind: "page", status: 404, reason: "Not Found" });
  });

  it("shows what a port-forward of the terminal serves", () => {
    expect(open("localhost:8080")).toEqual({ kind: "failed", url: "localhost:8080", failure: "refused" });
    learner.press("kubectl port-forward pod/web 8080:80\r", 3000);
    expect(open("localhost:8080")).toMatchObject({ kind: "page", status: 200 });
    learner.press("\x03");
  });

  it.each([
    ["nowhere.example", "name"],
    ["http://", "address"],
    ["ftp://node-1/", "address"],
    ["node-1:1", "refused"],
    ["https://control-plane:6443/", "certificate"],
  ])("says why %s cannot be shown", (url, failure) => {
    expect(open(url)).toEqual({ kind: "failed", url, failure });
  });
});
