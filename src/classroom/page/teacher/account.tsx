// A teacher's own account: another password where there is one, and the browsers in which they are signed in.

import { useSignal } from "@preact/signals";
import type { OpenSession } from "../../wire.ts";
import { BackToClasses } from "./class-page.tsx";
import { Form, LoadedView } from "./parts.tsx";
import { Confirm, confirmation, KnownPassword, NewPassword, saysOf } from "./password.tsx";
import type { Room, TeacherHere } from "./room.ts";
import { momentText } from "./times.ts";
import { useLoaded, useSending } from "./use-loaded.ts";

export function AccountPage({ room, who }: { readonly room: Room; readonly who: TeacherHere }) {
  const { t } = room;
  // A new password ends the other sessions.
  const sessions = useLoaded(() => room.ask<readonly OpenSession[]>("GET", "/sessions"), "sessions");
  return (
    <>
      <BackToClasses room={room} />
      <h1>{t("classroom.teacher.account.title")}</h1>
      <div class="beside">
        {who.hasPassword ? <ChangePassword room={room} name={who.name} changed={sessions.reload} /> : <NoPassword room={room} />}
        <section aria-labelledby="sessions-title">
          <h2 id="sessions-title">{t("classroom.teacher.account.sessions")}</h2>
          <LoadedView room={room} loaded={sessions.state.value} reload={sessions.reload}>
            {(all) => <Sessions room={room} who={who} all={all} changed={sessions.reload} />}
          </LoadedView>
        </section>
      </div>
    </>
  );
}

/** The learning platform is the way in. */
function NoPassword({ room }: { readonly room: Room }) {
  const { t } = room;
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title">{t("classroom.teacher.account.platform")}</h2>
      <p>{t("classroom.teacher.account.platformText")}</p>
    </section>
  );
}

interface ChangePasswordProps {
  readonly room: Room;
  readonly name: string;
  readonly changed: () => Promise<void>;
}

function ChangePassword({ room, name, changed }: ChangePasswordProps) {
  const { t } = room;
  const old = useSignal("");
  const password = useSignal("");
  const saved = useSignal(false);
  const sending = useSending();
  const change = async (): Promise<void> => {
    saved.value = false;
    await room.ask("PUT", "/password", { old: old.value, password: password.value });
  };
  const done = (): void => {
    old.value = "";
    password.value = "";
    saved.value = true;
    void changed();
  };
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title">{t("classroom.teacher.account.password")}</h2>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.account.passwordSubmit")}
        act={change}
        done={done}
        says={{ "wrong-password": t("classroom.teacher.account.wrong") }}
      >
        <p>{t("classroom.teacher.account.passwordText")}</p>
        <KnownPassword label={t("classroom.teacher.account.old")} password={old} of={name} />
        <NewPassword room={room} label={t("classroom.teacher.account.new")} password={password} />
      </Form>
      <p class="said" role="status">
        {saved.value ? t("classroom.teacher.account.passwordSaved") : ""}
      </p>
    </section>
  );
}

interface SessionsProps {
  readonly room: Room;
  readonly who: TeacherHere;
  readonly all: readonly OpenSession[];
  readonly changed: () => Promise<void>;
}

function Sessions({ room, who, all, changed }: SessionsProps) {
  const { t } = room;
  /** Of a session; "" are all others. */
  const chosen = useSignal("");
  const password = useSignal("");
  const ended = useSignal(false);
  const sending = useSending();
  const [own, others] = [all.find(({ isThis }) => isThis), all.filter(({ isThis }) => !isThis)];
  const text = ({ begunAt, usedAt }: OpenSession): string =>
    t("classroom.teacher.account.session", { begun: momentText(room.language, begunAt), used: momentText(room.language, usedAt) });
  const end = async (): Promise<void> => {
    ended.value = false;
    const session = chosen.value === "" ? null : chosen.value;
    await room.ask("POST", "/sessions/end", { password: confirmation(who, password), session });
  };
  const done = (): void => {
    password.value = "";
    chosen.value = "";
    ended.value = true;
    void changed();
  };
  const choice = (id: string, label: string) => (
    <label key={id} class="choice">
      <input type="radio" name="session" checked={chosen.value === id} onChange={() => (chosen.value = id)} />
      {label}
    </label>
  );
  return (
    <>
      <p>{t("classroom.teacher.account.sessionsText")}</p>
      {own !== undefined && <p>{t("classroom.teacher.account.thisSession", { session: text(own) })}</p>}
      {others.length === 0 ? (
        <p>{t("classroom.teacher.account.noOther")}</p>
      ) : (
        <Form
          room={room}
          sending={sending}
          submit={t("classroom.teacher.account.end")}
          act={end}
          done={done}
          says={{ ...saysOf(room), "not-found": t("classroom.teacher.account.isOver") }}
        >
          <fieldset class="choices">
            <legend class="field-label">{t("classroom.teacher.account.which")}</legend>
            {choice("", t("classroom.teacher.account.allOthers"))}
            {others.map((one) => choice(one.id, text(one)))}
          </fieldset>
          <Confirm room={room} who={who} password={password} />
        </Form>
      )}
      <p class="said" role="status">
        {ended.value ? t("classroom.teacher.account.ended") : ""}
      </p>
    </>
  );
}
