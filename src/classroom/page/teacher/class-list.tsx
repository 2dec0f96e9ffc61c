// All classes of this server, and a new one.

import { useSignal } from "@preact/signals";
import { isLocale, type Locale, languageTags, localeNames, locales } from "../../../i18n/locales.ts";
import type { Class, NewClass } from "../../wire.ts";
import { Field, type FieldIds, Form, LoadedView, TextInput } from "./parts.tsx";
import type { Room } from "./room.ts";
import { useLoaded, useSending } from "./use-loaded.ts";
import { fragmentOf } from "./views.ts";

export function ClassList({ room }: { readonly room: Room }) {
  const { t } = room;
  const classes = useLoaded(() => room.ask<readonly Class[]>("GET", "/classes"), "classes");
  return (
    <>
      <h1>{t("classroom.teacher.classes.title")}</h1>
      <LoadedView room={room} loaded={classes.state.value} reload={classes.reload}>
        {(all) =>
          all.length === 0 ? (
            <p>{t("classroom.teacher.classes.none")}</p>
          ) : (
            <ul class="class-list">
              {all.map((one) => (
                <ClassLine key={one.id} room={room} one={one} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      <MakeClass room={room} />
    </>
  );
}

function ClassLine({ room, one }: { readonly room: Room; readonly one: Class }) {
  const { t } = room;
  return (
    <li>
      <a href={fragmentOf({ kind: "class", id: one.id, tab: "board" })}>{one.name}</a>
      <span>{t("classroom.teacher.classes.learners", { count: one.learners })}</span>
      <span lang={languageTags[one.locale]}>{localeNames[one.locale]}</span>
      <span>{t(one.open ? "classroom.teacher.classes.open" : "classroom.teacher.classes.closed")}</span>
    </li>
  );
}

interface LanguageChoiceProps extends FieldIds {
  readonly value: Locale;
  readonly onChange: (locale: Locale) => void;
}

export function LanguageChoice({ value, onChange, ...ids }: LanguageChoiceProps) {
  return (
    <select {...ids} value={value} onChange={({ currentTarget }) => isLocale(currentTarget.value) && onChange(currentTarget.value)}>
      {locales.map((locale) => (
        <option key={locale} value={locale} lang={languageTags[locale]}>
          {localeNames[locale]}
        </option>
      ))}
    </select>
  );
}

function MakeClass({ room }: { readonly room: Room }) {
  const { t } = room;
  const name = useSignal("");
  const locale = useSignal<Locale>(room.locale);
  const sending = useSending();
  const make = async (): Promise<void> => {
    const wanted: NewClass = { name: name.value.trim(), locale: locale.value };
    const { id } = await room.ask<Class>("POST", "/classes", wanted);
    room.go({ kind: "class", id, tab: "board" });
  };
  return (
    <section>
      <h2>{t("classroom.teacher.classes.make")}</h2>
      <Form room={room} sending={sending} submit={t("classroom.teacher.classes.submit")} act={make}>
        <Field label={t("classroom.teacher.classes.name")}>{(ids) => <TextInput {...ids} text={name} maxLength={80} />}</Field>
        <Field label={t("classroom.teacher.classes.language")}>
          {(ids) => <LanguageChoice {...ids} value={locale.value} onChange={(chosen) => (locale.value = chosen)} />}
        </Field>
      </Form>
    </section>
  );
}
