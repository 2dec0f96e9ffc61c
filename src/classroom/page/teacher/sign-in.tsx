// Coming in: by an invitation's link the first time, by name and password from then on.

import { type Signal, useSignal } from "@preact/signals";
import { Field, type FieldIds, Form, TextInput } from "./parts.tsx";
import type { Room } from "./room.ts";
import { useSending } from "./use-loaded.ts";

const leastLetters = 12;

export function SignUp({ room, token }: { readonly room: Room; readonly token: string }) {
  const { t } = room;
  const name = useSignal("");
  const password = useSignal("");
  const shown = useSignal(false);
  const sending = useSending();
  const missing = leastLetters - password.value.length;
  const note = missing > 0 && missing < leastLetters ? t("classroom.teacher.signUp.short", { count: missing }) : undefined;
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
        <Field label={t("classroom.teacher.signUp.password")} note={note ?? t("classroom.teacher.signUp.note")}>
          {(ids) => <PasswordInput {...ids} isShown={shown.value} password={password} />}
        </Field>
        <label class="choice">
          <input type="checkbox" checked={shown.value} onChange={(event) => (shown.value = event.currentTarget.checked)} />
          {t("classroom.teacher.signUp.show")}
        </label>
      </Form>
    </section>
  );
}

interface PasswordInputProps extends FieldIds {
  readonly isShown: boolean;
  readonly password: Signal<string>;
}

function PasswordInput({ isShown, password, ...ids }: PasswordInputProps) {
  const rest = {
    ...ids,
    required: true,
    minLength: leastLetters,
    maxLength: 200,
    autocomplete: "new-password",
    value: password.value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      password.value = currentTarget.value;
    },
  } as const;
  return isShown ? <input type="text" {...rest} /> : <input type="password" {...rest} />;
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
        <Field label={t("classroom.teacher.signUp.password")}>
          {(ids) => (
            <input
              {...ids}
              type="password"
              required
              maxLength={200}
              autocomplete="current-password"
              value={password.value}
              onInput={(event) => (password.value = event.currentTarget.value)}
            />
          )}
        </Field>
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
