// In the reader's place in the class: a copy of what the class keeps of them, and its end, after a question.

import type { Translate } from "../../../i18n/translator.ts";
import type { Answer, ClassroomApi } from "./api.ts";
import { element } from "./elements.ts";

export class OwnData {
  readonly place = element("div", { class: "own-data" });
  readonly #t: Translate;
  readonly #api: ClassroomApi;
  readonly #gone: () => void;
  readonly #idle = element("div", { class: "actions" });
  readonly #form = element("form");
  readonly #word: HTMLInputElement;
  readonly #said = element("p", { class: "note warning", role: "alert" });

  /** @param gone the class keeps nothing of the reader any more. */
  constructor(t: Translate, api: ClassroomApi, gone: () => void) {
    this.#t = t;
    this.#api = api;
    this.#gone = gone;
    this.#word = element("input", { id: "own-data-word", type: "password", required: "", maxlength: "100", autocomplete: "off" });
    const take = element(
      "a",
      { class: "button", href: api.address("own"), download: "pilothouse.json" },
      t("classroom.learner.ownTake"),
    );
    const ask = element("button", { class: "button", type: "button" }, t("classroom.learner.ownEnd"));
    this.#idle.append(take, ask);
    const label = element("label", { for: this.#word.id }, t("classroom.learner.ownWord"));
    const yes = element("button", { class: "button", type: "submit" }, t("classroom.learner.ownYes"));
    const no = element("button", { class: "button", type: "button" }, t("classroom.learner.ownNo"));
    const actions = element("div", { class: "actions" });
    actions.append(yes, no);
    this.#form.append(element("p", {}, t("classroom.learner.ownAsk")), label, this.#word, actions, this.#said);
    this.#form.hidden = true;
    ask.addEventListener("click", () => this.#ask(true));
    no.addEventListener("click", () => {
      this.#ask(false);
      ask.focus();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      yes.disabled = true;
      void this.#end().finally(() => {
        yes.disabled = false;
      });
    });
    this.place.append(element("p", { class: "own-data-title" }, t("classroom.learner.own")), this.#idle, this.#form);
  }

  #ask(asking: boolean): void {
    this.#idle.hidden = asking;
    this.#form.hidden = !asking;
    this.#word.value = "";
    this.#said.textContent = "";
    if (asking) this.#word.focus();
  }

  #trouble(answer: Exclude<Answer<unknown>, { kind: "ok" }>) {
    if (answer.kind === "refused" && answer.refusal.error === "wrong-password") return "classroom.learner.ownWrong";
    return answer.kind === "later" && answer.why === "too-many-requests"
      ? "classroom.learner.ownTooMany"
      : "classroom.learner.ownFailed";
  }

  async #end(): Promise<void> {
    const answer = await this.#api.ask("POST", "own/end", { word: this.#word.value });
    if (answer.kind === "ok") this.#gone();
    else {
      this.#said.textContent = this.#t(this.#trouble(answer));
      this.#word.focus();
    }
  }
}
