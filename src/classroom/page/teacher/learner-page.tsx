// One learner: how far, with what results, and their runs to look at.

import { useSignal } from "@preact/signals";
import type { LearnerDetail, Result } from "../../wire.ts";
import { labTitle, lessonsOf, stepTitle } from "../outline.ts";
import { ConfirmByName, Field, Form, LoadedView } from "./parts.tsx";
import { refusalKey } from "./refusal-words.ts";
import type { Room } from "./room.ts";
import { momentText } from "./times.ts";
import { useHappenings } from "./use-happenings.ts";
import { useLoaded, useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

interface LearnerPageProps {
  readonly room: Room;
  readonly classId: string;
  readonly learner: string;
}

export function LearnerPage({ room, classId, learner }: LearnerPageProps) {
  const { t } = room;
  const path = `/classes/${classId}/learners/${learner}`;
  const loaded = useLoaded(() => room.ask<LearnerDetail>("GET", path), path);
  useHappenings(room, classId, ["presence", "work", "results", "gone"], loaded.refresh, learner);
  return (
    <>
      <p class="back">
        <a href={fragmentOf({ kind: "class", id: classId, tab: "board" })}>{t("classroom.teacher.board.title")}</a>
      </p>
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(detail) => (
          <>
            <h1>{detail.name}</h1>
            <p class="note">
              {t("classroom.teacher.learner.joined", { time: momentText(room.language, detail.joinedAt) })}
              <br />
              {t("classroom.teacher.learner.seen", { time: momentText(room.language, detail.seenAt) })}
            </p>
            <Runs room={room} classId={classId} detail={detail} />
            <Results room={room} results={detail.results} />
            <Lessons room={room} detail={detail} />
            <NewWord room={room} path={path} name={detail.name} />
            <Remove room={room} path={path} classId={classId} name={detail.name} />
          </>
        )}
      </LoadedView>
    </>
  );
}

interface RunsProps {
  readonly room: Room;
  readonly classId: string;
  readonly detail: LearnerDetail;
}

