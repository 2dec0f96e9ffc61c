// What all of the teacher's views share: who is signed in, which view is open, the server, the words.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Locale, languageTags } from "../../../i18n/locales.ts";
import type { Translate } from "../../../i18n/translator.ts";
import type { Me, TeacherSignIn, TeacherSignUp } from "../../wire.ts";
import type { CourseOutline } from "../outline.ts";
import { type Api, Trouble, type TroubleWord, troubleOf } from "./api.ts";
import { fragmentOf, type View, viewOf } from "./views.ts";

export type Who =
  | Me
  | { readonly role: "asking" }
  /** These pages are a copy of the course alone. */
  | { readonly role: "no-classroom" }
  | { readonly role: "unknown"; readonly trouble: TroubleWord };

export type TeacherHere = Extract<Me, { readonly role: "teacher" }>;

export interface RoomOptions {
  readonly api: Api;
  readonly t: Translate;
  readonly locale: Locale;
  readonly outline: CourseOutline;
  /** The site's path, with a slash at its end. */
  readonly base: string;
}

export class Room {
  readonly api: Api;
  readonly t: Translate;
  readonly locale: Locale;
  readonly outline: CourseOutline;
  readonly base: string;
  readonly #who: Signal<Who> = signal({ role: "asking" });
  readonly who: ReadonlySignal<Who> = this.#who;
  /** The server has ended a session that this page was in. */
  readonly #wasSignedOut = signal(false);
  readonly wasSignedOut: ReadonlySignal<boolean> = this.#wasSignedOut;
  readonly #view: Signal<View>;
  readonly view: ReadonlySignal<View>;

  constructor({ api, t, locale, outline, base }: RoomOptions) {
    this.api = api;
    this.t = t;
    this.locale = locale;
    this.outline = outline;
    this.base = base;
    this.#view = signal(viewOf(location.hash));
    this.view = this.#view;
    addEventListener("hashchange", () => {
      this.#view.value = viewOf(location.hash);
    });
  }

  get language(): string {
    return languageTags[this.locale];
  }

  /** Changes the address; the view follows. */
  go(view: View): void {
    location.hash = fragmentOf(view);
  }

  /** Asks who this browser is signed in as. */
  async look(): Promise<void> {
    try {
      this.#be((await this.api.me()) ?? { role: "no-classroom" });
    } catch (error) {
      // Who was there stays: the views themselves say that something does not work.
      if (this.#who.value.role !== "teacher") this.#who.value = { role: "unknown", trouble: troubleOf(error) };
    }
  }

  /** @throws Trouble */
  async signIn(given: TeacherSignIn): Promise<void> {
    this.#be(await this.api.ask<Me>("POST", "/session", given));
  }

  /** @throws Trouble */
  async signUp(given: TeacherSignUp): Promise<void> {
    const me = await this.api.ask<Me>("POST", "/teachers", given);
    // The link has served; it is not left in the history.
    history.replaceState(history.state, "", fragmentOf({ kind: "classes" }));
    this.#view.value = { kind: "classes" };
    this.#be(me);
  }

  /** @throws Trouble */
  async signOut(): Promise<void> {
    await this.api.ask("DELETE", "/session");
    this.#who.value = { role: "nobody", isNew: false };
    this.#wasSignedOut.value = false;
    if (this.#view.value.kind !== "invited") this.go({ kind: "classes" });
  }

  /** As `Api.ask`; where the session has ended, the page asks to sign in.
   * @throws Trouble */
  async ask<T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
    try {
      return await this.api.ask<T>(method, path, body);
    } catch (error) {
      if (error instanceof Trouble && (error.word === "not-signed-in" || error.word === "forbidden")) await this.look();
      throw error;
    }
  }

  #be(who: Who): void {
    this.#wasSignedOut.value = who.role !== "teacher" && (this.#wasSignedOut.value || this.#who.value.role === "teacher");
    this.#who.value = who;
  }
}
