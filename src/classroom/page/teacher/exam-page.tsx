// One exam: who has begun, what holds, each learner's runs to look at, results to take away, and its end.

import type { Exam, ExamResults, ExamRow } from "../../wire.ts";
import { labTitle, mostIn } from "../outline.ts";
import { standOf } from "./exam-edits.ts";
import { windowText } from "./exams.tsx";
import { ConfirmByName, LoadedView } from "./parts.tsx";
import { refusalKey } from "./refusal-words.ts";
import type { Room } from "./room.ts";
import { momentText } from "./times.ts";
import { useHappenings } from "./use-happenings.ts";
import { useLoaded, useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

interface ExamPageProps {
  readonly room: Room;
  readonly classId: string;
  readonly exam: string;
}

export function ExamPage({ room, classId, exam }: ExamPageProps) {
  const { t } = room;
  const path = `/classes/${classId}/exams/${exam}`;
  const loaded = useLoaded(() => room.ask<ExamResults>("GET", `${path}/results`), path);
  useHappenings(room, classId, ["exam", "gone"], loaded.refresh);
  return (
    <>
      <p class="back">
        <a href={fragmentOf({ kind: "class", id: classId, tab: "exams" })}>{t("classroom.teacher.exams.title")}</a>
      </p>
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(results) => (
          <>
            <h1>{results.exam.title}</h1>
            <p class="note">
              {[
                t(`classroom.teacher.exams.stands.${standOf(results.exam, results.at)}`),
                windowText(room, results.exam),
                t("classroom.teacher.exams.lasts", { count: results.exam.minutes }),
              ].join(" · ")}
            </p>
            <div class="board-head">
              <h2 id="exam-results-title">{t("classroom.teacher.exams.results")}</h2>
              <a class="button" href={room.api.address(`${path}/results.csv`)} download={`${results.exam.title}.csv`}>
                {t("classroom.teacher.figures.csv")}
              </a>
            </div>
            <p class="note">{t("classroom.teacher.learner.resultsNote")}</p>
            <Results room={room} classId={classId} results={results} />
            <Remove room={room} path={path} classId={classId} exam={results.exam} />
          </>
        )}
      </LoadedView>
    </>
  );
}

interface ResultsProps {
  readonly room: Room;
  readonly classId: string;
  readonly results: ExamResults;
}

function Results({ room, classId, results }: ResultsProps) {
  const { t, outline } = room;
  const { exam, rows, at } = results;
  if (rows.length === 0) return <p>{t("classroom.teacher.board.none")}</p>;
  const most = exam.labs.reduce((sum, lab) => sum + mostIn(outline, lab), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section class="table-frame" tabIndex={0} aria-labelledby="exam-results-title">
      <table class="exam-results" aria-labelledby="exam-results-title">
        <thead>
          <tr>
            <th scope="col">{t("classroom.teacher.board.learner")}</th>
            <th scope="col">{t("classroom.teacher.exams.begun")}</th>
            <th scope="col">{t("classroom.teacher.exams.ends")}</th>
            {exam.labs.map((lab) => (
              <th key={lab} scope="col">
                {labTitle(outline, lab)}
              </th>
            ))}
            <th scope="col" class="number">
              {t("classroom.teacher.exams.sum")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.learner}>
              <th scope="row">{row.name}</th>
              <td>{row.begunAt === null ? t("classroom.teacher.exams.notBegun") : momentText(room.language, row.begunAt)}</td>
              <td>{row.endsAt === null ? "–" : endText(room, row.endsAt, at)}</td>
              {exam.labs.map((lab) => (
                <LabCell key={lab} room={room} classId={classId} exam={exam} row={row} lab={lab} />
              ))}
              <td class="number">
                {row.begunAt === null
                  ? "–"
                  : t("classroom.teacher.exams.pointsOf", {
                      points: row.results.reduce((sum, { points }) => sum + points, 0),
                      most,
                    })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function endText({ t, language }: Room, endsAt: number, at: number): string {
  const time = momentText(language, endsAt);
  return at < endsAt ? time : t("classroom.teacher.exams.ended", { time });
}

interface CellProps {
  readonly room: Room;
  readonly classId: string;
  readonly exam: Exam;
  readonly row: ExamRow;
  readonly lab: string;
}

/** Steps and points that hold, why the last submission was refused, and the run itself. */
function LabCell({ room, classId, exam, row, lab }: CellProps) {
  const { t, outline, base, locale } = room;
  const result = row.results.find((one) => one.lab === lab);
  const place = outline.labs[lab]?.place;
  const hasRun = row.runs.some((run) => run.lab === lab);
  if (row.begunAt === null) return <td>–</td>;
  const steps = { passed: result?.steps.length ?? 0, total: outline.labs[lab]?.steps.length ?? 0 };
  const refusal = result?.refusal ?? null;
  return (
    <td>
      <span class="cell-line">{t("classroom.teacher.board.stepsOf", steps)}</span>
      <span class="cell-line soft">
        {t("classroom.teacher.exams.pointsOf", { points: result?.points ?? 0, most: mostIn(outline, lab) })}
      </span>
      {refusal !== null && (
        <span class="cell-line trouble">{t("classroom.teacher.learner.refused", { why: t(refusalKey(refusal)) })}</span>
      )}
      {hasRun && place !== undefined && (
        <a
          class="button small"
          href={`${base}${locale}/${place}/?run=${classId}/${row.learner}/${exam.id}`}
          aria-label={t("classroom.teacher.exams.openRun", { name: row.name, lab: labTitle(outline, lab) })}
        >
          {t("classroom.teacher.learner.open")}
        </a>
      )}
    </td>
  );
}

interface RemoveProps {
  readonly room: Room;
  readonly path: string;
  readonly classId: string;
  readonly exam: Exam;
}

function Remove({ room, path, classId, exam }: RemoveProps) {
  const { t } = room;
  const sending = useSending();
  return (
    <ConfirmByName
      room={room}
      title={t("classroom.teacher.exams.remove.title")}
      text={t("classroom.teacher.exams.remove.text")}
      label={t("classroom.teacher.exams.remove.label", { title: exam.title })}
      submit={t("classroom.teacher.exams.remove.submit")}
      name={exam.title}
      sending={sending}
      act={() => room.ask("DELETE", path)}
      done={() => room.go({ kind: "class", id: classId, tab: "exams" })}
    />
  );
}