function Runs({ room, classId, detail }: RunsProps) {
  const { t, outline, base, locale } = room;
  return (
    <section aria-labelledby="runs-title">
      <h2 id="runs-title">{t("classroom.teacher.learner.runs")}</h2>
      {detail.runs.length === 0 ? (
        <p>{t("classroom.teacher.learner.runsNone")}</p>
      ) : (
        <>
          <p class="note">{t("classroom.teacher.learner.runsNote")}</p>
          <div class="table-frame">
            <table aria-labelledby="runs-title">
              <thead>
                <tr>
                  <th scope="col">{t("classroom.teacher.learner.lab")}</th>
                  <th scope="col">{t("classroom.teacher.learner.savedAt")}</th>
                  <th scope="col" class="number">
                    {t("classroom.teacher.learner.entries")}
                  </th>
                  <th scope="col">{t("classroom.teacher.board.actions")}</th>
                </tr>
              </thead>
              <tbody>
                {detail.runs.map(({ lab, savedAt, entries }) => {
                  const title = labTitle(outline, lab);
                  const place = outline.labs[lab]?.place;
                  return (
                    <tr key={lab}>
                      <th scope="row">{title}</th>
                      <td>{momentText(room.language, savedAt)}</td>
                      <td class="number">{entries}</td>
                      <td>
                        {place === undefined ? (
                          <span class="soft">{t("classroom.teacher.learner.noPage")}</span>
                        ) : (
                          <a
                            class="button small"
                            href={`${base}${locale}/${place}/?run=${classId}/${detail.id}`}
                            aria-label={t("classroom.teacher.learner.openLab", { lab: title })}
                          >
                            {t("classroom.teacher.learner.open")}
                          </a>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function Results({ room, results }: { readonly room: Room; readonly results: readonly Result[] }) {
  const { t } = room;
  return (
    <section aria-labelledby="results-title">
      <h2 id="results-title">{t("classroom.teacher.learner.results")}</h2>
      <p class="note">{t("classroom.teacher.learner.resultsNote")}</p>
      {results.length === 0 && <p>{t("classroom.teacher.learner.resultsNone")}</p>}
      {results.map((result) => (
        <LabResult key={result.lab} room={room} result={result} />
      ))}
    </section>
  );
}

function LabResult({ room, result }: { readonly room: Room; readonly result: Result }) {
  const { t, outline } = room;
  const { lab, steps, points, refusal } = result;
  return (
    <section>
      <h3 id={`result-${lab}`}>
        {labTitle(outline, lab)} <span class="soft">{t("classroom.teacher.learner.points", { count: points })}</span>
      </h3>
      {refusal !== null && <p class="trouble">{t("classroom.teacher.learner.refused", { why: t(refusalKey(refusal)) })}</p>}
      {steps.length > 0 && (
        <div class="table-frame">
          <table aria-labelledby={`result-${lab}`}>
            <thead>
              <tr>
                <th scope="col">{t("classroom.teacher.learner.step")}</th>
                <th scope="col">{t("classroom.teacher.learner.passedAt")}</th>
                <th scope="col" class="number">
                  {t("classroom.teacher.learner.hints")}
                </th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ id, passedAt, hints }) => (
                <tr key={id}>
                  <th scope="row">{stepTitle(outline, lab, id)}</th>
                  <td>{momentText(room.language, passedAt)}</td>
                  <td class="number">{hints}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** In the order of the course. */
function Lessons({ room, detail }: { readonly room: Room; readonly detail: LearnerDetail }) {
  const { t, outline } = room;
  const { lessons: work } = detail.work;
  const touched = lessonsOf(outline).flatMap((lesson) => {
    const own = work[lesson.slug];
    return own === undefined || !(own.done || own.steps.length > 0 || own.questions.length > 0) ? [] : [{ lesson, own }];
  });
  const stepsOf = (place: string): number => Object.values(outline.labs).find((lab) => lab.place === place)?.steps.length ?? 0;
  return (
    <section aria-labelledby="lessons-title">
      <h2 id="lessons-title">{t("classroom.teacher.learner.lessons")}</h2>
      {touched.length === 0 ? (
        <p>{t("classroom.teacher.learner.lessonsNone")}</p>
      ) : (
        <ul class="lessons">
          {touched.map(({ lesson, own }) => {
            const total = stepsOf(lesson.place);
            return (
              <li key={lesson.slug} data-done={own.done}>
                <span>{lesson.title}</span>
                <span class="soft">
                  {[
                    t(own.done ? "classroom.teacher.learner.done" : "classroom.teacher.learner.started"),
                    ...(total === 0 ? [] : [t("classroom.teacher.learner.stepsPassed", { done: own.steps.length, total })]),
                    ...(own.questions.length === 0
                      ? []
                      : [t("classroom.teacher.learner.questions", { count: own.questions.length })]),
                  ].join(" · ")}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

interface OneProps {
  readonly room: Room;
  readonly path: string;
  readonly name: string;
}

function NewWord({ room, path, name }: OneProps) {
  const { t } = room;
  const word = useSignal("");
  const done = useSignal(false);
  const sending = useSending();
  return (
    <details class="confirm">
      <summary>{t("classroom.teacher.learner.word.title")}</summary>
      <p>{t("classroom.teacher.learner.word.text", { name })}</p>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.learner.word.submit")}
        act={() => room.ask("PUT", `${path}/word`, { word: word.value })}
        done={() => {
          word.value = "";
          done.value = true;
        }}
      >
        <Field label={t("classroom.teacher.learner.word.label")}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              required
              minLength={4}
              maxLength={100}
              autocomplete="off"
              value={word.value}
              onInput={(event) => {
                word.value = event.currentTarget.value;
                done.value = false;
              }}
            />
          )}
        </Field>
      </Form>
      <p class="said" role="status">
        {done.value ? t("classroom.teacher.learner.word.done") : ""}
      </p>
    </details>
  );
}

function Remove({ room, path, classId, name }: OneProps & { readonly classId: string }) {
  const { t } = room;
  const sending = useSending();
  return (
    <ConfirmByName
      room={room}
      title={t("classroom.teacher.learner.remove.title")}
      text={t("classroom.teacher.learner.remove.text", { name })}
      label={t("classroom.teacher.learner.remove.label", { name })}
      submit={t("classroom.teacher.learner.remove.submit", { name })}
      name={name}
      sending={sending}
      act={() => room.ask("DELETE", path)}
      done={() => room.go({ kind: "class", id: classId, tab: "board" })}
    />
  );
}
