import { afterEach, describe, expect, it, vi } from "vitest";
import { stringsFor } from "../../../i18n/build.ts";
import { fetchShownRun } from "./shown-run.ts";

const t = stringsFor("fr");
const startMs = Date.UTC(2026, 0, 15, 9);
const entry = { timeMs: startMs + 1000, input: { kind: "terminal-input", terminal: "1", text: "ls\r" } };
const run = { seed: 7, startMs, nowMs: startMs + 2000, format: 1, world: "00c0ffee", entries: [entry], hints: {}, solutions: [] };
const asked = { labId: "pod-phases", locale: "fr", base: "/course/", run: "k1/l1" } as const;

function answer(held: object, status = 200): string[] {
  const urls: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    urls.push(url);
    const body = status !== 200 || url.endsWith("/runs/pod-phases") ? held : { name: "Léa" };
    return Promise.resolve(Response.json(body, { status }));
  });
  return urls;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a learner's run for the teacher's browser", () => {
  it("is the run as the server holds it, with a line that says whose it is", async () => {
    const urls = answer({ lab: "pod-phases", run, savedAt: startMs });
    const shown = await fetchShownRun(asked);
    expect(urls).toEqual(["/course/api/classes/k1/learners/l1", "/course/api/classes/k1/learners/l1/runs/pod-phases"]);
    expect(shown.saved).toEqual(run);
    expect(shown.line).toMatch(/^TP de Léa.: copie en lecture seule/);
    expect(shown.back).toEqual({ href: "/course/fr/class/#class/k1/learner/l1", text: "Revenir à la page de Léa" });
  });

  it("is an exam's where the address names one, and leads back to the exam", async () => {
    const urls = answer({ lab: "pod-phases", run, savedAt: startMs });
    const shown = await fetchShownRun({ ...asked, run: "k1/l1/e1" });
    expect(urls).toEqual(["/course/api/classes/k1/learners/l1", "/course/api/classes/k1/exams/e1/learners/l1/runs/pod-phases"]);
    expect(shown.back).toEqual({ href: "/course/fr/class/#class/k1/exam/e1", text: "Revenir à l’examen" });
  });

  it("is of no known world where the learner's page had not said which", async () => {
    answer({ lab: "pod-phases", run: { ...run, world: null }, savedAt: startMs });
    const { world: _world, ...rest } = run;
    expect((await fetchShownRun(asked)).saved).toEqual(rest);
  });

  it.each([
    ["of another simulator", { run: { ...run, format: 2 } }, 200, "classroom.teacher.run.outdated"],
    [
      "with inputs that there are not",
      { run: { ...run, entries: [{ ...entry, input: { kind: "x" } }] } },
      200,
      "classroom.teacher.run.unreadable",
    ],
    ["out of order", { run: { ...run, entries: [entry, { ...entry, timeMs: startMs }] } }, 200, "classroom.teacher.run.unreadable"],
    ["that is not there", { error: "not-found" }, 404, "classroom.teacher.errors.not-found"],
    ["of a session that has ended", { error: "not-signed-in" }, 401, "classroom.teacher.errors.not-signed-in"],
  ] as const)("%s it is not shown, and why is said", async (_title, held, status, why) => {
    answer({ savedAt: startMs, ...held }, status);
    const told = t("classroom.teacher.run.failed", { why: t(why) });
    await expect(fetchShownRun(asked)).rejects.toMatchObject({ told });
  });
});
