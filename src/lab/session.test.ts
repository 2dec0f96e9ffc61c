// The page's side and the worker's side of a lab joined without a worker, under a wall clock moved by hand.

import { describe, expect, it } from "vitest";
import { CallDropped } from "./calls.ts";
import { bundleLab } from "./catalog.ts";
import { FakeWall } from "./fake-wall.ts";
import { linkOf, readLink } from "./lab-file.ts";
import { LabHost } from "./lab-host.ts";
import { type SavedLab, savedFormat, type WorkerMessage } from "./protocol.ts";
import { type KeyValueStorage, loadSavedLab, storeSavedLab } from "./saved-labs.ts";
import { SessionClient } from "./session-client.ts";

const step = (id: string, that: string, solution: string): string => `- id: ${id}
  checks:
  - id: there
    that: ${that}
    values: {count: 'objects("configmaps", "default").size()'}
  solution: ${solution}
  wrong:
  - {id: nothing, commands: "true", fails: [there]}
`;

const names = ["a", "b", "c", "d"];
const sources = {
  "labs/four/lab.yaml": `nodes: 1\nsteps:\n${names
    .map((name) => step(name, `exists("configmaps", "default", "${name}")`, `kubectl create configmap ${name}`))
    .join("")}`,
  "labs/four/fr.yaml": `title: T\ngoal: G\nsteps:\n${names
    .map((name) => `  ${name}: {title: ${name}, task: t, hints: [h1, h2, h3], solution: s, missing: {there: "{count} sur 4"}}\n`)
    .join("")}`,
};
const bundle = bundleLab(sources, "four", "fr");

function memoryStorage(): KeyValueStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

interface VisitOptions {
  readonly storage?: KeyValueStorage;
  readonly claim?: boolean;
  readonly load?: () => Promise<typeof bundle>;
}

/** Without colours and other escape sequences. */
function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}

/** One visit of the page: a session, its host and their clock. */
function visit({ storage = memoryStorage(), claim = true, load = () => Promise.resolve(bundle) }: VisitOptions = {}) {
  const wall = new FakeWall();
  const screens = new Map<string, string>();
  let breakWorker: (detail: string) => void = () => {};
  let workers = 0;
  const newLab = (): SavedLab => {
    const startMs = Date.UTC(2026, 0, 15, 9);
    return { format: savedFormat, seed: 11, startMs, nowMs: startMs, entries: [], hints: {}, solutions: [] };
  };
  const session = new SessionClient({
    labId: "four",
    locale: "fr",
    loadBundle: load,
    newLab,
    wallMs: () => wall.now(),
    startWorker: () => {
      workers += 1;
      let listener: (message: WorkerMessage) => void = () => {};
      let alive = true;
      const host = new LabHost({ wall, post: (message) => alive && listener(structuredClone(message)) });
      return {
        // Messages take a turn to arrive, as between threads.
        post: (message) => {
          const copy = structuredClone(message);
          wall.schedule(() => alive && host.receive(copy), 0);
        },
        listen: (next) => {
          listener = next;
        },
        onFailure: (tell) => {
          breakWorker = tell;
        },
        terminate: () => {
          alive = false;
        },
      };
    },
    store: {
      load: () => loadSavedLab(storage, "four"),
      save: (saved) => storeSavedLab(storage, "four", saved),
      forget: () => storage.removeItem("pilothouse.lab.four"),
      claim: () => Promise.resolve(claim),
      release: () => {},
    },
  });
  const decoder = new TextDecoder();
  const open = () => {
    const port = session.openTerminal({ columns: 100, rows: 30 });
    screens.set(port.id, "");
    port.onOutput((bytes) => screens.set(port.id, (screens.get(port.id) ?? "") + decoder.decode(bytes)));
    return port;
  };
  return {
    session,
    wall,
    open,
    storage,
    workers: () => workers,
    breakWorker: (detail: string) => breakWorker(detail),
    screen: (id: string) => screens.get(id) ?? "",
    /** Lets the promises of the start settle, then the world run until it is ready and a prompt is there. */
    async begin(): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = screens.keys();
      if (first === undefined) wall.pass(1000);
      else wall.passUntil(() => (screens.get(first) ?? "").includes("$ "), 20_000);
    },
    type(id: string, command: string, seen: string): void {
      session.runInTerminal(command);
      expect(
        wall.passUntil(() => plain(screens.get(id) ?? "").includes(seen), 30_000),
        `${seen} in:\n${screens.get(id)}`,
      ).toBe(true);
      wall.pass(1000);
    },
  };
}

