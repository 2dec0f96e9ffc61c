// The class's plan on the pages of the course: which lessons it does now, and which later. Nothing is closed to a reader.

import type { Translate } from "../../../i18n/translator.ts";
import type { Plan } from "../../wire.ts";
import { element } from "./elements.ts";

export type Turn = "now" | "later" | "over";
type Planned = Plan[number];

export function turnOf({ from, until }: Planned, nowMs: number): Turn {
  if (from !== null && nowMs < from) return "later";
  return until !== null && nowMs >= until ? "over" : "now";
}

/** The lesson to begin with: the first that is open; undefined without a plan. */
export function firstOpen(plan: Plan, nowMs: number): string | undefined {
  return plan.find((planned) => turnOf(planned, nowMs) === "now")?.lesson;
}

export class PlanMarks {
  readonly #t: Translate;
  readonly #day: Intl.DateTimeFormat;

  constructor(t: Translate, language: string) {
    this.#t = t;
    this.#day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  }

  /** Again after each change, and as time goes on. */
  show(plan: Plan): void {
    const planned = new Map(plan.map((one) => [one.lesson, one]));
    for (const item of document.querySelectorAll<HTMLElement>("li[data-lesson]"))
      this.#mark(item, planned.get(item.dataset["lesson"] ?? ""));
    const page = document.querySelector<HTMLElement>("[data-lesson-page]");
    const head = page?.querySelector(".lesson-head");
    const line = head?.querySelector(".class-turn");
    const own = planned.get(page?.dataset["lessonPage"] ?? "");
    const text = own === undefined ? "" : this.#sentence(own);
    if (line?.textContent === text) return;
    line?.remove();
    if (text !== "") head?.append(element("p", { class: "class-turn note" }, text));
  }

  #mark(item: HTMLElement, planned: Planned | undefined): void {
    const before = item.querySelector(":scope > a > .class-mark");
    const text = planned === undefined ? "" : this.#word(planned);
    if (planned === undefined) delete item.dataset["class"];
    else item.dataset["class"] = turnOf(planned, Date.now());
    if (before?.textContent === text) return;
    before?.remove();
    if (text !== "") item.querySelector(":scope > a")?.append(element("span", { class: "class-mark" }, text));
  }

  /** In lists. */
  #word(planned: Planned): string {
    const turn = turnOf(planned, Date.now());
    if (turn === "later") return this.#t("classroom.learner.markLater", { date: this.#date(planned.from) });
    return this.#t(turn === "now" ? "classroom.learner.markNow" : "classroom.learner.markOver");
  }

  /** On the lesson's own page. */
  #sentence(planned: Planned): string {
    const turn = turnOf(planned, Date.now());
    if (turn === "later") return this.#t("classroom.learner.turnLater", { date: this.#date(planned.from) });
    if (turn === "over") return this.#t("classroom.learner.turnOver", { date: this.#date(planned.until) });
    if (planned.until === null) return this.#t("classroom.learner.turnNow");
    return this.#t("classroom.learner.turnNowUntil", { date: this.#date(planned.until) });
  }

  #date(timeMs: number | null): string {
    return timeMs === null ? "" : this.#day.format(timeMs);
  }
}
