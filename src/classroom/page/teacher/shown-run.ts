// A learner's run in the teacher's browser: fetched from the server, looked through, and handed to the lab as a copy that
// keeps nothing and sends nothing.

import { checkLabRun } from "#lab/lab-file.ts";
import type { ShownRun } from "#lab/open.ts";
import { loadTeacherStrings } from "../../../i18n/load.ts";
import { type Locale, languageTags } from "../../../i18n/locales.ts";
import { savedRun } from "../../saved-run.ts";
import type { HeldRun, LearnerDetail } from "../../wire.ts";
import { Api, troubleOf } from "./api.ts";
import { momentText } from "./times.ts";
import { fragmentOf, type View } from "./views.ts";

/** Why a run is not shown, in the reader's language. */
export class RunNotShown extends Error {
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
  /** `CLASS/LEARNER`, or `CLASS/LEARNER/EXAM`, as it stands in the page's address. */
  readonly run: string;
}

/** @throws RunNotShown */
export async function fetchShownRun({ labId, locale, base, run }: Asked): Promise<ShownRun> {
  const t = await loadTeacherStrings(locale);
  const refuse = (why: string): RunNotShown => new RunNotShown(t("classroom.teacher.run.failed", { why }));
  const [classId = "", learner = "", exam] = run.split("/").map(encodeURIComponent);
  const path = `/classes/${classId}/learners/${learner}`;
  const runsOf = exam === undefined ? path : `/classes/${classId}/exams/${exam}/learners/${learner}`;
  const api = new Api(base);
  const [detail, held] = await Promise.all([
    api.ask<LearnerDetail>("GET", path),
    api.ask<HeldRun>("GET", `${runsOf}/runs/${labId}`),
  ]).catch((error: unknown) => {
    throw refuse(t(`classroom.teacher.errors.${troubleOf(error)}`));
  });
  const read = checkLabRun(labId, savedRun(held.run));
  if (!read.ok) throw refuse(t(`classroom.teacher.run.${read.refusal === "outdated" ? "outdated" : "unreadable"}`));
  const { name } = detail;
  const back: View = exam === undefined ? { kind: "learner", id: classId, learner } : { kind: "exam", id: classId, exam };
  return {
    saved: read.saved,
    line: t("classroom.teacher.run.line", { name, time: momentText(languageTags[locale], held.savedAt) }),
    outdated: t("classroom.teacher.run.outdated"),
    back: {
      href: `${base}${locale}/class/${fragmentOf(back)}`,
      text: exam === undefined ? t("classroom.teacher.run.back", { name }) : t("classroom.teacher.run.backToExam"),
    },
  };
}
