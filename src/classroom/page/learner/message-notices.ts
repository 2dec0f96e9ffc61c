// What the teacher says, shown over the page until the reader puts it away.

import type { Translate } from "../../../i18n/translator.ts";
import type { ReceivedMessage } from "../../wire.ts";
import type { ClassroomApi } from "./api.ts";
import { element } from "./elements.ts";
import { keptRead, type LearnerStore } from "./membership.ts";
import type { Sent } from "./sender.ts";

const dayMs = 86_400_000;
/** As many as the server keeps for a page. */
const mostKept = 100;

export class MessageNotices {
  readonly #api: ClassroomApi;
  readonly #t: Translate;
  readonly #read: LearnerStore<readonly string[]>;
  readonly #time: Intl.DateTimeFormat;
  /** There from the start, so that what comes into it is read aloud. */
  readonly #region = element("div", { class: "class-notices", role: "status" });

  constructor(api: ClassroomApi, learner: string, t: Translate, language: string) {
    this.#api = api;
    this.#t = t;
    this.#read = keptRead(learner);
    this.#time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
    document.body.append(this.#region);
    // Put away in another page of this browser.
    addEventListener("storage", () => {
      const read = new Set(this.#read.read());
      for (const notice of this.#region.querySelectorAll<HTMLElement>("[data-message]"))
        if (read.has(notice.dataset["message"] ?? "")) notice.remove();
    });
  }

  async send(): Promise<Sent> {
    const answer = await this.#api.ask<readonly ReceivedMessage[]>("GET", "messages");
    if (answer.kind === "later") return "later";
    if (answer.kind === "refused") return "ended";
    const read = this.#read.read();
    // To a browser that comes in, what is a day old is no news.
    if (read === undefined) this.#read.write(answer.value.filter(({ at }) => at < Date.now() - dayMs).map(({ id }) => id));
    const isRead = new Set(this.#read.read());
    for (const message of answer.value) if (!isRead.has(message.id)) this.#show(message);
    return "done";
  }

  /** A sentence of the page's own, with a link. */
  say(text: string, link: { readonly href: string; readonly text: string }): void {
    const notice = this.#notice("said", [
      element("p", {}, text),
      element("a", { class: "button small", href: link.href }, link.text),
    ]);
    notice.querySelector("button")?.addEventListener("click", () => notice.remove());
  }

  #show({ id, text, from, at }: ReceivedMessage): void {
    if (this.#region.querySelector(`[data-message="${CSS.escape(id)}"]`) !== null) return;
    const head = element("p", { class: "class-notice-head" }, `${this.#t("classroom.learner.from", { name: from })} · `);
    head.append(element("time", { datetime: new Date(at).toISOString() }, this.#time.format(at)));
    const notice = this.#notice(id, [head, element("p", { class: "class-notice-text" }, text)]);
    notice.querySelector("button")?.addEventListener("click", () => {
      this.#read.write([...(this.#read.read() ?? []), id].slice(-2 * mostKept));
      const { nextElementSibling, previousElementSibling } = notice;
      notice.remove();
      const next = (nextElementSibling ?? previousElementSibling)?.querySelector("button") ?? document.querySelector("main");
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    });
  }

  #notice(id: string, content: readonly HTMLElement[]): HTMLElement {
    const notice = element("section", { class: "class-notice", "data-message": id });
    const close = element("button", { class: "button small", type: "button" }, this.#t("classroom.learner.dismiss"));
    notice.append(...content, close);
    this.#region.append(notice);
    return notice;
  }
}
