// Going back in a run, and taking it to another browser as a file or a link.

import { describe, expect, it } from "vitest";
import { linkOf, readLink } from "./lab-file.ts";
import type { SavedLab } from "./protocol.ts";
import { answered, passed, visit } from "./session.test-kit.ts";

describe("going back", () => {
  it("lists the moments before commands and saved files, and goes there; what was left can be returned to", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.type(id, "cd /tmp; cd", "$ ");
    page.type(id, "printf 'nginx\\n' > image.txt", "$ ");
    const saving = page.session.saveFile("web.yaml", "kind: Pod\n");
    page.wall.pass(2000);
    await saving;
    page.type(id, "kubectl delete configmap b", "not found");
    page.type(id, "kubectl create configmap b", "configmap/b created");
    const moments = await answered(page, page.session.journal.checkpoints());
    expect(moments.map(({ kind, text, code }) => `${kind} ${text} ${code}`)).toEqual([
      "command kubectl create configmap a 0",
      "command printf 'nginx\\n' > image.txt 0",
      "file web.yaml 0",
      "command kubectl delete configmap b 1",
      "command kubectl create configmap b 0",
    ]);
    expect(passed(page)).toEqual(["a", "b"]);

    page.session.journal.goBack(moments[3] as (typeof moments)[number]);
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a"]);
    expect(page.session.state.value).toMatchObject({ kind: "ready", resumed: false });
    expect(page.session.journal.left.value).toEqual({ kind: "back", before: "kubectl delete configmap b" });
    expect(page.session.clock.view.value.nowMs - (moments[3]?.atMs ?? 0)).toBeLessThan(3000);
    page.type(id, "cat web.yaml", "kind: Pod");

    page.session.journal.comeBack();
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a", "b"]);
    expect(page.session.journal.left.value).toBeUndefined();
  });

  it("keeps what was left until the next step passes: from there on, returning to it would undo that", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.type(id, "kubectl create configmap c", "configmap/c created");
    page.session.journal.resetStep();
    await page.begin();
    page.type(id, "kubectl get configmaps -o name", "configmap/a");
    expect(page.session.journal.left.value).toEqual({ kind: "step", before: "" });
    page.type(id, "kubectl create configmap b", "configmap/b created");
    expect(passed(page)).toEqual(["a", "b"]);
    expect(page.session.journal.left.value).toBeUndefined();
  });

  it("resets a step to when it was opened; help that was asked for stays counted", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.session.help.showHint("b");
    page.type(id, "kubectl create configmap c", "configmap/c created");
    page.session.journal.resetStep();
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a"]);
    expect(page.session.steps.value[1]).toMatchObject({ id: "b", current: true, worth: 9, hintsLeft: 2 });
    page.type(id, "kubectl get configmaps -o name", "configmap/a");
    expect(page.screen(id)).not.toContain("configmap/c\r\nconfigmap");
  });
});

describe("the moments to go back to", () => {
  it("name a line of several commands whole and once, as it was typed", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a; kubectl get configmap nothing | wc -l", "not found");
    page.type(id, "kubectl get configmap nothing && kubectl create configmap c", "not found");
    page.type(id, "kubectl create configm\tb", "configmap/b created");
    const moments = await answered(page, page.session.journal.checkpoints());
    expect(moments.map(({ text, code }) => `${text} ${code}`)).toEqual([
      "kubectl create configmap a; kubectl get configmap nothing | wc -l 0",
      "kubectl get configmap nothing && kubectl create configmap c 1",
      "kubectl create configmap b 0",
    ]);
  });
});

describe("a run as a file and as a link", () => {
  it("goes to another browser, and comes back to what was there", async () => {
    const first = visit();
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.session.help.showHint("b");
    const text = first.session.journal.file();
    const second = visit();
    second.open();
    await second.begin();
    expect(second.session.journal.takeFile(text)).toBeUndefined();
    await second.begin();
    second.wall.pass(1000);
    expect(passed(second)).toEqual(["a"]);
    expect(second.session.steps.value[1]?.hintsLeft).toBe(2);
    second.session.journal.comeBack();
    await second.begin();
    second.wall.pass(1000);
    expect(passed(second)).toEqual([]);
  });

  it("that is brought in twice, with nothing done in the first, leads back to what was there before both", async () => {
    const first = visit();
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    const [early, page] = [first.session.journal.file(), visit()];
    first.type(id, "kubectl create configmap c", "configmap/c created");
    const own = page.open();
    await page.begin();
    page.type(own.id, "kubectl create configmap z", "configmap/z created");
    for (const file of [early, first.session.journal.file()]) {
      page.session.journal.takeFile(file);
      await page.begin();
      page.wall.pass(1000);
    }
    expect(passed(page)).toEqual(["a"]);
    page.session.journal.comeBack();
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual([]);
    page.type(own.id, "kubectl get configmaps", "z ");
  });

  it("is refused for a reason, and changes nothing", async () => {
    const page = visit();
    page.open();
    await page.begin();
    const good = JSON.parse(page.session.journal.file());
    const refusal = (change: object): unknown => page.session.journal.takeFile(JSON.stringify({ ...good, ...change }))?.refusal;
    const saved = good.saved;
    expect(page.session.journal.takeFile("{")).toEqual({ ok: false, refusal: "unreadable", lab: "" });
    expect([refusal({ kind: "other" }), refusal({ lab: "five" }), refusal({ version: 2 })]).toEqual([
      "foreign",
      "otherLab",
      "outdated",
    ]);
    expect(refusal({ saved: { ...saved, format: 0 } })).toBe("outdated");
    expect(refusal({ saved: { ...saved, seed: "1" } })).toBe("unreadable");
    expect(refusal({ saved: { ...saved, nowMs: saved.startMs + 500 * 86_400_000 } })).toBe("unreadable");
    expect(refusal({ saved: { ...saved, entries: [{ timeMs: 0, input: { kind: "terminal-close", terminal: "1" } }] } })).toBe(
      "unreadable",
    );
    expect(page.workers()).toBe(1);
  });

  it("fits into a link, which is offered before it is taken", async () => {
    const first = visit();
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    const link = (await first.session.journal.link()) ?? "";
    expect(link).toMatch(/^#lab=[\w-]{100,500}$/);
    const second = visit();
    second.open();
    await second.begin();
    second.session.journal.offerRun(await readLink("four", link), "link");
    expect(second.session.journal.offer.value).toEqual({ kind: "run", from: "link" });
    second.session.journal.answerOffer(true);
    await second.begin();
    second.wall.pass(1000);
    expect(passed(second)).toEqual(["a"]);
    second.session.journal.offerRun(await readLink("four", link.slice(0, -20)), "link");
    expect(second.session.journal.offer.value).toEqual({ kind: "refused", refusal: "unreadable", lab: "" });
    second.session.journal.offerRun(await readLink("five", link), "link");
    expect(second.session.journal.offer.value).toEqual({ kind: "refused", refusal: "otherLab", lab: "four" });
  });

  it("is too long for a link after some thousand keys", async () => {
    const page = visit();
    page.open();
    await page.begin();
    const saved = JSON.parse(page.session.journal.file()).saved as SavedLab;
    const entries = Array.from({ length: 9000 }, (_, index) => ({
      timeMs: saved.startMs + index * 137 + ((index * index) % 89),
      input: { kind: "terminal-input", terminal: "1", text: String.fromCharCode(97 + ((index * 7) % 26)) } as const,
    }));
    expect(await linkOf("four", { ...saved, entries })).toBeUndefined();
    expect(await linkOf("four", { ...saved, entries: entries.slice(0, 500) })).toMatch(/^#lab=/);
  });
});
