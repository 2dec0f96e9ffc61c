// Checks a certificate by its code, which may stand behind the `#`, or by its file, and shows what it tells.

import type { CertificateText, CheckedCertificate } from "../../wire.ts";
import { type Answer, ClassroomApi } from "../learner/api.ts";
import { element } from "../learner/elements.ts";

type Words = Readonly<Record<string, string>>;
type Shown = Extract<CheckedCertificate, { readonly text: unknown }>;

export function letVerify(page: HTMLElement, baseUrl: string): void {
  new VerifyPage(page, baseUrl.replace(/\/?$/, "/")).begin();
}

/** `{POINTS}` are capitals in the page's sentences: what stands there is put in as text. */
function filled(sentence: string | undefined, values: Words): string {
  return Object.entries(values).reduce((text, [name, value]) => text.replace(name, () => value), sentence ?? "");
}

class VerifyPage {
  readonly #page: HTMLElement;
  readonly #api: ClassroomApi;
  readonly #words: Words;
  readonly #language = document.documentElement.lang;
  #asked = 0;

  constructor(page: HTMLElement, base: string) {
    this.#page = page;
    this.#api = new ClassroomApi(`${base}api/`);
    this.#words = JSON.parse(this.#place("words").textContent) as Words;
  }

  begin(): void {
    const byCode = this.#form("by-code");
    const byFile = this.#form("by-file");
    byCode.addEventListener("submit", (event) => {
      event.preventDefault();
      const code = String(new FormData(byCode).get("code") ?? "").trim();
      if (code !== "") this.#fromCode(code);
    });
    byFile.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#fromFile(new FormData(byFile));
    });
    this.#place("print").addEventListener("click", () => print());
    const fromAddress = (): void => {
      const code = /^#([A-Za-z0-9-]{1,40})$/.exec(location.hash)?.[1];
      if (code === undefined) return;
      const field = byCode.elements.namedItem("code");
      if (field instanceof HTMLInputElement) field.value = code;
      this.#fromCode(code);
    };
    addEventListener("hashchange", fromAddress);
    fromAddress();
  }

  #fromCode(code: string): void {
    void this.#show(() => this.#api.ask<CheckedCertificate>("GET", `certificates/${encodeURIComponent(code)}`));
  }

  async #fromFile(form: FormData): Promise<void> {
    const file = form.get("file");
    const credential = file instanceof File && file.size > 0 ? await file.slice(0, 200_000).text() : String(form.get("text") ?? "");
    if (credential.trim() === "") return;
    await this.#show(() => this.#api.ask<CheckedCertificate>("POST", "certificates/check", { credential }));
  }

  /** What was asked last is what is shown. */
  async #show(ask: () => Promise<Answer<CheckedCertificate>>): Promise<void> {
    this.#asked += 1;
    const own = this.#asked;
    this.#say("checking");
    this.#place("sheet").hidden = true;
    const answer = await ask();
    if (own !== this.#asked) return;
    if (answer.kind === "later") this.#say("later");
    else if (answer.kind === "refused") this.#say(answer.refusal.error === "bad-request" ? "unreadable" : "later");
    else this.#tell(answer.value);
  }

  #tell(checked: CheckedCertificate): void {
    if (!("text" in checked)) {
      this.#say(checked.state);
      return;
    }
    const { state, text, withdrawnAt } = checked;
    this.#say(state, { SCHOOL: text.school, DATE: withdrawnAt === null ? "" : this.#date(withdrawnAt) });
    this.#fill(checked);
    this.#place("sheet").hidden = false;
  }

  #say(state: string, values: Words = {}): void {
    const verdict = this.#place("verdict");
    verdict.dataset["state"] = state;
    verdict.textContent = filled(this.#words[state], values);
  }

  #fill({ code, credential, text }: Shown): void {
    const { school, name, learner, description, criteria, madeAt, items } = text;
    const set = (where: string, said: string): void => {
      this.#place(where).textContent = said;
    };
    for (const where of ["name", "told", "criteria", "items"]) this.#place(where).lang = text.locale;
    set("school", school);
    set("name", name);
    set("learner", learner);
    set("told", description);
    set("period", this.#period(text));
    set("criteria", criteria);
    set("made", filled(this.#words["made"], { DATE: this.#date(madeAt), SCHOOL: school }));
    set("address", `${location.origin}${location.pathname}`);
    set("code", code);
    this.#place("items").replaceChildren(
      ...items.map(({ kind, title, points, most }) => {
        const row = element("tr");
        const told = kind === "exam" ? filled(this.#words["exam"], { TITLE: title }) : title;
        row.append(element("th", { scope: "row" }, told), element("td", { class: "number" }, this.#points(points, most)));
        return row;
      }),
    );
    const most = items.every((item) => item.most !== undefined)
      ? items.reduce((sum, item) => sum + (item.most ?? 0), 0)
      : undefined;
    set(
      "total",
      this.#points(
        items.reduce((sum, { points }) => sum + points, 0),
        most,
      ),
    );
    const save = this.#place("save");
    if (save instanceof HTMLAnchorElement) {
      URL.revokeObjectURL(save.href);
      save.href = URL.createObjectURL(new Blob([credential], { type: "application/jwt" }));
      save.download = `${code}.jwt`;
    }
  }

  #points(points: number, most: number | undefined): string {
    return most === undefined ? String(points) : filled(this.#words["of"], { POINTS: String(points), MOST: String(most) });
  }

  #period({ from, until }: CertificateText): string {
    const [first, last] = [this.#date(from), this.#date(until)];
    return first === last
      ? filled(this.#words["day"], { DATE: first })
      : filled(this.#words["period"], { FROM: first, UNTIL: last });
  }

  #date(timeMs: number): string {
    return new Intl.DateTimeFormat(this.#language, { dateStyle: "long" }).format(timeMs);
  }

  #place(name: string): HTMLElement {
    const found = this.#page.querySelector<HTMLElement>(`[data-${name}]`);
    if (found === null) throw new Error(`the page has no ${name}`);
    return found;
  }

  #form(name: string): HTMLFormElement {
    const found = this.#place(name);
    if (!(found instanceof HTMLFormElement)) throw new Error(`${name} is no form`);
    return found;
  }
}
