// Coming in: by an invitation's link the first time, by name and password from then on.

import { useSignal } from "@preact/signals";
import { Field, Form, TextInput } from "./parts.tsx";
import { KnownPassword, NewPassword } from "./password.tsx";
import type { Room } from "./room.ts";
import { useSending } from "./use-loaded.ts";

export function SignUp({ room, token }: { readonly room: Room; readonly token: string }) {
  const { t } = room;
  const name = useSignal("");
  const password = useSignal("");
  const sending = useSending();
  return (
    <section class="door">
      <h1>{t("classroom.teacher.signUp.title")}</h1>
      <p>{t("classroom.teacher.signUp.lead")}</p>
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.signUp.submit")}
        act={() => room.signUp({ invitation: token, name: name.value.trim(), password: password.value })}
      >
        <Field label={t("classroom.teacher.signUp.name")}>
          {(ids) => <TextInput {...ids} text={name} maxLength={60} autocomplete="username" />}
        </Field>
        <NewPassword room={room} label={t("classroom.teacher.signUp.password")} password={password} />
      </Form>
    </section>
  );
}

export function SignIn({ room, isNew }: { readonly room: Room; readonly isNew: boolean }) {
  const { t } = room;
  const name = useSignal("");
  const password = useSignal("");
  const sending = useSending();
  return (
    <section class="door">
      <h1>{t("classroom.teacher.signIn.title")}</h1>
      {room.wasSignedOut.value && <p role="status">{t("classroom.teacher.signIn.ended")}</p>}
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.signIn.submit")}
        act={() => room.signIn({ name: name.value, password: password.value })}
      >
        <Field label={t("classroom.teacher.signIn.name")}>
          {(ids) => <TextInput {...ids} text={name} maxLength={60} autocomplete="username" />}
        </Field>
        <KnownPassword label={t("classroom.teacher.signUp.password")} password={password} />
      </Form>
      <p class="note">{t(isNew ? "classroom.teacher.signIn.isNew" : "classroom.teacher.signIn.invitation")}</p>
    </section>
  );
}

/** In this browser somebody learns: a browser is signed in as one person. */
export function LearnerHere({ room, name }: { readonly room: Room; readonly name: string }) {
  const { t } = room;
  const sending = useSending();
  return (
    <section class="door">
      <h1>{t("classroom.teacher.title")}</h1>
      <Form room={room} sending={sending} submit={t("classroom.teacher.signOut")} act={() => room.signOut()}>
        <p>{t("classroom.teacher.learnerHere", { name })}</p>
      </Form>
    </section>
  );
}
