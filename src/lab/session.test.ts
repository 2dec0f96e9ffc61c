// A session from its opening to its end: steps, terminals, files, points; a reset, a worker that breaks.

import { describe, expect, it } from "vitest";
import { CallDropped } from "./calls.ts";
import { bundle, passed, plain, visit } from "./session.test-kit.ts";

describe("a lab from its opening on", () => {
  it("becomes ready with a cluster, a prompt and the first step as the current one", async () => {
    const page = visit();
    expect(page.session.state.value).toEqual({ kind: "starting", phase: "loading" });
    const terminal = page.open();
    await page.begin();
    expect(page.session.state.value).toEqual({ kind: "ready", resumed: false, lost: undefined });
    expect(page.screen(terminal.id)).toContain("learner@workstation");
    expect(page.session.cluster.value.nodes.map(({ name, ready }) => [name, ready])).toEqual([
      ["control-plane", true],
      ["node-1", true],
    ]);
    expect(page.session.steps.value.map(({ id, current, missing }) => [id, current, missing])).toEqual([
      ["a", true, [{ check: "there", text: "1 sur 4" }]],
      ["b", false, []],
      ["c", false, []],
      ["d", false, []],
    ]);
    expect(page.session.clock.view.value).toMatchObject({ context: "kubernetes-admin@kubernetes", namespace: "default" });
  });

  it("passes a step when the cluster shows it, and says what the next one lacks", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    expect(passed(page)).toEqual(["a"]);
    expect(page.session.steps.value[0]).toMatchObject({ met: ["there"], why: { firstHtml: "s", restHtml: "" } });
    expect(page.session.steps.value[1]).toMatchObject({
      id: "b",
      current: true,
      missing: [{ check: "there", text: "2 sur 4" }],
      met: [],
      why: undefined,
    });
  });

  it("sends what was asked to run before it was ready, in order", async () => {
    const page = visit();
    const { id } = page.open();
    page.session.runInTerminal("echo one");
    page.session.runInTerminal("echo two");
    await page.begin();
    expect(
      page.wall.passUntil(() => /\ntwo\n/.test(plain(page.screen(id))), 20_000),
      page.screen(id),
    ).toBe(true);
    expect(plain(page.screen(id))).toMatch(/\none\n[\s\S]*\ntwo\n/);
  });

  it("tells that a terminal's shell has ended", async () => {
    const page = visit();
    const terminal = page.open();
    await page.begin();
    expect(terminal.ended.value).toBe(false);
    page.type(terminal.id, "exit", "exit\n");
    expect(terminal.ended.value).toBe(true);
  });

  it("saves files, answers questions about them and opens pages; whoever asks of a lab that stops is told", async () => {
    const page = visit();
    page.open();
    await expect(page.session.ask("files", {})).rejects.toThrow(CallDropped);
    await page.begin();
    const answered = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
      page.wall.pass(2000);
      return call;
    };
    expect(await answered(page.session.saveFile("web.yaml", "kind: Pod\n"))).toBeUndefined();
    expect(await answered(page.session.saveFile("/etc/hosts", ""))).toBe("Permission denied");
    expect(await answered(page.session.ask("files", {}))).toEqual(["web.yaml"]);
    expect(await answered(page.session.ask("file", { path: "web.yaml" }))).toBe("kind: Pod\n");
    expect(await answered(page.session.browse("node-1:30080"))).toMatchObject({ kind: "failed", failure: "refused" });
    const unanswered = page.session.ask("kinds", {});
    page.session.reset();
    await expect(unanswered).rejects.toThrow(CallDropped);
  });

  it("tells the clock's last word when a paused world has been skipped through", async () => {
    const page = visit();
    page.open();
    await page.begin();
    page.session.clock.setPaused(true);
    page.wall.pass(1000);
    const before = page.session.clock.view.value.nowMs;
    page.session.clock.skip(300_000);
    page.wall.pass(10_000);
    expect(page.session.clock.view.value.nowMs - before).toBe(300_000);
  });
});

describe("points", () => {
  it("are ten a step, less by every hint and by a solution", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.session.help.showHint("a");
    page.session.help.showHint("a");
    page.session.help.showSolution("b");
    expect(page.session.steps.value.map(({ worth, hintCost }) => [worth, hintCost])).toEqual([
      [7, 3],
      [2, 1],
      [10, 1],
      [10, 1],
    ]);
    for (const name of ["a", "b", "c"]) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    expect(page.session.help.score.value).toEqual({ points: 19, most: 40 });
  });
});

describe("a reset", () => {
  it("forgets what was kept and begins anew, in the terminal that is open", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.session.help.showHint("a");
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.session.reset();
    await page.begin();
    page.wall.pass(3000);
    expect(passed(page)).toEqual([]);
    expect(page.session.steps.value[0]).toMatchObject({ current: true, hintsLeft: 3 });
    const [, fresh] = page.screen(id).split("\u001bc");
    expect(fresh).toMatch(/learner@workstation/);
    expect(fresh).not.toContain("configmap");
  });
});

describe("a worker that breaks", () => {
  it("before the lab is ready is a failure to start", async () => {
    const page = visit({ load: () => new Promise(() => {}) });
    page.breakWorker("no modules");
    expect(page.session.state.value).toEqual({ kind: "failed", key: "worker", detail: "no modules" });
  });

  it("later is a failure of the world; trying again brings all back", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.breakWorker("out of memory");
    expect(page.session.state.value).toEqual({ kind: "failed", key: "world", detail: "out of memory" });
    page.session.retry();
    await page.begin();
    page.wall.pass(500);
    expect(page.workers()).toBe(2);
    expect(page.session.state.value).toEqual({ kind: "ready", resumed: true, lost: undefined });
    expect(passed(page)).toEqual(["a"]);
    page.type(id, "kubectl get configmap a -o name", "\nconfigmap/a");
  });

  it("is not the same as texts that cannot be loaded", async () => {
    const page = visit({ load: () => Promise.reject(new Error("503 /labs/four.fr.json")) });
    await page.begin();
    expect(page.session.state.value).toEqual({ kind: "failed", key: "load", detail: "503 /labs/four.fr.json" });
  });

  it("has no world when the lab's set-up fails", async () => {
    const broken = { ...bundle, definition: { ...bundle.definition, setup: "exit 3" } };
    const page = visit({ load: () => Promise.resolve(broken) });
    await page.begin();
    expect(page.session.state.value).toMatchObject({ kind: "failed", key: "world" });
  });
});