/** What a call to the world comes to. */
async function answered<Answer>(page: ReturnType<typeof visit>, call: Promise<Answer>): Promise<Answer> {
  for (let turn = 0; turn < 50; turn += 1) {
    page.wall.pass(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return call;
}

const passed = (page: ReturnType<typeof visit>) =>
  page.session.steps.value.filter(({ status }) => status === "passed").map(({ id }) => id);
const pods = (page: ReturnType<typeof visit>) =>
  page.session.cluster.value.pods.map(({ namespace, name, uid, nodeName }) => ({ namespace, name, uid, nodeName }));

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
      ["a", true, ["1 sur 4"]],
      ["b", false, []],
      ["c", false, []],
      ["d", false, []],
    ]);
    expect(page.session.clock.value).toMatchObject({ context: "kubernetes-admin@kubernetes", namespace: "default" });
  });

  it("passes a step when the cluster shows it, and says what the next one lacks", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    expect(passed(page)).toEqual(["a"]);
    expect(page.session.steps.value[1]).toMatchObject({ id: "b", current: true, missing: ["2 sur 4"] });
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

  it("saves files, answers questions about them and opens pages; who asks of a lab that stops is told", async () => {
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
    page.session.setPaused(true);
    page.wall.pass(1000);
    const before = page.session.clock.value.nowMs;
    page.session.skip(300_000);
    page.wall.pass(10_000);
    expect(page.session.clock.value.nowMs - before).toBe(300_000);
  });
});

describe("a lab that was left", () => {
  it("comes back with the same Pods, steps, screens, hints and solutions", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.type(id, "kubectl create deployment web --image=nginx --replicas=2", "deployment.apps/web created");
    first.wall.pass(20_000);
    first.session.showHint("b");
    first.session.showHint("b");
    first.session.showSolution("b");
    first.session.close();

    const second = visit({ storage });
    const again = second.open();
    await second.begin();
    second.wall.pass(500);
    expect(second.session.state.value).toEqual({ kind: "ready", resumed: true, lost: undefined });
    expect(again.id).toBe(id);
    expect(second.screen(id)).toBe(first.screen(id));
    expect(pods(second)).toEqual(pods(first));
    expect(pods(second).filter(({ namespace }) => namespace === "default")).toHaveLength(2);
    expect(passed(second)).toEqual(["a"]);
    expect(second.session.steps.value[1]).toMatchObject({ hintsLeft: 1, solution: { commands: "kubectl create configmap b" } });
  });

  it("brings its other terminals back too", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    first.open();
    await first.begin();
    first.open();
    first.wall.pass(1000);
    first.session.close();
    const second = visit({ storage });
    second.open();
    await second.begin();
    expect(second.session.leftTerminals.value).toBe(1);
    expect(second.open().id).toBe("2");
    expect(second.session.leftTerminals.value).toBe(0);
  });

  it.each([
    ["unreadable", "{"],
    ["unreadable", '{"format":1,"entries":[null]}'],
    ["outdated", '{"format":0}'],
  ])("starts afresh and says that what was kept is %s (%s)", async (lost, text) => {
    const storage = memoryStorage();
    storage.setItem("pilothouse.lab.four", text);
    const page = visit({ storage });
    page.open();
    await page.begin();
    expect(page.session.state.value).toEqual({ kind: "ready", resumed: false, lost });
  });
});

