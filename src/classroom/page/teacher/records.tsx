// What a class takes away: exports, certificates, and how it stands with the school's learning platform.

import { useSignal } from "@preact/signals";
import { type Locale, languageTags } from "../../../i18n/locales.ts";
import type { CertificateRow, Class, HeldCertificate, LtiState, NewCertificate } from "../../wire.ts";
import { labTitle } from "../outline.ts";
import { LanguageChoice } from "./class-list.tsx";
import { Field, Form, LoadedView, TroubleLine } from "./parts.tsx";
import type { Room } from "./room.ts";
import { momentText } from "./times.ts";
import { useLoaded, useSending } from "./use-loaded.ts";

interface RecordsProps {
  readonly room: Room;
  readonly own: Class;
}

export function RecordsView({ room, own }: RecordsProps) {
  return (
    <>
      <Exports room={room} own={own} />
      <Certificates room={room} own={own} />
      <Platforms room={room} own={own} />
    </>
  );
}

function Exports({ room, own }: RecordsProps) {
  const { t, api } = room;
  const names = useSignal(false);
  return (
    <section aria-labelledby="exports-title">
      <h2 id="exports-title">{t("classroom.teacher.records.exports")}</h2>
      <p>
        <a class="button" href={api.address(`/classes/${own.id}/results.csv`)} download={`${own.name}.csv`}>
          {t("classroom.teacher.figures.csv")}
        </a>
      </p>
      <p class="note">{t("classroom.teacher.records.xapiNote")}</p>
      <label class="choice">
        <input type="checkbox" checked={names.value} onChange={(event) => (names.value = event.currentTarget.checked)} />
        {t("classroom.teacher.records.names")}
      </label>
      <p>
        <a
          class="button"
          href={api.address(`/classes/${own.id}/statements.json?names=${names.value}`)}
          download={`${own.name}.xapi.json`}
        >
          {t("classroom.teacher.records.xapi")}
        </a>
      </p>
    </section>
  );
}

