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
  readonly #question = element("p");
  readonly #label: HTMLLabelElement;
  readonly #word: HTMLInputElement;
  readonly #yes: HTMLButtonElement;
  readonly #said = element("p", { class: "note warning", role: "alert" });
  #hasWord = true;

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
    this.#label = element("label", { for: this.#word.id }, t("classroom.learner.ownWord"));
    this.#yes = element("button", { class: "button", type: "submit" }, t("classroom.learner.ownYes"));
    const no = element("button", { class: "button", type: "button" }, t("classroom.learner.ownNo"));
    const actions = element("div", { class: "actions" });
    actions.append(this.#yes, no);
    this.#form.append(this.#question, this.#label, this.#word, actions, this.#said);
    this.#form.hidden = true;
    this.askWord(true);
    ask.addEventListener("click", () => this.#ask(true));
    no.addEventListener("click", () => {
      this.#ask(false);
      ask.focus();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#yes.disabled = true;
      void this.#end().finally(() => {
        this.#yes.disabled = false;
      });
    });
    this.place.append(element("p", { class: "own-data-title" }, t("classroom.learner.own")), this.#idle, this.#form);
  }

  /** Who has no word confirms by having just come from the learning platform. */
  askWord(hasWord: boolean): void {
    this.#hasWord = hasWord;
    this.#question.textContent = this.#t(hasWord ? "classroom.learner.ownAsk" : "classroom.learner.ownAskLaunch");
    this.#label.hidden = !hasWord;
    this.#word.hidden = !hasWord;
    this.#word.required = hasWord;
  }

  #ask(asking: boolean): void {
    this.#idle.hidden = asking;
    this.#form.hidden = !asking;
    this.#word.value = "";
    this.#said.textContent = "";
    if (asking) this.#focus();
  }

  #focus(): void {
    (this.#hasWord ? this.#word : this.#yes).focus();
  }

  #trouble(answer: Exclude<Answer<unknown>, { kind: "ok" }>) {
    if (answer.kind === "refused" && answer.refusal.error === "wrong-password") return "classroom.learner.ownWrong";
    if (answer.kind === "refused" && answer.refusal.error === "over") return "classroom.learner.ownLate";
    return answer.kind === "later" && answer.why === "too-many-requests"
      ? "classroom.learner.ownTooMany"
      : "classroom.learner.ownFailed";
  }

  async #end(): Promise<void> {
    const answer = await this.#api.ask("POST", "own/end", { word: this.#hasWord ? this.#word.value : null });
    if (answer.kind === "ok") this.#gone();
    else {
      this.#said.textContent = this.#t(this.#trouble(answer));
      this.#yes.disabled = false;
      this.#focus();
    }
  }
}
