// A page in the browser of a learner who is in a class: sends what is done, takes in what was done elsewhere, shows what the
// teacher says and what the class does.

import { loadSavedLab } from "#lab/saved-labs.ts";
import type { LabSession } from "#lab/session.ts";
import { progressChanged } from "../../../course/progress.ts";
import { askToForgetEverything } from "../../../course/storage.ts";
import { loadStrings } from "../../../i18n/load.ts";
import { isLocale } from "../../../i18n/locales.ts";
import type { HeldCertificate, Me, Result } from "../../wire.ts";
import { Account } from "./account.ts";
import { ClassroomApi } from "./api.ts";
import { EventStream } from "./event-stream.ts";
import styles from "./learner.css?url";
import { forgetMembership, keptPlan, type Membership, readMembership, writeMembership } from "./membership.ts";
import { MessageNotices } from "./message-notices.ts";
import { OpenLab } from "./open-lab.ts";
import { PlanMarks } from "./plan-marks.ts";
import { PresenceTeller } from "./presence.ts";
import { RunOutbox } from "./run-outbox.ts";
import { Sender, type Sent } from "./sender.ts";
import { WorkSync } from "./work-sync.ts";

/** What the page has of labs. */
export interface PageLab {
  /** Of the lab that is open. */
  session(): LabSession | undefined;
  /** One was opened or closed. */
  onSession(act: () => void): void;
}

const gatherMs = 2000;
const connections = { done: "there", later: "away", ended: "ended" } as const;

