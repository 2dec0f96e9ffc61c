// A class's exams: which there are, how they stand, and a new one.

import { useSignal } from "@preact/signals";
import type { Class, Exam } from "../../wire.ts";
import { type ExamDraft, examOf, freshDraft, mostLabs, mostMinutes, standOf, troubleIn } from "./exam-edits.ts";
import { Field, Form, LoadedView } from "./parts.tsx";
import { examLabTitle } from "./plan-words.ts";
import type { Room } from "./room.ts";
import { fieldTime, fieldValue, momentText, zoneName } from "./times.ts";
import { useHappenings } from "./use-happenings.ts";
import { useLoaded, useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

export function ExamsView({ room, own }: { readonly room: Room; readonly own: Class }) {
  const { t } = room;
  const exams = useLoaded(() => room.ask<readonly Exam[]>("GET", `/classes/${own.id}/exams`), own.id);
  useHappenings(room, own.id, ["exam", "gone"], exams.refresh);
  return (
    <section aria-labelledby="exams-title">
      <h2 id="exams-title">{t("classroom.teacher.exams.title")}</h2>
      <p class="note">{t("classroom.teacher.exams.note")}</p>
      <LoadedView room={room} loaded={exams.state.value} reload={exams.reload}>
        {(all) =>
          all.length === 0 ? (
            <p>{t("classroom.teacher.exams.none")}</p>
          ) : (
            <ul class="class-list exams">
              {all.map((exam) => (
                <ExamLine key={exam.id} room={room} own={own} exam={exam} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      <MakeExam room={room} own={own} made={exams.refresh} />
    </section>
  );
}

interface ExamLineProps {
  readonly room: Room;
  readonly own: Class;
  readonly exam: Exam;
}

function ExamLine({ room, own, exam }: ExamLineProps) {
  const { t } = room;
  const stand = standOf(exam, Date.now());
  return (
    <li data-stand={stand}>
      <a href={fragmentOf({ kind: "exam", id: own.id, exam: exam.id })}>{exam.title}</a>
      <span class="stand">{t(`classroom.teacher.exams.stands.${stand}`)}</span>
      <span>{windowText(room, exam)}</span>
      <span>{t("classroom.teacher.exams.lasts", { count: exam.minutes })}</span>
      <span class="exam-labs">{exam.labs.map((lab) => examLabTitle(room, lab)).join(" · ")}</span>
    </li>
  );
}

export function windowText({ t, language }: Room, { opensAt, closesAt }: Exam): string {
  return t("classroom.teacher.plan.between", { from: momentText(language, opensAt), until: momentText(language, closesAt) });
}

interface MakeProps {
  readonly room: Room;
  readonly own: Class;
  readonly made: () => Promise<void>;
}

function MakeExam({ room, own, made }: MakeProps) {
  const { t } = room;
  const draft = useSignal<ExamDraft>(freshDraft(Date.now()));
  const said = useSignal("");
  const sending = useSending();
  const edit = (change: Partial<ExamDraft>): void => {
    draft.value = { ...draft.value, ...change };
    said.value = "";
  };
  const { title, labs, opensAt, closesAt, minutes } = draft.value;
  const trouble = troubleIn(draft.value, Date.now());
  const wanted = examOf(draft.value);
  const make = async (): Promise<void> => {
    await room.ask<Exam>("POST", `/classes/${own.id}/exams`, wanted);
    said.value = t("classroom.teacher.exams.made", { title: title.trim() });
    draft.value = freshDraft(Date.now());
    await made();
  };
  const time = (key: "opensAt" | "closesAt", value: number | null) => (
    <Field label={t(`classroom.teacher.exams.${key}`)}>
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          required
          value={fieldValue(value)}
          aria-invalid={trouble === "wrong" || trouble === "past"}
          onChange={({ currentTarget }) => edit({ [key]: fieldTime(currentTarget.value) })}
        />
      )}
    </Field>
  );
  return (
    <section class="make-exam" aria-labelledby="make-exam-title">
      <h3 id="make-exam-title">{t("classroom.teacher.exams.make")}</h3>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.exams.submit")}
        act={make}
        disabled={trouble !== undefined || wanted === undefined || title.trim() === ""}
      >
        <Field label={t("classroom.teacher.exams.name")}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              required
              maxLength={120}
              value={title}
              onInput={({ currentTarget }) => edit({ title: currentTarget.value })}
            />
          )}
        </Field>
        <ChooseLabs room={room} labs={labs} edit={(chosen) => edit({ labs: chosen })} />
        <p class="note">{t("classroom.teacher.plan.zone", { zone: zoneName() })}</p>
        <div class="exam-times">
          {time("opensAt", opensAt)}
          {time("closesAt", closesAt)}
          <Field label={t("classroom.teacher.exams.minutes")} note={t("classroom.teacher.exams.minutesNote")}>
            {(ids) => (
              <input
                {...ids}
                type="number"
                required
                min={1}
                max={mostMinutes}
                value={Number.isNaN(minutes) ? "" : minutes}
                onInput={({ currentTarget }) => edit({ minutes: currentTarget.valueAsNumber })}
              />
            )}
          </Field>
        </div>
        {trouble !== undefined && trouble !== "labsNone" && (
          <p class="trouble" role="alert">
            {t(trouble === "wrong" ? "classroom.teacher.plan.wrong" : `classroom.teacher.exams.${trouble}`)}
          </p>
        )}
      </Form>
      <p class="said" role="status">
        {said.value}
      </p>
    </section>
  );
}

interface ChooseProps {
  readonly room: Room;
  readonly labs: readonly string[];
  readonly edit: (labs: readonly string[]) => void;
}

/** Of lessons that have a lab, and of capstones. */
function ChooseLabs({ room, labs, edit }: ChooseProps) {
  const { t, outline } = room;
  const chosen = useSignal("");
  const labAt = new Map(Object.entries(outline.labs).map(([lab, { place }]) => [place, lab]));
  const parts = outline.parts.map(({ slug, number, title, lessons }) => {
    const own = lessons.flatMap(({ place }) => labAt.get(place) ?? []);
    return { slug, number, title, labs: own.filter((lab) => !labs.includes(lab)) };
  });
  const left = parts.filter((part) => part.labs.length > 0);
  const all = left.flatMap((part) => part.labs);
  const next = all.find((lab) => lab === chosen.value) ?? all[0];
  return (
    <fieldset class="choose-labs">
      <legend>{t("classroom.teacher.exams.labs")}</legend>
      {labs.length === 0 ? (
        <p class="note">{t("classroom.teacher.exams.labsNone")}</p>
      ) : (
        <ol>
          {labs.map((lab) => (
            <li key={lab}>
              {examLabTitle(room, lab)}{" "}
              <button
                class="button small"
                type="button"
                aria-label={t("classroom.teacher.plan.remove", { title: examLabTitle(room, lab) })}
                onClick={() => edit(labs.filter((other) => other !== lab))}
              >
                ×
              </button>
            </li>
          ))}
        </ol>
      )}
      {next !== undefined && labs.length < mostLabs && (
        <div class="add-lab">
          <Field label={t("classroom.teacher.exams.chooseLab")}>
            {(ids) => (
              <select {...ids} value={next} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
                {left.map((part) => (
                  <optgroup key={part.slug} label={`${part.number}. ${part.title}`}>
                    {part.labs.map((lab) => (
                      <option key={lab} value={lab}>
                        {examLabTitle(room, lab)}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </select>
            )}
          </Field>
          <button class="button" type="button" onClick={() => edit([...labs, next])}>
            {t("classroom.teacher.exams.addLab")}
          </button>
        </div>
      )}
    </fieldset>
  );
}