describe("a lab whose world has changed since the last visit", () => {
  it("starts afresh and says so; other words of its texts and checks do not matter", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.session.close();
    const changed = (change: object) => () => Promise.resolve({ ...bundle, definition: { ...bundle.definition, ...change } });
    const same = visit({ storage, load: changed({ exam: { minutes: 5, pass: 50 } }) });
    same.open();
    await same.begin();
    expect(same.session.state.value).toMatchObject({ resumed: true, lost: undefined });
    same.session.close();
    const other = visit({ storage, load: changed({ setup: "kubectl create namespace shop" }) });
    other.open();
    await other.begin();
    expect(other.session.state.value).toEqual({ kind: "ready", resumed: false, lost: "outdated" });
    expect(passed(other)).toEqual([]);
  });
});

describe("keeping a lab", () => {
  it("is refused by a storage without room, and said", async () => {
    const full: KeyValueStorage = {
      ...memoryStorage(),
      setItem: () => {
        throw new Error("full");
      },
    };
    const page = visit({ storage: full });
    const { id } = page.open();
    await page.begin();
    page.type(id, "echo hello", "\nhello");
    expect(page.session.keeping.value).toBe("refused");
  });

  it("is left to the other tab that has the lab, also through a reset", async () => {
    const storage = memoryStorage();
    storage.setItem("pilothouse.lab.four", "theirs");
    const page = visit({ storage, claim: false });
    const { id } = page.open();
    await page.begin();
    page.type(id, "echo hello", "\nhello");
    page.session.reset();
    await page.begin();
    page.session.close();
    expect(page.session.keeping.value).toBe("elsewhere");
    expect(storage.kept.get("pilothouse.lab.four")).toBe("theirs");
  });
});

