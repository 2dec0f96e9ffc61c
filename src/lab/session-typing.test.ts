// What is typed while there is no world to take it, and who reads a terminal's keys.

import { describe, expect, it } from "vitest";
import { answered, memoryStorage, plain, visit } from "./session.test-kit.ts";

type Page = ReturnType<typeof visit>;

function expectSeen(page: Page, id: string, pattern: RegExp): void {
  expect(
    page.wall.passUntil(() => pattern.test(plain(page.screen(id))), 30_000),
    plain(page.screen(id)),
  ).toBe(true);
}

/** A visit in which something was done, closed again. */
async function leftLab() {
  const storage = memoryStorage();
  const page = visit({ storage });
  const { id } = page.open();
  await page.begin();
  page.type(id, "date +before", "\nbefore\n");
  return { storage, page, id };
}

describe("what is typed before the lab is ready", () => {
  it("is kept, said to be kept, and delivered in order with what a button ran", async () => {
    const page = visit();
    const terminal = page.open();
    for (const key of "echo one") terminal.write(key);
    expect(page.session.typedAhead.value).toBe(true);
    terminal.write("\r");
    page.session.runInTerminal("echo two");
    terminal.write("echo three\r");
    await page.begin();
    expect(page.session.typedAhead.value).toBe(false);
    expectSeen(page, terminal.id, /\none\n[\s\S]*\ntwo\n[\s\S]*\nthree\n/);
  });

  it("comes after what a replay brings back, and is there after the next reload", async () => {
    const { storage, page: first } = await leftLab();
    first.session.close();
    const second = visit({ storage });
    const terminal = second.open();
    terminal.write("echo mean");
    terminal.write("while\r");
    await second.begin();
    expectSeen(second, terminal.id, /\nbefore\n[\s\S]*\nmeanwhile\n/);
    second.wall.pass(1000);
    second.session.close();
    const third = visit({ storage });
    const again = third.open();
    await third.begin();
    expectSeen(third, again.id, /\nbefore\n[\s\S]*\nmeanwhile\n/);
  });

  it("while going back comes after the way back; what was typed for a run that was left goes with it", async () => {
    const { page, id } = await leftLab();
    const [first] = await answered(page, page.session.journal.checkpoints());
    if (first === undefined) throw new Error("there is no moment to go back to");
    page.session.journal.goBack(first);
    page.session.runInTerminal("echo never");
    page.session.journal.comeBack();
    page.session.runInTerminal("echo after");
    await page.begin();
    expectSeen(page, id, /\nafter\n/);
    expect(plain(page.screen(id)).split("\u001bc").at(-1)).not.toContain("never");
  });

  it("does not count the answers that a screen gives to the programs of a replay", async () => {
    const page = visit();
    const terminal = page.open();
    for (const report of ["\u001b[?1;2c", "\u001b[>0;276;0c", "\u001b[12;40R", "\u001b[0n", "\u001b]11;rgb:0c/17/26\u001b\\"]) {
      terminal.write(report);
    }
    expect(page.session.typedAhead.value).toBe(false);
    terminal.write("\u001b[A");
    expect(page.session.typedAhead.value).toBe(true);
    await page.begin();
    page.wall.pass(1000);
    expect(plain(page.screen(terminal.id))).toMatch(/^(?:learner@workstation:~\$ )+$/);
  });

  it("into a terminal whose shell the replay ends goes to one that is there", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const one = first.open();
    await first.begin();
    const other = first.open();
    first.wall.pass(1000);
    one.write("exit\r");
    first.wall.passUntil(() => one.ended.value, 5000);
    first.wall.pass(1000);
    first.session.close();

    const second = visit({ storage });
    const screen = second.open();
    screen.write("echo here\r");
    await second.begin();
    second.wall.pass(1000);
    expect(screen.ended.value).toBe(true);
    const left = second.open();
    expect(left.id).toBe(other.id);
    expectSeen(second, left.id, /\nhere\n/);
  });

  it("a terminal closed meanwhile stays closed", async () => {
    const page = visit();
    page.open();
    const second = page.open();
    second.close();
    await page.begin();
    page.wall.pass(1000);
    expect(second.ended.value).toBe(true);
  });
});

describe("who reads a terminal's keys", () => {
  it("is told by the world: the shell's prompt and editors one by one, other programs by lines", async () => {
    const page = visit();
    const terminal = page.open();
    await page.begin();
    expect(terminal.canonical.value).toBe(false);
    page.session.runInTerminal("sleep 3");
    expect(page.wall.passUntil(() => terminal.canonical.value, 2000)).toBe(true);
    expect(page.wall.passUntil(() => !terminal.canonical.value, 5000)).toBe(true);
    page.session.runInTerminal("vi note.txt");
    page.wall.pass(2000);
    expect(terminal.canonical.value).toBe(false);
    expect(page.screen(terminal.id)).toContain("\u001b[?1049h");
  });

  it("is nobody once the worker has broken", async () => {
    const page = visit();
    const terminal = page.open();
    await page.begin();
    page.breakWorker("out of memory");
    expect(terminal.canonical.value).toBe(true);
    terminal.write("x");
    expect(page.session.typedAhead.value).toBe(false);
  });
});
