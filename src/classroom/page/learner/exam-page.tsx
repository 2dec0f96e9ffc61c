// An exam's page: what it is, its beginning, what is left of its time, what the server has counted. Without an exam in the address, the
// class's exams.

import { type ReadonlySignal, type Signal, signal, useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { loadStrings } from "../../../i18n/load.ts";
import { isLocale, type Locale, languageTags } from "../../../i18n/locales.ts";
import type { Translate } from "../../../i18n/translator.ts";
import { clockText } from "../../../workbench/steps/clock-text.ts";
import type { OwnExam, RefusalWord } from "../../wire.ts";
import type { ExamLabs } from "../outline.ts";
import { ClassroomApi } from "./api.ts";
import { confirmedIn, Exams, examState, examsTold } from "./exams.ts";
import { type Membership, readMembership } from "./membership.ts";
import { refusalSentence } from "./refused-runs.ts";

interface ExamRoom {
  readonly t: Translate;
  readonly locale: Locale;
  /** The site's path, with a slash at its end. */
  readonly base: string;
  readonly labs: ExamLabs;
  readonly api: ClassroomApi;
  readonly exams: Exams;
  /** Changes when the server has told of exams, and each second. */
  readonly now: ReadonlySignal<number>;
  readonly id: ReadonlySignal<string>;
  readonly asked: Signal<"asking" | "told" | "away" | "ended">;
}

export async function mountExamPage(place: HTMLElement, labs: ExamLabs, baseUrl: string): Promise<void> {
  const { locale } = document.documentElement.dataset;
  if (!isLocale(locale)) throw new Error("the page does not say its language");
  const base = baseUrl.replace(/\/?$/, "/");
  const t = await loadStrings(locale);
  const membership = readMembership();
  if (membership === undefined) render(<NotMember t={t} joinPage={`${base}${locale}/join/`} />, place);
  else mountFor(membership, place, { t, locale, base, labs });
}

function mountFor(membership: Membership, place: HTMLElement, page: Pick<ExamRoom, "t" | "locale" | "base" | "labs">): void {
  const api = new ClassroomApi(membership.api);
  const exams = new Exams(api, membership.id);
  const now = signal(exams.nowMs());
  const id = signal(location.hash.slice(1));
  const look = (): void => {
    now.value = exams.nowMs();
  };
  const room: ExamRoom = { ...page, api, exams, now, id, asked: signal("asking") };
  document.addEventListener(examsTold, () => {
    room.asked.value = "told";
    look();
  });
  addEventListener("hashchange", () => {
    id.value = location.hash.slice(1);
  });
  setInterval(look, 1000);
  render(<ExamApp room={room} />, place);
}

function NotMember({ t, joinPage }: { readonly t: Translate; readonly joinPage: string }) {
  return (
    <>
      <h1>{t("classroom.learner.exam.heading")}</h1>
      <p>{t("classroom.learner.exam.notMember")}</p>
      <p>
        <a class="button primary" href={joinPage}>
          {t("classroom.learner.join.title")}
        </a>
      </p>
    </>
  );
}

const standing = { done: "told", later: "away", ended: "ended" } as const;

async function ask({ exams, asked }: ExamRoom): Promise<void> {
  asked.value = "asking";
  const sent = await exams.ask();
  asked.value = standing[sent];
}

function ExamApp({ room }: { readonly room: ExamRoom }) {
  const { t, exams, id, asked, now } = room;
  useEffect(() => void ask(room), [room]);
  // Drawn again as time goes on.
  const nowMs = now.value;
  const own = exams.find(id.value);
  if (own !== undefined) return <OneExam room={room} exam={own} nowMs={nowMs} />;
  const all = exams.kept?.exams ?? [];
  const isAsking = asked.value === "asking";
  return (
    <>
      <h1>{t("classroom.learner.exam.heading")}</h1>
      {isAsking && all.length === 0 && <p role="status">{t("classroom.learner.join.asking")}</p>}
      <Away room={room} />
      {!isAsking && id.value !== "" && <p role="status">{t("classroom.learner.exam.unknown")}</p>}
      {asked.value === "told" && all.length === 0 && id.value === "" && <p>{t("classroom.learner.exam.none")}</p>}
      {all.length > 0 && (
        <ul class="exam-list">
          {all.map((exam) => (
            <li key={exam.id}>
              <a href={`#${exam.id}`}>{exam.title}</a> <span class="note">{listedText(room, exam, nowMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Away({ room }: { readonly room: ExamRoom }) {
  const { t, asked } = room;
  if (asked.value === "ended") return <p role="alert">{t("classroom.learner.ended")}</p>;
  if (asked.value !== "away") return null;
  return (
    <div role="status">
      <p>{t("classroom.learner.exam.away")}</p>
      <button class="button" type="button" onClick={() => void ask(room)}>
        {t("classroom.learner.join.again")}
      </button>
    </div>
  );
}

function moment({ locale }: ExamRoom, timeMs: number): string {
  return new Intl.DateTimeFormat(languageTags[locale], { dateStyle: "medium", timeStyle: "short" }).format(timeMs);
}

function listedText(room: ExamRoom, exam: OwnExam, nowMs: number): string {
  const state = examState(exam, nowMs);
  const date = moment(room, state === "before" ? exam.opensAt : (exam.sitting?.endsAt ?? exam.closesAt));
  return room.t(`classroom.learner.exam.listed.${state}`, { date });
}

interface OneProps {
  readonly room: ExamRoom;
  readonly exam: OwnExam;
  readonly nowMs: number;
}

function OneExam({ room, exam, nowMs }: OneProps) {
  const { t } = room;
  const state = examState(exam, nowMs);
  return (
    <>
      <p class="kicker">
        <a href={`${room.base}${room.locale}/exam/#`}>{t("classroom.learner.exam.heading")}</a>
      </p>
      <h1>{exam.title}</h1>
      <p class="lead" role="status">
        {listedText(room, exam, nowMs)}
      </p>
      <Away room={room} />
      {state === "running" && <Left room={room} exam={exam} nowMs={nowMs} />}
      {(state === "before" || state === "open") && <Rules room={room} exam={exam} />}
      {state === "open" && <Begin room={room} exam={exam} />}
      <Labs room={room} exam={exam} state={state} />
    </>
  );
}

function Left({ room, exam, nowMs }: OneProps) {
  return (
    <p class="exam-left" role="timer">
      {room.t("workbench.exam.left")} <strong>{clockText((exam.sitting?.endsAt ?? nowMs) - nowMs)}</strong>
    </p>
  );
}

function Rules({ room, exam }: Omit<OneProps, "nowMs">) {
  const { t } = room;
  return (
    <ul class="exam-rules">
      <li>{t("classroom.learner.exam.window", { from: moment(room, exam.opensAt), until: moment(room, exam.closesAt) })}</li>
      <li>{t("classroom.learner.exam.minutes", { count: exam.minutes })}</li>
      <li>{t("classroom.learner.exam.noHelp")}</li>
      <li>{t("classroom.learner.exam.goesOn")}</li>
      <li>{t("classroom.learner.exam.counts")}</li>
    </ul>
  );
}

function Begin({ room, exam }: Omit<OneProps, "nowMs">) {
  const { t, api, exams } = room;
  const asking = useSignal(false);
  const beginning = useSignal(false);
  const trouble = useSignal<RefusalWord | "later" | undefined>(undefined);
  const begin = async (): Promise<void> => {
    beginning.value = true;
    const answer = await api.ask<OwnExam>("POST", `exams/${exam.id}/sitting`);
    beginning.value = false;
    if (answer.kind === "ok") {
      asking.value = false;
      exams.put(answer.value);
    } else trouble.value = answer.kind === "later" ? "later" : answer.refusal.error;
  };
  const said = trouble.value;
  return (
    <div class="exam-begin">
      {asking.value ? (
        <div class="exam-ask" role="alertdialog" aria-labelledby="exam-ask">
          <p id="exam-ask">{t("classroom.learner.exam.ask", { count: exam.minutes })}</p>
          <p class="home-actions">
            <button class="button primary" type="button" disabled={beginning.value} onClick={() => void begin()}>
              {t("classroom.learner.exam.askYes")}
            </button>
            <button
              class="button"
              type="button"
              ref={(button) => button?.focus()}
              onClick={() => {
                asking.value = false;
              }}
            >
              {t("classroom.learner.leaveNo")}
            </button>
          </p>
        </div>
      ) : (
        <button
          class="button primary"
          type="button"
          onClick={() => {
            asking.value = true;
          }}
        >
          {t("classroom.learner.exam.begin")}
        </button>
      )}
      {said !== undefined && (
        <p class="join-said" role="alert">
          {said === "later" ? t("classroom.learner.join.noConnection") : t("classroom.learner.exam.notRunning")}
        </p>
      )}
    </div>
  );
}

/** What there is to do, and what of it the server has confirmed. */
function Labs({ room, exam, state }: Omit<OneProps, "nowMs"> & { readonly state: ReturnType<typeof examState> }) {
  const { t, labs } = room;
  const hasBegun = state === "running" || state === "over";
  const { points } = confirmedIn(exam);
  const most = exam.labs.reduce((sum, lab) => sum + (labs[lab]?.most ?? 0), 0);
  return (
    <section aria-labelledby="exam-labs">
      <h2 id="exam-labs">{t("classroom.learner.exam.labs")}</h2>
      <ul class="exam-labs">
        {exam.labs.map((lab) => (
          <li key={lab}>
            <LabLine room={room} exam={exam} lab={lab} isOpen={state === "running"} hasBegun={hasBegun} />
          </li>
        ))}
      </ul>
      {hasBegun && (
        <>
          <p class="exam-sum" role="status">
            {t("classroom.learner.exam.sum", { points, most })}
          </p>
          <p class="note">{t("classroom.learner.exam.counts")}</p>
        </>
      )}
    </section>
  );
}

interface LabLineProps {
  readonly room: ExamRoom;
  readonly exam: OwnExam;
  readonly lab: string;
  readonly isOpen: boolean;
  readonly hasBegun: boolean;
}

function LabLine({ room, exam, lab, isOpen, hasBegun }: LabLineProps) {
  const { t, labs, base, locale } = room;
  const { title, place, steps: total, most } = labs[lab] ?? { title: lab, steps: 0, most: 0 };
  const { steps, points } = confirmedIn(exam, lab);
  const refusal = exam.results.find((result) => result.lab === lab)?.refusal ?? null;
  return (
    <>
      <span class="exam-lab-title">
        {isOpen && place !== undefined ? <a href={`${base}${locale}/${place}/?exam=${exam.id}`}>{title}</a> : title}
      </span>
      {hasBegun && (
        <span>
          {t("classroom.learner.exam.confirmedOf", { count: steps, total })} ·{" "}
          {t("classroom.learner.exam.points", { points, most })}
        </span>
      )}
      {place === undefined && <span class="note">{t("classroom.learner.exam.noPage")}</span>}
      {refusal !== null && (
        <span class="join-said">
          {t("classroom.learner.refused.here")} {refusalSentence(t, refusal)}
        </span>
      )}
    </>
  );
}