describe("a reset", () => {
  it("forgets what was kept and begins anew, in the terminal that is open", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.session.showHint("a");
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

describe("a lab whose checks ask over the network and time steady clients", () => {
  const timedStep = (id: string, that: string): string => `- id: ${id}
  checks:
  - {id: there, that: '${that}', for: 5s, values: {count: traffic.web.sent}}
  solution: "true"
  wrong: [{id: nothing, commands: "true", fails: [there]}]
`;
  const setup = "  kubectl create deployment web --image=nginx:1.27\n  kubectl rollout status deployment/web\n";
  const client = '{name: web, from: node-1, url: "http://web", everyMs: 300}';
  const first = timedStep("a", 'http("node-1", "http://web").code == 200');
  const others = names.slice(1).map((name) => timedStep(name, "traffic.web.sentSinceStep > 1000"));
  const lab = `nodes: 1\ntraffic: [${client}]\nsetup: |\n${setup}steps:\n${first}${others.join("")}`;
  const busy = bundleLab({ ...sources, "labs/four/lab.yaml": lab }, "four", "fr");

  it("comes back after a reload with the same passes and the same counts", async () => {
    const storage = memoryStorage();
    const load = () => Promise.resolve(busy);
    const page = visit({ storage, load });
    const { id } = page.open();
    await page.begin();
    page.wall.pass(3000);
    expect(passed(page)).toEqual([]);
    page.type(id, "kubectl expose deployment web --port=80", "service/web exposed");
    page.wall.pass(20_000);
    expect(passed(page)).toEqual(["a"]);
    page.session.setPaused(true);
    page.wall.pass(500);
    const { missing } = page.session.steps.value[1] ?? { missing: [] };
    expect(missing).toEqual([expect.stringMatching(/^\d+ sur 4$/)]);
    page.session.close();

    const again = visit({ storage, load });
    await new Promise((resolve) => setImmediate(resolve));
    // Nothing but the replay: the clients would count on.
    again.wall.pass(0);
    expect(passed(again)).toEqual(["a"]);
    expect(again.session.steps.value[1]?.missing).toEqual(missing);
  });
});

describe("going back", () => {
  it("lists the moments before commands and saved files, and goes there; what was left can be returned to", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.type(id, "cd /tmp; cd", "$ ");
    const saving = page.session.saveFile("web.yaml", "kind: Pod\n");
    page.wall.pass(2000);
    await saving;
    page.type(id, "kubectl delete configmap b", "not found");
    page.type(id, "kubectl create configmap b", "configmap/b created");
    const moments = await answered(page, page.session.journal.checkpoints());
    expect(moments.map(({ kind, text, code }) => `${kind} ${text} ${code}`)).toEqual([
      "command kubectl create configmap a 0",
      "file web.yaml 0",
      "command kubectl delete configmap b 1",
      "command kubectl create configmap b 0",
    ]);
    expect(passed(page)).toEqual(["a", "b"]);

    page.session.journal.goBack(moments[2] as (typeof moments)[number]);
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a"]);
    expect(page.session.state.value).toMatchObject({ kind: "ready", resumed: false });
    expect(page.session.journal.left.value).toEqual({ kind: "back", before: "kubectl delete configmap b" });
    expect(page.session.clock.value.nowMs - (moments[2]?.atMs ?? 0)).toBeLessThan(3000);
    page.type(id, "cat web.yaml", "kind: Pod");

    page.session.journal.comeBack();
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a", "b"]);
    expect(page.session.journal.left.value).toBeUndefined();
  });

  it("resets a step to when it was opened; help that was asked for stays counted", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.session.showHint("b");
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

describe("a run as a file and as a link", () => {
  it("goes to another browser, and comes back to what was there", async () => {
    const first = visit();
    const { id } = first.open();
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.session.showHint("b");
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
    second.session.journal.offerRun(await readLink("four", link));
    expect(second.session.journal.offer.value).toEqual({ kind: "run" });
    second.session.journal.answerOffer(true);
    await second.begin();
    second.wall.pass(1000);
    expect(passed(second)).toEqual(["a"]);
    second.session.journal.offerRun(await readLink("four", link.slice(0, -20)));
    expect(second.session.journal.offer.value).toEqual({ kind: "refused", refusal: "unreadable", lab: "" });
    second.session.journal.offerRun(await readLink("five", link));
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

describe("points", () => {
  it("are ten a step, less by every hint and by a solution", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.session.showHint("a");
    page.session.showHint("a");
    page.session.showSolution("b");
    expect(page.session.steps.value.map(({ worth, hintCost }) => [worth, hintCost])).toEqual([
      [7, 3],
      [2, 1],
      [10, 1],
      [10, 1],
    ]);
    for (const name of ["a", "b", "c"]) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    expect(page.session.score.value).toEqual({ points: 19, most: 40 });
  });
});

describe("an exam", () => {
  it("begins with a new cluster, helps with nothing, and ends when all steps have passed", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    expect(page.session.examRules.value).toEqual({ minutes: 20, pass: 66 });
    page.session.startExam({ minutes: 20, pass: 66 });
    await page.begin();
    page.wall.pass(1000);
    page.session.showHint("a");
    page.session.showSolution("a");
    page.session.journal.resetStep();
    expect(page.session.steps.value[0]).toMatchObject({
      status: "open",
      missing: [],
      hintsShown: [],
      hintsLeft: 0,
      solution: undefined,
    });
    for (const name of names) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    expect(page.session.exam.value?.result).toEqual({ passedSteps: 4, steps: 4, percent: 100, good: true });
  });

  it("ends when its time is up, also while the page is closed; what passes later does not count", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.session.startExam({ minutes: 1, pass: 50 });
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.wall.pass(10_000);
    expect(first.session.exam.value?.result).toBeUndefined();
    first.session.close();
    const second = visit({ storage });
    second.wall.pass(60_000);
    second.open();
    await second.begin();
    second.wall.pass(1000);
    expect(second.session.exam.value?.result).toEqual({ passedSteps: 1, steps: 4, percent: 25, good: false });
    second.type(id, "kubectl create configmap b", "configmap/b created");
    expect(second.session.exam.value?.result?.passedSteps).toBe(1);
    expect(second.session.steps.value[2]?.hintsLeft).toBe(3);
    second.session.reset();
    expect(second.session.exam.value).toBeUndefined();
  });
});
