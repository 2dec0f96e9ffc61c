// The class's plan: which lessons, in which order, open from and until when.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Class, Plan } from "../../wire.ts";
import { Conflict, useClassChange } from "./class-change.tsx";
import { Field, Form } from "./parts.tsx";
import { added, dated, isBackwards, moved, removed } from "./plan-edits.ts";
import { plannedTitle } from "./plan-words.ts";
import type { Room } from "./room.ts";
import { fieldTime, fieldValue, zoneName } from "./times.ts";

interface PlanProps {
  readonly room: Room;
  readonly own: Class;
  readonly changed: (own: Class) => void;
}

export function PlanView({ room, own, changed }: PlanProps) {
  const { t } = room;
  const plan = useSignal(own.plan);
  const said = useSignal("");
  const change = useClassChange({ room, own, changed });
  const edit = (edited: Plan): void => {
    plan.value = edited;
    change.saved.value = false;
  };
  const wanted = (other: Class) => ({ name: other.name, locale: other.locale, open: other.open, plan: plan.value });
  const isUnsaved = JSON.stringify(plan.value) !== JSON.stringify(own.plan);
  const isWrong = plan.value.some(isBackwards);
  const moveAndSay = (lesson: string, by: -1 | 1): void => {
    edit(moved(plan.value, lesson, by));
    const place = plan.value.findIndex((planned) => planned.lesson === lesson) + 1;
    said.value = t("classroom.teacher.plan.moved", { title: plannedTitle(room, lesson), place, total: plan.value.length });
  };
  return (
    <section class="plan" aria-labelledby="plan-title">
      <h2 id="plan-title">{t("classroom.teacher.plan.title")}</h2>
      {plan.value.length === 0 && <p>{t("classroom.teacher.plan.whole")}</p>}
      <AddLessons room={room} add={(lessons) => edit(added(plan.value, lessons))} plan={plan.value} />
      <Form
        room={room}
        sending={change.sending}
        submit={t("classroom.teacher.plan.save")}
        act={() => change.save(wanted(own))}
        disabled={isWrong || !isUnsaved}
      >
        {plan.value.length > 0 && (
          <>
            <p class="note">{t("classroom.teacher.plan.zone", { zone: zoneName() })}</p>
            <ol class="planned">
              {plan.value.map((planned) => (
                <PlannedLesson
                  key={planned.lesson}
                  room={room}
                  planned={planned}
                  plan={plan.value}
                  edit={edit}
                  move={(by) => moveAndSay(planned.lesson, by)}
                />
              ))}
            </ol>
          </>
        )}
      </Form>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
      <p class="said" role="status">
        {change.saved.value && !isUnsaved ? t("classroom.teacher.plan.saved") : ""}
        {isUnsaved ? t("classroom.teacher.plan.unsaved") : ""}
      </p>
      <Conflict
        room={room}
        change={change}
        take={(theirs) => (plan.value = theirs.plan)}
        again={(theirs) => change.saveOver(theirs, wanted(theirs))}
      />
    </section>
  );
}

interface PlannedProps {
  readonly room: Room;
  readonly planned: Plan[number];
  readonly plan: Plan;
  readonly edit: (plan: Plan) => void;
  readonly move: (by: -1 | 1) => void;
}

function PlannedLesson({ room, planned, plan, edit, move }: PlannedProps) {
  const { t } = room;
  const { lesson } = planned;
  const title = plannedTitle(room, lesson);
  const line = useRef<HTMLLIElement>(null);
  /** A button that is moved or switched off loses the keyboard: it goes to its neighbour. */
  const moveBy = (by: -1 | 1): void => {
    move(by);
    requestAnimationFrame(() => {
      const buttons = line.current?.querySelectorAll<HTMLButtonElement>("[data-move]") ?? [];
      const wanted = [...buttons].filter((button) => !button.disabled);
      (wanted.find((button) => button.dataset["move"] === String(by)) ?? wanted[0])?.focus();
    });
  };
  const date = (key: "from" | "until") => (
    <Field label={t(`classroom.teacher.plan.${key}`)}>
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          value={fieldValue(planned[key])}
          aria-invalid={isBackwards(planned)}
          onChange={({ currentTarget }) => edit(dated(plan, lesson, { [key]: fieldTime(currentTarget.value) }))}
        />
      )}
    </Field>
  );
  return (
    <li ref={line}>
      <span class="planned-title">{title}</span>
      {date("from")}
      {date("until")}
      <span class="actions">
        <button
          class="button small"
          type="button"
          data-move="-1"
          disabled={plan[0]?.lesson === lesson}
          aria-label={t("classroom.teacher.plan.up", { title })}
          onClick={() => moveBy(-1)}
        >
          ↑
        </button>
        <button
          class="button small"
          type="button"
          data-move="1"
          disabled={plan.at(-1)?.lesson === lesson}
          aria-label={t("classroom.teacher.plan.down", { title })}
          onClick={() => moveBy(1)}
        >
          ↓
        </button>
        <button
          class="button small"
          type="button"
          aria-label={t("classroom.teacher.plan.remove", { title })}
          onClick={() => edit(removed(plan, lesson))}
        >
          ×
        </button>
      </span>
      {isBackwards(planned) && (
        <p class="trouble" role="alert">
          {t("classroom.teacher.plan.wrong")}
        </p>
      )}
    </li>
  );
}

interface AddProps {
  readonly room: Room;
  readonly plan: Plan;
  readonly add: (lessons: readonly string[]) => void;
}

function AddLessons({ room, plan, add }: AddProps) {
  const { t, outline } = room;
  const planned = new Set(plan.map(({ lesson }) => lesson));
  const parts = outline.parts.map((part) => {
    return { ...part, lessons: part.lessons.filter(({ slug }) => !planned.has(slug)) };
  });
  const left = parts.filter(({ lessons }) => lessons.length > 0);
  const all = left.flatMap(({ lessons }) => lessons);
  const chosen = useSignal("");
  const lesson = all.find(({ slug }) => slug === chosen.value) ?? all[0];
  const part = left.find(({ lessons }) => lessons.some(({ slug }) => slug === lesson?.slug));
  if (lesson === undefined || part === undefined) return null;
  const addAndGoOn = (lessons: readonly string[]): void => {
    const last = all.findIndex(({ slug }) => slug === lessons.at(-1));
    chosen.value = all[last + 1]?.slug ?? "";
    add(lessons);
  };
  return (
    <fieldset class="add-lessons">
      <legend>{t("classroom.teacher.plan.add")}</legend>
      <Field label={t("classroom.teacher.plan.choose")}>
        {(ids) => (
          <select {...ids} value={lesson.slug} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            {left.map(({ slug, number, title, lessons }) => (
              <optgroup key={slug} label={`${number}. ${title}`}>
                {lessons.map((one) => (
                  <option key={one.slug} value={one.slug}>
                    {plannedTitle(room, one.slug)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <button class="button" type="button" onClick={() => addAndGoOn([lesson.slug])}>
        {t("classroom.teacher.plan.addOne")}
      </button>
      <button class="button" type="button" onClick={() => addAndGoOn(part.lessons.map(({ slug }) => slug))}>
        {t("classroom.teacher.plan.addPart")}
      </button>
    </fieldset>
  );
}
