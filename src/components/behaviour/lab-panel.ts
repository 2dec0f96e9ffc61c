// The lab beside the text: opens it on demand, gives it width, shows it in turn with the text on phones.

import type { ExamLab, ShownRun } from "#lab/open.ts";
import { changePreferences, readPreferences } from "../../course/preferences.ts";
import { isLocale, type Locale } from "../../i18n/locales.ts";
import { mountWorkbench } from "../../workbench/mount.ts";
import type { NextLesson, Workbench } from "../../workbench/workbench.ts";
import { savesData } from "./connection.ts";
import { find, findAll, onClick } from "./dom.ts";
import { setOpenWorkbench } from "./open-workbench.ts";

const root = document.documentElement;
const panel = find("[data-lab]", HTMLElement);
const divider = find("[data-lab-divider]", HTMLElement);
let opening: Promise<Workbench | undefined> | undefined;

/** Types a command into the lab's terminal, opening the lab first if need be.
 * @returns false when the lab could not be opened; the panel says why. */
export async function runInLab(command: string): Promise<boolean> {
  showView("lab");
  const workbench = await openLab();
  workbench?.run(command);
  return workbench !== undefined;
}

/** Closes the lab that is open, if any, and opens another one in its place. */
export async function switchLab(labId: string): Promise<void> {
  if (panel === undefined || (panel.dataset["lab"] === labId && opening !== undefined)) return;
  const before = opening;
  opening = undefined;
  setOpenWorkbench(undefined);
  (await before)?.close();
  panel.dataset["lab"] = labId;
  await openLab();
}

function openLab(): Promise<Workbench | undefined> {
  opening ??= load().catch((error: Error & { readonly told?: string }) => {
    console.error(error);
    opening = undefined;
    setState("closed");
    say("failed", error.told);
    return undefined;
  });
  return opening;
}

async function load(): Promise<Workbench | undefined> {
  const locale = panel?.dataset["locale"];
  const place = find("[data-workbench]", HTMLElement);
  if (panel === undefined || place === undefined || !isLocale(locale)) return undefined;
  setState("opening");
  const slow = setTimeout(() => say("opening"), 300);
  const labId = panel.dataset["lab"] ?? "";
  try {
    const shown = await shownRun(labId, locale);
    const exam = await examLab(labId, locale);
    const workbench = await mountWorkbench(place, {
      labId,
      locale,
      lesson: panel.dataset["lessonSlug"],
      close: panel.dataset["auto"] === "true" ? undefined : closeLab,
      baseUrl: import.meta.env.BASE_URL,
      nextLesson: nextLesson(),
      shown,
      exam,
    });
    setState("open");
    setOpenWorkbench(workbench);
    return workbench;
  } finally {
    clearTimeout(slow);
    say(undefined);
  }
}

/** Of a class, for its teacher: `?run=CLASS/LEARNER`. */
function askedRun(): string | null {
  return new URLSearchParams(location.search).get("run");
}

/** Of a class, for its learners: `?exam=ID`. */
function askedExam(): string | null {
  return new URLSearchParams(location.search).get("exam");
}

const base = import.meta.env.BASE_URL.replace(/\/?$/, "/");

async function shownRun(labId: string, locale: Locale): Promise<ShownRun | undefined> {
  const run = askedRun();
  if (run === null) return undefined;
  const { fetchShownRun } = await import("../../classroom/page/teacher/shown-run.ts");
  return fetchShownRun({ labId, locale, base, run });
}

async function examLab(labId: string, locale: Locale): Promise<ExamLab | undefined> {
  const exam = askedExam();
  if (exam === null || askedRun() !== null) return undefined;
  // The lesson's text is not beside an exam, from the first moment on.
  root.dataset["exam"] = "true";
  try {
    const { fetchExamLab } = await import("../../classroom/page/learner/exam-lab.ts");
    return await fetchExamLab({ labId, locale, base, exam });
  } catch (error) {
    delete root.dataset["exam"];
    throw error;
  }
}

/** As the foot of the lesson leads to it. */
function nextLesson(): NextLesson | undefined {
  const link = find("a[rel=next]", HTMLAnchorElement);
  const title = link?.lastChild?.textContent?.trim() ?? "";
  return link === undefined || title === "" ? undefined : { href: link.href, title };
}

function closeLab(): void {
  setOpenWorkbench(undefined);
  void opening?.then((workbench) => workbench?.close());
  opening = undefined;
  setState("closed");
  showView("text");
  find("[data-lab] [data-open-lab]", HTMLElement)?.focus();
}

