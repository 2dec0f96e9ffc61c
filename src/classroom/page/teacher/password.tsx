// Fields for passwords, which password managers fill in and keep: of the own one, and of a new one, which says beforehand
// what it must be. Who came by a learning platform has none: a launch stands for it.

import { type Signal, useSignal } from "@preact/signals";
import { Field, type FieldIds } from "./parts.tsx";
import type { Room, TeacherHere } from "./room.ts";

const leastLetters = 12;

interface NewPasswordProps {
  readonly room: Room;
  readonly label: string;
  readonly password: Signal<string>;
}

export function NewPassword({ room, label, password }: NewPasswordProps) {
  const { t } = room;
  const shown = useSignal(false);
  const missing = leastLetters - password.value.length;
  const note = missing > 0 && missing < leastLetters ? t("classroom.teacher.signUp.short", { count: missing }) : undefined;
  return (
    <>
      <Field label={label} note={note ?? t("classroom.teacher.signUp.note")}>
        {(ids) => <NewPasswordInput {...ids} isShown={shown.value} password={password} />}
      </Field>
      <label class="choice">
        <input type="checkbox" checked={shown.value} onChange={(event) => (shown.value = event.currentTarget.checked)} />
        {t("classroom.teacher.signUp.show")}
      </label>
    </>
  );
}

interface NewPasswordInputProps extends FieldIds {
  readonly isShown: boolean;
  readonly password: Signal<string>;
}

function NewPasswordInput({ isShown, password, ...ids }: NewPasswordInputProps) {
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

interface ConfirmProps {
  readonly room: Room;
  readonly who: TeacherHere;
  readonly password: Signal<string>;
}

/** What is asked before something that not everybody at an open browser may do. */
export function Confirm({ room, who, password }: ConfirmProps) {
  const { t } = room;
  if (!who.hasPassword) return <p>{t("classroom.teacher.account.confirmLaunch")}</p>;
  return <KnownPassword label={t("classroom.teacher.account.confirm")} password={password} of={who.name} />;
}

/** As the server is told it. */
export function confirmation({ hasPassword }: TeacherHere, password: Signal<string>): string | null {
  return hasPassword ? password.value : null;
}

/** What it says of a confirmation that was none. */
export function saysOf({ t }: Room): { readonly "wrong-password": string; readonly over: string } {
  return { "wrong-password": t("classroom.teacher.account.wrong"), over: t("classroom.teacher.account.late") };
}

interface KnownPasswordProps {
  readonly label: string;
  readonly password: Signal<string>;
  /** Whose it is, for the password manager; at signing in a field of its own says it. */
  readonly of?: string;
}

export function KnownPassword({ label, password, of }: KnownPasswordProps) {
  return (
    <>
      {of !== undefined && <input type="text" autocomplete="username" value={of} readOnly hidden />}
      <Field label={label}>
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
    </>
  );
}