export async function beMember(lab: PageLab): Promise<void> {
  const membership = readMembership();
  const { locale } = document.documentElement.dataset;
  if (membership === undefined || !isLocale(locale)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = styles;
  document.head.append(link);
  new Member(membership, lab, await loadStrings(locale), locale).begin();
}

type Translate = Awaited<ReturnType<typeof loadStrings>>;

class Member {
  readonly #membership: Membership;
  readonly #lab: PageLab;
  readonly #api: ClassroomApi;
  readonly #work: WorkSync;
  readonly #runs: RunOutbox;
  readonly #workSender: Sender;
  readonly #runSender: Sender;
  readonly #meSender: Sender;
  readonly #messageSender: Sender;
  readonly #resultSender: Sender;
  readonly #messages: MessageNotices;
  readonly #marks: PlanMarks;
  readonly #account: Account | undefined;
  readonly #presence: PresenceTeller;
  readonly #events: EventStream;
  readonly #joinPage: string;
  readonly #t: Translate;
  #open: OpenLab | undefined;
  #counted: number | undefined;
  #connection: "there" | "away" | "ended" = "there";

  constructor(membership: Membership, lab: PageLab, t: Translate, locale: string) {
    const { id, api } = membership;
    const language = document.documentElement.lang;
    this.#membership = membership;
    this.#lab = lab;
    this.#t = t;
    this.#joinPage = `${api.slice(0, -"api/".length)}${locale}/join/`;
    this.#api = new ClassroomApi(api);
    this.#work = new WorkSync(this.#api, id, onePageAtATime);
    this.#runs = new RunOutbox(this.#api, id);
    this.#messages = new MessageNotices(this.#api, id, t, language);
    this.#marks = new PlanMarks(t, language);
    const settings = document.querySelector<HTMLElement>("#settings");
    const leave = (everything: boolean) => void this.#leave(everything);
    this.#account = settings ? new Account(settings, membership, t, { leave, joinPage: this.#joinPage }) : undefined;
    const onTurn = (sent: Sent): void => this.#heard(sent);
    this.#workSender = new Sender({ gatherMs, send: () => this.#work.send(), onTurn });
    this.#runSender = new Sender({ gatherMs, send: () => this.#sendLeftRuns(), onTurn });
    this.#meSender = new Sender({ gatherMs: 0, send: () => this.#askMe(), onTurn });
    this.#messageSender = new Sender({ gatherMs: 0, send: () => this.#messages.send(), onTurn });
    this.#resultSender = new Sender({ gatherMs: 0, send: () => this.#askResults(), onTurn });
    this.#presence = new PresenceTeller(this.#api, lab.session);
    this.#events = new EventStream(this.#api, (kinds) => this.#happened(kinds));
  }

  get #senders(): readonly Sender[] {
    return [this.#workSender, this.#runSender, this.#meSender, this.#messageSender, this.#resultSender];
  }

  begin(): void {
    document.addEventListener(progressChanged, () => {
      this.#workSender.soon();
      this.#show();
    });
    this.#lab.onSession(() => this.#followLab());
    addEventListener("online", () => this.#isBack());
    addEventListener("pagehide", () => this.#open?.part());
    // Forgetting everything here ends the session, too.
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("[data-forget-yes]") !== null)
        void this.#api.ask("DELETE", "session", undefined, { parting: true });
    });
    this.#tellWhereItGoes();
    this.#showPlan();
    this.#followLab();
    for (const sender of this.#senders) sender.now();
    setInterval(() => this.#showPlan(), 60_000);
    this.#show();
  }

  #isBack(): void {
    this.#work.expire();
    for (const sender of [...this.#senders, this.#open]) sender?.again();
  }

  #followLab(): void {
    const session = this.#lab.session();
    if (session === this.#open?.session) return;
    this.#open?.close();
    this.#open = undefined;
    if (session !== undefined && this.#connection !== "ended") {
      this.#open = new OpenLab(session, this.#api, this.#runs, (sent) => this.#heard(sent));
      let step: string | undefined;
      session.steps.subscribe((steps) => {
        const now = steps.find(({ current }) => current)?.id;
        if (now !== step) this.#presence.tell();
        step = now;
      });
    }
    this.#presence.tell();
  }

  /** Runs of labs that are not open now, of which an earlier page could not send all. */
  async #sendLeftRuns(): Promise<Sent> {
    for (const lab of this.#runs.waiting) {
      if (lab === this.#lab.session()?.labId) continue;
      const { saved } = loadSavedLab(localStorage, lab);
      if (saved === undefined) continue;
      const sent = await this.#runs.send(lab, saved, this.#runs.claims(lab));
      if (sent !== "done") return sent;
    }
    return "done";
  }

  async #askMe(): Promise<Sent> {
    const answer = await this.#api.ask<Me>("GET", "me");
    if (answer.kind === "later") return "later";
    const me = answer.kind === "ok" ? answer.value : undefined;
    if (me?.role !== "learner" || me.id !== this.#membership.id) return "ended";
    void this.#askCertificates();
    keptPlan(me.id).write(me.class.plan);
    if (me.class.name !== this.#membership.className) writeMembership({ ...this.#membership, className: me.class.name });
    this.#showPlan();
    return "done";
  }

  /** With who one is: a page that is opened later asks again. */
  async #askCertificates(): Promise<void> {
    const answer = await this.#api.ask<readonly HeldCertificate[]>("GET", "certificates");
    if (answer.kind === "ok") this.#account?.showCertificates(answer.value, this.#membership.api.slice(0, -"api/".length));
  }

  async #askResults(): Promise<Sent> {
    const answer = await this.#api.ask<readonly Result[]>("GET", "results");
    if (answer.kind === "later") return "later";
    if (answer.kind === "refused") return "ended";
    this.#counted = answer.value.reduce((sum, { steps }) => sum + steps.length, 0);
    return "done";
  }

  #happened(kinds: readonly string[]): void {
    if (kinds.includes("message")) this.#messageSender.now();
    if (kinds.includes("plan")) this.#meSender.now();
    if (kinds.includes("gone")) this.#meSender.now();
    if (kinds.includes("results")) this.#resultSender.now();
    if (kinds.includes("work")) {
      this.#work.expire();
      this.#workSender.now();
    }
  }

  #heard(sent: Sent): void {
    if (this.#connection === "ended") return;
    this.#connection = connections[sent];
    if (this.#connection === "ended") {
      this.#stop();
      this.#messages.say(this.#t("classroom.learner.ended"), {
        href: this.#joinPage,
        text: this.#t("classroom.learner.joinAgain"),
      });
    }
    this.#show();
  }

  #stop(): void {
    for (const one of [...this.#senders, this.#presence, this.#events]) one.end();
    this.#open?.close();
    this.#open = undefined;
  }

  #show(): void {
    this.#account?.show({
      waiting: this.#work.waiting + this.#runs.waiting.length,
      connection: this.#connection,
      counted: this.#counted,
    });
  }

  #showPlan(): void {
    this.#marks.show(keptPlan(this.#membership.id).read() ?? []);
  }

  /** Pages say of progress that it stays in the browser: of a member it goes to the class as well. */
  #tellWhereItGoes(): void {
    const text = this.#t("classroom.learner.shared", { class: this.#membership.className });
    for (const place of document.querySelectorAll(
      "[data-progress-page] > .lead, .lab-pitch, #settings .note:has(+ [data-offline-ready])",
    ))
      place.textContent = text;
  }

  async #leave(everything: boolean): Promise<void> {
    await this.#work.send();
    this.#open?.part();
    const ended = await this.#api.ask("DELETE", "session");
    // Without a connection the session would stay behind for whoever sits here next.
    if (ended.kind === "later") {
      this.#heard("later");
      return;
    }
    this.#stop();
    forgetMembership();
    if (everything) askToForgetEverything();
    location.reload();
  }
}

/** One page of this browser after the other. Locks are absent on pages that are served without encryption: there, what two
 * pages send at once the server joins. */
function onePageAtATime<T>(act: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("pilothouse.classroom", act) : act();
}
