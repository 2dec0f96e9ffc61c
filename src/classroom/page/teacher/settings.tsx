// A class's name, language, whether learners can join, and its end.

import { useSignal } from "@preact/signals";
import type { ChangedClass, Class } from "../../wire.ts";
import { Conflict, useClassChange } from "./class-change.tsx";
import { LanguageChoice } from "./class-list.tsx";
import { KeepingNote } from "./keeping.tsx";
import { ConfirmByName, Field, Form, TextInput } from "./parts.tsx";
import type { Room } from "./room.ts";
import { useSending } from "./use-loaded.ts";

interface SettingsProps {
  readonly room: Room;
  readonly own: Class;
  readonly changed: (own: Class) => void;
}

export function SettingsView({ room, own, changed }: SettingsProps) {
  const { t } = room;
  const name = useSignal(own.name);
  const locale = useSignal(own.locale);
  const open = useSignal(own.open);
  const removing = useSending();
  const take = (one: Class): void => {
    name.value = one.name;
    locale.value = one.locale;
    open.value = one.open;
  };
  const wanted = (): Omit<ChangedClass, "revision"> => {
    return { name: name.value.trim(), locale: locale.value, plan: own.plan, open: open.value };
  };
  const change = useClassChange({ room, own, changed });
  return (
    <section aria-labelledby="settings-title">
      <h2 id="settings-title">{t("classroom.teacher.settings.title")}</h2>
      <Form room={room} sending={change.sending} submit={t("classroom.teacher.settings.save")} act={() => change.save(wanted())}>
        <Field label={t("classroom.teacher.classes.name")}>{(ids) => <TextInput {...ids} text={name} maxLength={80} />}</Field>
        <Field label={t("classroom.teacher.classes.language")}>
          {(ids) => <LanguageChoice {...ids} value={locale.value} onChange={(chosen) => (locale.value = chosen)} />}
        </Field>
        <label class="choice">
          <input type="checkbox" checked={open.value} onChange={(event) => (open.value = event.currentTarget.checked)} />
          {t("classroom.teacher.settings.joining")}
        </label>
      </Form>
      <p class="said" role="status">
        {change.saved.value ? t("classroom.teacher.settings.saved") : ""}
      </p>
      <Conflict
        room={room}
        change={change}
        take={take}
        again={(theirs) => change.saveOver(theirs, { ...wanted(), plan: theirs.plan })}
      />
      <KeepingNote room={room} classId={own.id} />
      <ConfirmByName
        room={room}
        title={t("classroom.teacher.settings.remove")}
        text={t("classroom.teacher.settings.removeText")}
        label={t("classroom.teacher.settings.removeLabel", { name: own.name })}
        submit={t("classroom.teacher.settings.removeSubmit")}
        name={own.name}
        sending={removing}
        act={() => room.ask("DELETE", `/classes/${own.id}`)}
        done={() => room.go({ kind: "classes" })}
      />
    </section>
  );
}
