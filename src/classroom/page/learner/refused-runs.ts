// Why the server has not counted a run, in the learner's language, with what to do: at the lab that is open, and for all labs at the
// reader's place for the class.

import type { Translate } from "../../../i18n/translator.ts";
import type { RefusalWord, Result } from "../../wire.ts";
import { type RefusalReason, reasonOf } from "../refusal-reasons.ts";
import { element } from "./elements.ts";

/** Where another browser goes on with a run, this one's part is not counted, and could not be replayed for that. */
export type LearnerReason = RefusalReason | "elsewhere";

/** Parts of runs that were not taken, as the same could be said of the whole; what else is refused is no matter of the run's. */
const ofParts: Partial<Record<RefusalWord, LearnerReason>> = {
  "too-large": "tooMany",
  "bad-request": "unreadable",
  elsewhere: "elsewhere",
};

/** By lab. */
export function refusedLabs(
  results: readonly Result[],
  parts: ReadonlyMap<string, RefusalWord>,
): ReadonlyMap<string, LearnerReason> {
  const refused = new Map<string, LearnerReason>();
  for (const { lab, refusal } of results) if (refusal !== null) refused.set(lab, reasonOf(refusal));
  for (const [lab, word] of parts) {
    const reason = ofParts[word];
    if (reason !== undefined) refused.set(lab, reason);
  }
  return refused;
}

/** Why, and what to do. `refusal` is the server's word. */
export function refusalSentence(t: Translate, refusal: string): string {
  const reason = refusal === "elsewhere" ? refusal : reasonOf(refusal);
  return t(`classroom.learner.refused.${reason}`, { reset: t("workbench.status.reset") });
}

export interface RefusedNow {
  readonly inAccount: ReadonlyMap<string, LearnerReason>;
  readonly lab: string | undefined;
  readonly here: LearnerReason | undefined;
}

export interface RefusedTexts {
  readonly t: Translate;
  /** A lab's title in the reader's language. */
  title(lab: string): Promise<string>;
}

export class RefusedRuns {
  readonly #texts: RefusedTexts;
  /** Put away by the reader, at the lab. */
  readonly #away = new Set<string>();
  #shown = "[]";

  constructor(texts: RefusedTexts) {
    this.#texts = texts;
  }

  /** `lab` is the one that is open on the page, and `here` why its run was refused. */
  show({ inAccount, lab, here }: RefusedNow): void {
    this.#showAtLab(lab, here);
    const now = JSON.stringify([...inAccount]);
    if (now === this.#shown) return;
    this.#shown = now;
    void this.#showInAccount(inAccount, now);
  }

  #showAtLab(lab: string | undefined, reason: LearnerReason | undefined): void {
    const key = `${lab} ${reason}`;
    const before = document.querySelector<HTMLElement>(".class-refused-here");
    if (before?.dataset["refused"] === key) return;
    before?.remove();
    const place = document.querySelector("[data-workbench]");
    // At the lab that is open the learner is asked which run goes on.
    if (place === null || reason === undefined || reason === "elsewhere" || this.#away.has(key)) return;
    const { t } = this.#texts;
    const notice = element("div", { class: "class-refused-here", role: "status", "data-refused": key });
    const close = element("button", { class: "button small", type: "button" }, t("classroom.learner.dismiss"));
    close.addEventListener("click", () => {
      this.#away.add(key);
      notice.remove();
    });
    notice.append(element("p", {}, `${t("classroom.learner.refused.here")} ${refusalSentence(t, reason)}`), close);
    place.before(notice);
  }

  async #showInAccount(refused: ReadonlyMap<string, LearnerReason>, key: string): Promise<void> {
    const lines = await Promise.all(
      [...refused].map(async ([lab, reason]) => [await this.#texts.title(lab), refusalSentence(this.#texts.t, reason)] as const),
    );
    // Something newer is shown by now.
    if (key !== this.#shown) return;
    document.querySelector(".class-account > .class-refused")?.remove();
    const note = document.querySelector(".class-account > .note");
    if (note === null || lines.length === 0) return;
    const place = element("div", { class: "class-refused" });
    const list = element("ul");
    for (const [title, sentence] of lines) {
      const item = element("li");
      item.append(element("strong", {}, title), ` ${sentence}`);
      list.append(item);
    }
    place.append(element("p", {}, this.#texts.t("classroom.learner.refused.heading")), list);
    note.after(place);
  }
}
