// An exam's lab, for the lab's panel: `?exam=ID` on the page of its lesson or capstone. What there is to see of an exam that has not begun
// or is over stands on the exam's own page.

import { signal } from "@preact/signals";
import { checkLabRun } from "#lab/lab-file.ts";
import type { ExamLab } from "#lab/open.ts";
import type { SavedLab } from "#lab/protocol.ts";
import { loadSavedLab } from "#lab/saved-labs.ts";
import { loadStrings } from "../../../i18n/load.ts";
import type { Locale } from "../../../i18n/locales.ts";
import { savedRun } from "../../saved-run.ts";
import type { OwnExam } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { freshRun, outboxPlace, type RunsFound, runName, runToGoOn } from "./exam-run.ts";
import { confirmedIn, Exams, examState, examsTold } from "./exams.ts";
import { readMembership } from "./membership.ts";
import { RunOutbox } from "./run-outbox.ts";
import { hasMore } from "./two-runs.ts";

/** Of taking the run over, where another browser has sent something in between each time. */
const mostTries = 3;

/** Why an exam's lab is not opened, in the reader's language. */
export class ExamNotOpened extends Error {
  readonly told: string;

  constructor(told: string) {
    super(told);
    this.told = told;
  }
}

interface Asked {
  readonly labId: string;
  readonly locale: Locale;
  /** The site's path, with a slash at its end. */
  readonly base: string;
  /** The exam's id, as it stands in the page's address. */
  readonly exam: string;
}

/** @throws ExamNotOpened */
export async function fetchExamLab({ labId, locale, base, exam: id }: Asked): Promise<ExamLab> {
  const t = await loadStrings(locale);
  const membership = readMembership();
  if (membership === undefined) throw new ExamNotOpened(t("classroom.learner.exam.notMember"));
  const api = new ClassroomApi(membership.api);
  const exams = new Exams(api, membership.id);
  const told = await exams.ask();
  if (told === "ended") throw new ExamNotOpened(t("classroom.learner.ended"));
  const exam = exams.find(id);
  const page = `${base}${locale}/exam/#${id}`;
  if (exam === undefined && told === "later") throw new ExamNotOpened(t("classroom.learner.join.away"));
  const fresh = exam && freshRun(exam, labId);
  if (exam === undefined || fresh === undefined || exam.sitting === null || examState(exam, exams.nowMs()) !== "running") {
    location.replace(page);
    throw new ExamNotOpened(t("classroom.learner.exam.notRunning"));
  }
  const keptAs = runName(id, labId);
  const own = loadSavedLab(localStorage, keptAs).saved;
  const outbox = new RunOutbox(api, membership.id, outboxPlace(id));
  const saved = await goOnHere(outbox, labId, { fresh, own, isUnsent: outbox.waiting.includes(labId) });
  return {
    held: { id, beganMs: exam.sitting.begunAt, endsMs: exam.sitting.endsAt },
    keptAs,
    saved,
    fresh,
    nowMs: () => exams.nowMs(),
    line: t("classroom.learner.exam.line", { title: exam.title }),
    back: { href: page, text: t("classroom.learner.exam.back") },
    over: t("classroom.learner.exam.labOver"),
    confirmed: watched(exams, exam, (now) => {
      return t("classroom.learner.exam.confirmed", { count: confirmedIn(now, labId).steps });
    }),
  };
}

/** The run as it goes on in the browser that was opened last: another one is refused from then on, and told. Where it has what is not
 * here, it stays the other's until the learner has chosen. */
export async function goOnHere(outbox: RunOutbox, lab: string, known: Omit<RunsFound, "held">): Promise<SavedLab> {
  for (let tries = 1; ; tries += 1) {
    const answer = await outbox.ask(lab);
    const read = answer.kind === "ok" ? checkLabRun(lab, savedRun(answer.value.run)) : undefined;
    // What this version of the simulator cannot replay does not go on.
    const held = read?.ok === true ? read.saved : undefined;
    const saved = runToGoOn({ ...known, held });
    if (answer.kind !== "ok" || held === undefined || answer.value.writer === outbox.writer || hasMore(held, saved)) return saved;
    outbox.takeOver(lab, answer.value, { isAtOnce: true });
    if ((await outbox.send(lab, held, [])) !== "elsewhere" || tries === mostTries) return saved;
  }
}

/** A sentence about the exam, again whenever the server tells of it. */
function watched(exams: Exams, exam: OwnExam, sentence: (exam: OwnExam) => string) {
  const said = signal(sentence(exam));
  document.addEventListener(examsTold, () => {
    said.value = sentence(exams.find(exam.id) ?? exam);
  });
  return said;
}
