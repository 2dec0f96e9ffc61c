// That the class has exams: on the front page, at the reader's place for the class, and on lessons while one is open.

import type { Translate } from "../../../i18n/translator.ts";
import type { OwnExam } from "../../wire.ts";
import { element } from "./elements.ts";
import { type Exams, examState } from "./exams.ts";

/** So long after its end an exam is still listed. */
const listedMs = 7 * 86_400_000;

export class ExamNotices {
  readonly #t: Translate;
  readonly #exams: Exams;
  readonly #page: string;
  readonly #time: Intl.DateTimeFormat;

  /** @param page the address of the exams' page, without its fragment. */
  constructor(exams: Exams, page: string, t: Translate, language: string) {
    this.#t = t;
    this.#exams = exams;
    this.#page = page;
    this.#time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  }

  /** Again after each change, and as time goes on. */
  show(): void {
    const nowMs = this.#exams.nowMs();
    const listed = (this.#exams.kept?.exams ?? []).filter(
      ({ closesAt, sitting }) => nowMs < (sitting?.endsAt ?? closesAt) + listedMs,
    );
    const front = document.querySelector(".home > .home-head");
    if (front !== null) this.#put(".home > .class-exams", listed, (list) => front.after(this.#section(list)));
    const note = document.querySelector(".class-account > .note");
    if (note !== null) this.#put(".class-account > .class-exams", listed, (list) => note.before(this.#inAccount(list)));
    // Beside an exam's own lab it is said already.
    const isExam = new URLSearchParams(location.search).has("exam");
    const head = document.querySelector("[data-lesson-page] .lesson-head");
    const open = listed.filter((exam) => ["open", "running"].includes(examState(exam, nowMs)));
    if (head !== null && !isExam) this.#put(".lesson-head > .class-exams", open, (list) => head.append(this.#inLesson(list)));
  }

  /** Puts a list in the place of the one before, unless it says the same. */
  #put(selector: string, exams: readonly OwnExam[], put: (list: HTMLElement) => void): void {
    const before = document.querySelector(selector);
    const list = element("ul");
    for (const exam of exams) {
      const item = element("li");
      const { state, text } = this.#words(exam);
      item.dataset["exam"] = state;
      item.append(element("a", { href: `${this.#page}#${exam.id}` }, exam.title), " ", element("span", { class: "note" }, text));
      list.append(item);
    }
    if (before?.querySelector("ul")?.innerHTML === list.innerHTML) return;
    before?.remove();
    if (exams.length > 0) put(list);
  }

  #words(exam: OwnExam) {
    const state = examState(exam, this.#exams.nowMs());
    const ends = exam.sitting?.endsAt ?? exam.closesAt;
    const date = this.#time.format(state === "before" ? exam.opensAt : ends);
    return { state, text: this.#t(`classroom.learner.exam.listed.${state}`, { date }) };
  }

  #section(list: HTMLElement): HTMLElement {
    const section = element("section", { class: "class-exams", "aria-labelledby": "class-exams" });
    section.append(element("h2", { id: "class-exams" }, this.#t("classroom.learner.exam.heading")), list);
    return section;
  }

  #inAccount(list: HTMLElement): HTMLElement {
    const place = element("div", { class: "class-exams" });
    place.append(element("p", {}, this.#t("classroom.learner.exam.heading")), list);
    return place;
  }

  #inLesson(list: HTMLElement): HTMLElement {
    const place = element("div", { class: "class-exams class-turn" });
    place.append(list);
    return place;
  }
}
