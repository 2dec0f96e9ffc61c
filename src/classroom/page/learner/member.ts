// A page in the browser of a learner who is in a class: sends what is done, takes in what was done elsewhere, shows what the
// teacher says and what the class does.

import { loadSavedLab } from "#lab/saved-labs.ts";
import type { LabSession } from "#lab/session.ts";
import type { LabBundle } from "#lab/texts.ts";
import { progressChanged } from "../../../course/progress.ts";
import { askToForgetEverything } from "../../../course/storage.ts";
import { loadStrings } from "../../../i18n/load.ts";
import { isLocale } from "../../../i18n/locales.ts";
import type { HeldCertificate, Me, Result } from "../../wire.ts";
import { Account } from "./account.ts";
import { ClassroomApi } from "./api.ts";
import { EventStream } from "./event-stream.ts";
import { ExamNotices } from "./exam-notices.ts";
import { outboxPlace, runName } from "./exam-run.ts";
import { Exams, examsTold } from "./exams.ts";
import styles from "./learner.css?url";
import { forgetMembership, keptPlan, type Membership, readMembership, writeMembership } from "./membership.ts";
import { MessageNotices } from "./message-notices.ts";
import { OpenLab } from "./open-lab.ts";
import { PlanMarks } from "./plan-marks.ts";
import { PresenceTeller } from "./presence.ts";
import { RefusedRuns, refusedLabs } from "./refused-runs.ts";
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
  readonly #examSender: Sender;
  readonly #exams: Exams;
  readonly #examNotices: ExamNotices;
  readonly #refused: RefusedRuns;
  /** By exam. */
  readonly #examRuns = new Map<string, RunOutbox>();
  readonly #messages: MessageNotices;
  readonly #marks: PlanMarks;
  readonly #account: Account | undefined;
  readonly #presence: PresenceTeller;
  readonly #events: EventStream;
  readonly #joinPage: string;
  readonly #t: Translate;
  #open: OpenLab | undefined;
  #results: readonly Result[] | undefined;
  #connection: "there" | "away" | "ended" = "there";

  constructor(membership: Membership, lab: PageLab, t: Translate, locale: string) {
    const { id, api } = membership;
    const language = document.documentElement.lang;
    this.#membership = membership;
    this.#lab = lab;
    this.#t = t;
    const base = api.slice(0, -"api/".length);
    this.#joinPage = `${base}${locale}/join/`;
    this.#api = new ClassroomApi(api);
    this.#work = new WorkSync(this.#api, id, onePageAtATime);
    this.#runs = new RunOutbox(this.#api, id);
    this.#messages = new MessageNotices(this.#api, id, t, language);
    this.#marks = new PlanMarks(t, language);
    this.#exams = new Exams(this.#api, id);
    this.#examNotices = new ExamNotices(this.#exams, `${base}${locale}/exam/`, t, language);
    this.#refused = new RefusedRuns({ t, title: (lab) => titleOf(`${base}labs/${lab}.${locale}.json`, lab) });
    const settings = document.querySelector<HTMLElement>("#settings");
    const leave = (everything: boolean) => void this.#leave(everything);
    this.#account = settings
      ? new Account(settings, membership, t, { leave, gone: () => this.#part(false), api: this.#api, joinPage: this.#joinPage })
      : undefined;
    const onTurn = (sent: Sent): void => this.#heard(sent);
    this.#workSender = new Sender({ gatherMs, send: () => this.#work.send(), onTurn });
    this.#runSender = new Sender({ gatherMs, send: () => this.#sendLeftRuns(), onTurn });
    this.#meSender = new Sender({ gatherMs: 0, send: () => this.#askMe(), onTurn });
    this.#messageSender = new Sender({ gatherMs: 0, send: () => this.#messages.send(), onTurn });
    this.#resultSender = new Sender({ gatherMs: 0, send: () => this.#askResults(), onTurn });
    this.#examSender = new Sender({ gatherMs: 0, send: () => this.#exams.ask(), onTurn });
    // What is done in an exam is no part of the figures of lessons.
    this.#presence = new PresenceTeller(this.#api, () => {
      const session = lab.session();
      return session?.exam.held === undefined ? session : undefined;
    });
    this.#events = new EventStream(this.#api, (kinds) => this.#happened(kinds));
  }

  get #senders(): readonly Sender[] {
    const ofWork = [this.#workSender, this.#runSender];
    return [...ofWork, this.#meSender, this.#messageSender, this.#resultSender, this.#examSender];
  }

  begin(): void {
    document.addEventListener(progressChanged, () => {
      this.#workSender.soon();
      this.#show();
    });
    this.#lab.onSession(() => this.#followLab());
    document.addEventListener(examsTold, () => this.#show());
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
    setInterval(() => {
      this.#showPlan();
      this.#examNotices.show();
    }, 60_000);
    this.#show();
  }

  #isBack(): void {
    this.#work.expire();
    for (const sender of [...this.#senders, this.#open]) sender?.again();
    this.#examSender.now();
  }

  #followLab(): void {
    const session = this.#lab.session();
    if (session === this.#open?.session) return;
    this.#open?.close();
    this.#open = undefined;
    if (session !== undefined && this.#connection !== "ended") {
      const { held, closed } = session.exam;
      const outbox = held === undefined ? this.#runs : this.#runsOf(held.id);
      const open = new OpenLab(session, outbox, (sent) => this.#heard(sent), held !== undefined);
      this.#open = open;
      // The server takes what was done in time for some seconds more.
      closed.subscribe((isClosed) => isClosed && open.now());
      let step: string | undefined;
      session.steps.subscribe((steps) => {
        const now = steps.find(({ current }) => current)?.id;
        if (now !== step) this.#presence.tell();
        step = now;
      });
    }
    this.#presence.tell();
    this.#show();
  }

  /** Of an exam's labs. */
  #runsOf(exam: string): RunOutbox {
    const known = this.#examRuns.get(exam) ?? new RunOutbox(this.#api, this.#membership.id, outboxPlace(exam));
    this.#examRuns.set(exam, known);
    return known;
  }

  /** Runs of labs that are not open now, of which an earlier page could not send all. */
  async #sendLeftRuns(): Promise<Sent> {
    const open = this.#lab.session();
    const places = [
      { exam: undefined, outbox: this.#runs, name: (lab: string) => lab },
      ...this.#exams.taken.map(({ id: exam }) => {
        return { exam, outbox: this.#runsOf(exam), name: (lab: string) => runName(exam, lab) };
      }),
    ];
    for (const { exam, outbox, name } of places) {
      for (const lab of outbox.waiting) {
        if (lab === open?.labId && exam === open.exam.held?.id) continue;
        const { saved } = loadSavedLab(localStorage, name(lab));
        if (saved === undefined) continue;
        const sent = await outbox.send(lab, saved, outbox.claims(lab));
        // Where another browser has gone on, the learner chooses when the lab is opened here.
        if (sent === "later" || sent === "ended") return sent;
      }
    }
    return "done";
  }

  async #askMe(): Promise<Sent> {
    const answer = await this.#api.ask<Me>("GET", "me");
    if (answer.kind === "later") return "later";
    const me = answer.kind === "ok" ? answer.value : undefined;
    if (me?.role !== "learner" || me.id !== this.#membership.id) return "ended";
    this.#account?.showWayIn(me.hasWord);
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
    this.#results = answer.value;
    return "done";
  }

  #happened(kinds: readonly string[]): void {
    if (kinds.includes("message")) this.#messageSender.now();
    if (kinds.includes("plan")) this.#meSender.now();
    if (kinds.includes("gone")) this.#meSender.now();
    if (kinds.includes("results")) this.#resultSender.now();
    if (kinds.includes("exam")) this.#examSender.now();
    if (kinds.includes("run")) this.#open?.hear();
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
    const outboxes = [this.#runs, ...this.#exams.taken.map(({ id }) => this.#runsOf(id))];
    const inAll = (count: (outbox: RunOutbox) => number) => outboxes.reduce((sum, outbox) => sum + count(outbox), 0);
    const underWay = inAll((outbox) => outbox.underWay);
    this.#account?.show({
      waiting: this.#work.waiting + underWay,
      undecided: inAll(({ waiting }) => waiting.length) - underWay,
      connection: this.#connection,
      counted: this.#results?.reduce((sum, { steps }) => sum + steps.length, 0),
    });
    this.#examNotices.show();
    this.#showRefused();
  }

  #showRefused(): void {
    const ofLessons = refusedLabs(this.#results ?? [], this.#runs.refused);
    const open = this.#open?.session;
    const held = open?.exam.held;
    const here = held && refusedLabs(this.#exams.find(held.id)?.results ?? [], this.#runsOf(held.id).refused);
    this.#refused.show({ inAccount: ofLessons, here: open && (here ?? ofLessons).get(open.labId), lab: open?.labId });
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
    this.#part(everything);
  }

  #part(everything: boolean): void {
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

/** A lab's title, from its texts; its id where they do not come. */
async function titleOf(address: string, lab: string): Promise<string> {
  try {
    const reply = await fetch(address);
    return reply.ok ? ((await reply.json()) as LabBundle).title : lab;
  } catch {
    return lab;
  }
}
