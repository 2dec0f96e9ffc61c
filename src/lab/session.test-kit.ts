// A lab of four steps, and visits to it: the page's side and the worker's side joined without a worker, under a wall clock
// moved by hand.

import { expect } from "vitest";
import { bundleLab } from "./catalog.ts";
import type { HeldExam } from "./exam.ts";
import { LabHost } from "./lab-host.ts";
import { type SavedLab, savedFormat, type WorkerMessage } from "./protocol.ts";
import { type KeyValueStorage, loadSavedLab, storeSavedLab } from "./saved-labs.ts";
import { SessionClient } from "./session-client.ts";
import { FakeWall } from "./wall.test-kit.ts";

const step = (id: string, that: string, solution: string): string => `- id: ${id}
  checks:
  - id: there
    that: ${that}
    values: {count: 'objects("configmaps", "default").size()'}
  solution: ${solution}
  wrong:
  - {id: nothing, commands: "true", fails: [there]}
`;

export const names = ["a", "b", "c", "d"];
export const sources = {
  "labs/four/lab.yaml": `nodes: 1\nsteps:\n${names
    .map((name) => step(name, `exists("configmaps", "default", "${name}")`, `kubectl create configmap ${name}`))
    .join("")}`,
  "labs/four/fr.yaml": `title: T\ngoal: G\nsteps:\n${names
    .map((name) => `  ${name}: {title: ${name}, task: t, hints: [h1, h2, h3], solution: s, missing: {there: "{count} sur 4"}}\n`)
    .join("")}`,
};
export const bundle = bundleLab(sources, "four", "fr");

/** A capstone of six such tasks, worth 5, 10 … 30 points. */
const tasks = [...names, "e", "f"];
export const capstone = bundleLab(
  {
    "labs/capstone-six/lab.yaml": `nodes: 1\ncapstone: true\nexam: {minutes: 20, pass: 66}\nsteps:\n${tasks
      .map((name, index) =>
        step(name, `exists("configmaps", "default", "${name}")`, `kubectl create configmap ${name}`).replace(
          "  checks:",
          `  points: ${5 * (index + 1)}\n  lesson: labels\n  checks:`,
        ),
      )
      .join("")}`,
    "labs/capstone-six/fr.yaml": `title: T\ngoal: G\nsteps:\n${tasks
      .map((name) => `  ${name}: {title: ${name}, task: t, solution: s, missing: {there: "{count} sur 6"}}\n`)
      .join("")}`,
    ...Object.fromEntries(["zh", "ja", "es"].map((locale) => [`labs/capstone-six/${locale}.yaml`, ""])),
  },
  "capstone-six",
  "fr",
);

export function memoryStorage(): KeyValueStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

interface VisitOptions {
  readonly held?: HeldExam;
  readonly storage?: KeyValueStorage;
  readonly claim?: boolean;
  readonly load?: () => Promise<typeof bundle>;
}

/** Without colours and other escape sequences. */
export function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}

/** One visit of the page: a session, its host and their clock. */
export function visit({ storage = memoryStorage(), claim = true, load = () => Promise.resolve(bundle), held }: VisitOptions = {}) {
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
    held,
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
export async function answered<Answer>(page: ReturnType<typeof visit>, call: Promise<Answer>): Promise<Answer> {
  let isSettled = false;
  const settled = (): void => {
    isSettled = true;
  };
  call.then(settled, settled);
  for (let turn = 0; turn < 50 || !isSettled; turn += 1) {
    page.wall.pass(20);
    // What a worker fetches first, it fetches in its own time.
    await new Promise((resolve) => (turn < 50 ? setImmediate(resolve) : setTimeout(resolve, 5)));
  }
  return call;
}

export const passed = (page: ReturnType<typeof visit>) =>
  page.session.steps.value.filter(({ status }) => status === "passed").map(({ id }) => id);
export const pods = (page: ReturnType<typeof visit>) =>
  page.session.cluster.value.pods.map(({ namespace, name, uid, nodeName }) => ({ namespace, name, uid, nodeName }));
