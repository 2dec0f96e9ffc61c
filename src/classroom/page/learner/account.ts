// The reader's place in the class, in the settings: who they are there, whether everything is sent, the way out.

import type { Translate } from "../../../i18n/translator.ts";
import type { HeldCertificate } from "../../wire.ts";
import type { ClassroomApi } from "./api.ts";
import { element } from "./elements.ts";
import { OwnData } from "./own-data.ts";

export interface Standing {
  /** Lessons and labs that are still to be sent. */
  readonly waiting: number;
  /** Labs that wait until the learner has chosen between two browsers' runs. */
  readonly undecided: number;
  readonly connection: "there" | "away" | "ended";
  /** Steps that the server's own world reached; undefined while that is not known. */
  readonly counted: number | undefined;
}

export interface AccountActs {
  leave(everything: boolean): void;
  /** The class keeps nothing of the reader any more. */
  gone(): void;
  readonly api: ClassroomApi;
  /** The page for joining, where the session has ended. */
  readonly joinPage: string;
}

export class Account {
  readonly #t: Translate;
  readonly #acts: AccountActs;
  readonly #said = element("p", { class: "note", role: "status" });
  readonly #counted = element("p", { class: "note" });
  readonly #certificates = element("ul", { class: "certificates" });
  readonly #idle = element("div", { class: "actions" });
  readonly #question = element("div", { class: "actions" });
  readonly #leaveAsk = element("span");
  readonly #own: OwnData;

  constructor(settings: HTMLElement, { name, className }: { name: string; className: string }, t: Translate, acts: AccountActs) {
    this.#t = t;
    this.#acts = acts;
    const place = element("fieldset", { class: "class-account" });
    place.append(element("legend", {}, t("classroom.learner.account", { class: className })));
    place.append(
      element("p", {}, t("classroom.learner.as", { name })),
      this.#counted,
      this.#certificates,
      this.#said,
      this.#idle,
      this.#question,
    );
    this.#certificates.hidden = true;
    this.#idle.append(this.#button("classroom.learner.leave", () => this.#ask(true)));
    this.#question.append(
      this.#leaveAsk,
      this.#button("classroom.learner.leaveYes", () => acts.leave(false)),
      this.#button("classroom.learner.leaveAll", () => acts.leave(true)),
      this.#button("classroom.learner.leaveNo", () => this.#ask(false)),
    );
    this.#question.hidden = true;
    this.#own = new OwnData(t, acts.api, acts.gone);
    place.append(this.#own.place);
    this.showWayIn(true);
    settings.querySelector(".dialog-head")?.after(place);
  }

  /** Who came by a learning platform has no word to come back with. */
  showWayIn(hasWord: boolean): void {
    this.#leaveAsk.textContent = this.#t(hasWord ? "classroom.learner.leaveAsk" : "classroom.learner.leaveAskLaunch");
    this.#own.askWord(hasWord);
  }

  show({ waiting, undecided, connection, counted }: Standing): void {
    this.#counted.textContent =
      counted === undefined || counted === 0 ? "" : this.#t("classroom.learner.counted", { count: counted });
    // Without a session nothing can be asked for.
    this.#own.place.hidden = connection === "ended";
    const text = this.#sentence(waiting, undecided, connection);
    if (this.#said.textContent === text) return;
    this.#said.textContent = text;
    this.#said.classList.toggle("warning", connection === "ended");
    if (connection === "ended")
      this.#said.append(" ", element("a", { href: this.#acts.joinPage }, this.#t("classroom.learner.joinAgain")));
  }

  /** `site`: the site's path, with a slash at its end. */
  showCertificates(held: readonly HeldCertificate[], site: string): void {
    const language = document.documentElement.lang;
    this.#certificates.hidden = held.length === 0;
    this.#certificates.replaceChildren(
      ...held.map(({ code, locale, madeAt, withdrawnAt }) => {
        const date = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(madeAt);
        const key = withdrawnAt === null ? "classroom.learner.certificate" : "classroom.learner.certificateWithdrawn";
        const line = element("li");
        line.append(element("a", { href: `${site}${locale}/verify/#${code}` }, this.#t(key, { date })));
        return line;
      }),
    );
  }

  #sentence(waiting: number, undecided: number, connection: Standing["connection"]): string {
    if (connection === "ended") return this.#t("classroom.learner.ended");
    if (connection === "away") return this.#t("classroom.learner.away", { count: waiting });
    // Not all is; a list tells of those of lessons.
    if (waiting === 0 && undecided > 0) return "";
    return waiting === 0 ? this.#t("classroom.learner.allSent") : this.#t("classroom.learner.sending", { count: waiting });
  }

  #ask(asking: boolean): void {
    this.#idle.hidden = asking;
    this.#question.hidden = !asking;
    [...(asking ? this.#question : this.#idle).querySelectorAll("button")].at(-1)?.focus();
  }

  #button(
    key: "classroom.learner.leave" | "classroom.learner.leaveYes" | "classroom.learner.leaveAll" | "classroom.learner.leaveNo",
    act: () => void,
  ) {
    const button = element("button", { class: "button", type: "button" }, this.#t(key));
    button.addEventListener("click", act);
    return button;
  }
}