function setState(state: "closed" | "opening" | "open"): void {
  if (panel === undefined) return;
  panel.dataset["state"] = state;
  const closed = find("[data-lab-closed]", HTMLElement);
  const place = find("[data-workbench]", HTMLElement);
  if (closed) closed.hidden = state === "open";
  if (place) place.hidden = state !== "open";
  for (const button of findAll("[data-open-lab]", HTMLButtonElement)) button.disabled = state === "opening";
  keepPlace(() => {
    for (const button of findAll(".lab-anchor [data-open-lab]", HTMLButtonElement)) button.hidden = state === "open";
    root.dataset["lab"] = state;
  });
}

/** The text changes its width with the lab: what the reader has at the top of the window stays there. */
function keepPlace(change: () => void): void {
  const blocks = findAll(".lesson .lesson-head, .lesson .text > :not(.lab-anchor)", HTMLElement);
  const top = find(".header", HTMLElement)?.offsetHeight ?? 0;
  const first = scrollY === 0 ? undefined : blocks.find((block) => block.getBoundingClientRect().bottom > top);
  const before = first?.getBoundingClientRect().top;
  change();
  if (first !== undefined && before !== undefined)
    window.scrollBy({ top: first.getBoundingClientRect().top - before, behavior: "instant" });
}

function say(what: "opening" | "failed" | undefined, told?: string): void {
  const said = find("[data-lab-said]", HTMLElement);
  if (said) said.textContent = what === undefined ? "" : (told ?? said.dataset[what] ?? "");
}

function showView(view: "text" | "lab"): void {
  root.dataset["view"] = view;
  for (const button of findAll("[data-show]", HTMLElement))
    button.setAttribute("aria-pressed", String(button.dataset["show"] === view));
}

// A link to somebody's run of this lab, or to an exam's: the reader came for it.
if (panel !== undefined && (location.hash.startsWith("#lab=") || askedRun() !== null || askedExam() !== null)) {
  showView("lab");
  void openLab();
}

onClick("[data-open-lab]", () => {
  showView("lab");
  void openLab().then((workbench) => workbench?.focus());
});
onClick("[data-show]", (button) => {
  const lab = button.dataset["show"] === "lab";
  showView(lab ? "lab" : "text");
  if (lab) void openLab();
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey && event.key === "`")) return;
  event.preventDefault();
  if (document.activeElement?.closest(".xterm")) find("main", HTMLElement)?.focus({ preventScroll: true });
  else {
    showView("lab");
    void openLab().then((workbench) => workbench?.focusTerminal());
  }
});

function setWidth(percent: number, keep: boolean): void {
  const width = Math.round(Math.min(75, Math.max(25, percent)));
  root.style.setProperty("--lab-width", `${width}vw`);
  divider?.setAttribute("aria-valuenow", String(width));
  if (keep) changePreferences({ labWidthPercent: width });
}

divider?.addEventListener("pointerdown", (event) => {
  divider.setPointerCapture(event.pointerId);
  const move = (at: PointerEvent): void => setWidth(((innerWidth - at.clientX) / innerWidth) * 100, false);
  divider.addEventListener("pointermove", move);
  divider.addEventListener(
    "lostpointercapture",
    () => {
      divider.removeEventListener("pointermove", move);
      setWidth(Number(divider.getAttribute("aria-valuenow")), true);
    },
    { once: true },
  );
});
divider?.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: 2, ArrowRight: -2, Home: -100, End: 100 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  setWidth(Number(divider.getAttribute("aria-valuenow")) + step, true);
});

setWidth(readPreferences().labWidthPercent, false);
if (panel?.dataset["auto"] === "true") openWhenIdle(panel);

/** On the home page the cluster starts by itself: once it is in sight and the page has nothing else to do. Whoever saves data
 * opens it by its button. */
function openWhenIdle(place: HTMLElement): void {
  if (savesData()) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    const start = (): void => whenIdle(() => void openLab());
    if (matchMedia("(pointer: coarse)").matches) atFirstTouch(start);
    else start();
  });
  const watch = (): void => observer.observe(place);
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch, { once: true });
}

/** A phone is busy long enough with the page itself: there the cluster waits for the first touch, or for the reader to have read a
 * few lines. */
function atFirstTouch(act: () => void): void {
  const signs = ["pointerdown", "scroll", "keydown"] as const;
  const begin = (): void => {
    clearTimeout(waiting);
    for (const sign of signs) removeEventListener(sign, begin);
    act();
  };
  const waiting = setTimeout(begin, 4_000);
  for (const sign of signs) addEventListener(sign, begin, { passive: true });
}

function whenIdle(act: () => void): void {
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 1_500 });
  else setTimeout(act, 200);
}