function Certificates({ room, own }: RecordsProps) {
  const { t } = room;
  const path = `/classes/${own.id}/certificates`;
  const loaded = useLoaded(() => room.ask<readonly CertificateRow[]>("GET", path), path);
  return (
    <section aria-labelledby="certificates-title">
      <h2 id="certificates-title">{t("classroom.teacher.records.certificates")}</h2>
      <p class="note">{t("classroom.teacher.records.certificatesNote")}</p>
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t("classroom.teacher.records.noLearners")}</p>
          ) : (
            <ul class="records">
              {rows.map((row) => (
                <li key={row.learner}>
                  <LearnerCertificates room={room} own={own} row={row} changed={loaded.reload} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </section>
  );
}

interface RowProps extends RecordsProps {
  readonly row: CertificateRow;
  readonly changed: () => Promise<void>;
}

function LearnerCertificates({ room, own, row, changed }: RowProps) {
  const { t } = room;
  const path = `/classes/${own.id}/learners/${row.learner}/certificates`;
  const hasSomething = row.labs.length + row.exams.length > 0;
  return (
    <>
      <h3>{row.name}</h3>
      {row.certificates.length > 0 && (
        <ul>
          {row.certificates.map((one) => (
            <HeldLine key={one.code} room={room} path={path} one={one} changed={changed} />
          ))}
        </ul>
      )}
      {hasSomething ? (
        <NewCertificateForm room={room} own={own} row={row} path={path} changed={changed} />
      ) : (
        <p class="soft">{t("classroom.teacher.records.nothing")}</p>
      )}
    </>
  );
}

interface HeldProps {
  readonly room: Room;
  readonly path: string;
  readonly one: HeldCertificate;
  readonly changed: () => Promise<void>;
}

function HeldLine({ room, path, one, changed }: HeldProps) {
  const { t, base } = room;
  const sending = useSending();
  const { code, locale, madeAt, withdrawnAt } = one;
  return (
    <li>
      <a href={`${base}${locale}/verify/#${code}`}>{code}</a>{" "}
      <span class="soft">
        {withdrawnAt === null
          ? t("classroom.teacher.records.made", { time: momentText(room.language, madeAt) })
          : t("classroom.teacher.records.withdrawn", { time: momentText(room.language, withdrawnAt) })}
      </span>{" "}
      {withdrawnAt === null && (
        <button
          class="button small"
          type="button"
          disabled={sending.busy.value}
          aria-label={t("classroom.teacher.records.withdrawOne", { code })}
          onClick={() =>
            void sending.send(() => room.ask("DELETE", `${path}/${code}`)).then((good) => (good ? changed() : undefined))
          }
        >
          {t("classroom.teacher.records.withdraw")}
        </button>
      )}
      <TroubleLine room={room} word={sending.trouble.value} />
    </li>
  );
}

function NewCertificateForm({ room, own, row, path, changed }: RowProps & { readonly path: string }) {
  const { t, outline } = room;
  const sending = useSending();
  const locale = useSignal<Locale>(own.locale);
  /** What is left out. */
  const without = useSignal<ReadonlySet<string>>(new Set());
  const lines = [
    ...row.labs.map(({ lab, points }) => ({ key: `lab ${lab}`, title: labTitle(outline, lab), points })),
    ...row.exams.map(({ id, title, points }) => ({ key: `exam ${id}`, title, points })),
  ];
  const put = (key: string, isIn: boolean): void => {
    const left = new Set(without.value);
    if (isIn) left.delete(key);
    else left.add(key);
    without.value = left;
  };
  const wanted = (): NewCertificate => ({
    locale: locale.value,
    labs: row.labs.map(({ lab }) => lab).filter((lab) => !without.value.has(`lab ${lab}`)),
    exams: row.exams.map(({ id }) => id).filter((id) => !without.value.has(`exam ${id}`)),
  });
  return (
    <details class="confirm">
      <summary>{t("classroom.teacher.records.make", { name: row.name })}</summary>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.records.submit")}
        act={() => room.ask("POST", path, wanted())}
        done={() => void changed()}
        disabled={lines.every(({ key }) => without.value.has(key))}
      >
        <fieldset>
          <legend>{t("classroom.teacher.records.content")}</legend>
          {lines.map(({ key, title, points }) => (
            <label class="choice" key={key}>
              <input
                type="checkbox"
                checked={!without.value.has(key)}
                onChange={(event) => put(key, event.currentTarget.checked)}
              />
              {title} <span class="soft">{t("classroom.teacher.learner.points", { count: points })}</span>
            </label>
          ))}
        </fieldset>
        <Field label={t("classroom.teacher.classes.language")}>
          {(ids) => <LanguageChoice {...ids} value={locale.value} onChange={(chosen) => (locale.value = chosen)} />}
        </Field>
      </Form>
    </details>
  );
}

function Platforms({ room, own }: RecordsProps) {
  const { t } = room;
  const path = `/classes/${own.id}/lti`;
  const loaded = useLoaded(() => room.ask<LtiState>("GET", path), path);
  const sending = useSending();
  const retry = async (): Promise<void> => {
    if (await sending.send(() => room.ask("POST", `${path}/retry`))) await loaded.reload();
  };
  return (
    <section aria-labelledby="lti-title">
      <h2 id="lti-title">{t("classroom.teacher.records.lti")}</h2>
      <LoadedView room={room} loaded={loaded.state.value} reload={loaded.reload}>
        {(state) => (
          <>
            <p>{platformSentence(room, state)}</p>
            {state.troubles.length > 0 && <Troubles room={room} state={state} />}
            {state.waiting > 0 && (
              <button class="button" type="button" disabled={sending.busy.value} onClick={() => void retry()}>
                {t("classroom.teacher.records.retry")}
              </button>
            )}
            <TroubleLine room={room} word={sending.trouble.value} />
          </>
        )}
      </LoadedView>
    </section>
  );
}

function platformSentence({ t, locale }: Room, { isOffered, courses, sent, waiting }: LtiState): string {
  if (!isOffered) return t("classroom.teacher.records.ltiNone");
  if (courses.length === 0) return t("classroom.teacher.records.ltiApart");
  const where = new Intl.ListFormat(languageTags[locale]).format(courses.map(({ platform, title }) => `${title} (${platform})`));
  return t("classroom.teacher.records.ltiState", { courses: where, sent, waiting });
}

function Troubles({ room, state }: { readonly room: Room; readonly state: LtiState }) {
  const { t, outline } = room;
  const targetText = (target: string): string => {
    if (target === "") return t("classroom.teacher.records.ltiClass");
    return target.startsWith("lab ") ? labTitle(outline, target.slice(4)) : t("classroom.teacher.records.ltiExam");
  };
  return (
    <ul class="records">
      {state.troubles.map(({ name, target, isGivenUp, trouble }) => (
        <li key={`${name} ${target}`}>
          {name} · {targetText(target)}{" "}
          <span class="soft">
            {t(isGivenUp ? "classroom.teacher.records.ltiGivenUp" : "classroom.teacher.records.ltiAgain", { why: trouble })}
          </span>
        </li>
      ))}
    </ul>
  );
}
