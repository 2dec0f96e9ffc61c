// Small things that several views use: troubles in words, fields, a text to copy.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import type { TroubleWord } from "./api.ts";
import type { Room } from "./room.ts";
import type { Loaded, Sending } from "./use-loaded.ts";

interface TroubleLineProps {
  readonly room: Room;
  readonly word: TroubleWord | undefined;
  /** Better words for some troubles, where one knows more of what was asked. */
  readonly says?: Partial<Record<TroubleWord, string>> | undefined;
}

export function TroubleLine({ room, word, says }: TroubleLineProps) {
  return word === undefined ? null : (
    <p class="trouble" role="alert">
      {says?.[word] ?? room.t(`classroom.teacher.errors.${word}`)}
    </p>
  );
}

interface LoadedViewProps<T> {
  readonly room: Room;
  readonly loaded: Loaded<T>;
  readonly reload: () => Promise<void>;
  readonly children: (value: T) => ComponentChildren;
}

/** What was loaded, or why it was not and a button to try again. */
export function LoadedView<T>({ room, loaded, reload, children }: LoadedViewProps<T>) {
  const { t } = room;
  if (loaded.kind === "loaded") return <>{children(loaded.value)}</>;
  if (loaded.kind === "loading")
    return (
      <p class="waiting" role="status">
        {t("classroom.teacher.loading")}
      </p>
    );
  return (
    <div class="failed">
      <TroubleLine room={room} word={loaded.trouble} />
      <button class="button" type="button" onClick={() => void reload()}>
        {t("classroom.teacher.again")}
      </button>
    </div>
  );
}

/** Goes onto the input of a field. */
export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby"?: string;
}

interface FieldProps {
  readonly label: string;
  readonly note?: string;
  readonly children: (ids: FieldIds) => ComponentChildren;
}

export function Field({ label, children, note }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {children({ id, ...(note === undefined ? {} : { "aria-describedby": `${id}-note` }) })}
      {note !== undefined && (
        <span class="note" id={`${id}-note`}>
          {note}
        </span>
      )}
    </div>
  );
}

interface TextInputProps extends FieldIds {
  readonly text: Signal<string>;
  readonly maxLength: number;
  readonly autocomplete?: "username";
}

/** A line that must be filled in. */
export function TextInput({ text, ...rest }: TextInputProps) {
  return <input {...rest} type="text" required value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />;
}

interface FormProps {
  readonly room: Room;
  readonly sending: Sending;
  readonly submit: string;
  readonly act: () => Promise<unknown>;
  readonly done?: () => void;
  readonly says?: TroubleLineProps["says"];
  readonly children: ComponentChildren;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

/** A form that sends something; below it what went wrong. */
export function Form({ room, sending, submit, act, done, says, children, danger = false, disabled = false }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send(act).then((good) => good && done?.());
      }}
    >
      {children}
      <button class={danger ? "button danger" : "button primary"} type="submit" disabled={disabled || sending.busy.value}>
        {submit}
      </button>
      <TroubleLine room={room} word={sending.trouble.value} says={says} />
    </form>
  );
}

/** A text that is there to be taken elsewhere. */
export function CopyText({ room, label, text }: { readonly room: Room; readonly label: string; readonly text: string }) {
  const { t } = room;
  const field = useRef<HTMLInputElement>(null);
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = t("classroom.teacher.copied");
    } catch {
      // Served without encryption, pages have no clipboard.
      field.current?.select();
      said.value = t("classroom.teacher.copyFailed");
    }
  };
  return (
    <div class="copy-text">
      <input ref={field} type="text" readOnly aria-label={label} value={text} onFocus={(event) => event.currentTarget.select()} />
      <button class="button" type="button" aria-label={`${t("classroom.teacher.copy")}: ${label}`} onClick={() => void copy()}>
        {t("classroom.teacher.copy")}
      </button>
      <span class="said" role="status">
        {said.value}
      </span>
    </div>
  );
}

interface ConfirmProps {
  readonly room: Room;
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly submit: string;
  /** What must be typed. */
  readonly name: string;
  readonly act: () => Promise<unknown>;
  readonly done: () => void;
  readonly sending: Sending;
}

/** What cannot be undone is done only after its name was typed. */
export function ConfirmByName({ room, title, text, label, submit, name, act, done, sending }: ConfirmProps) {
  const typed = useSignal("");
  return (
    <details class="confirm">
      <summary>{title}</summary>
      <p>{text}</p>
      <Form room={room} sending={sending} submit={submit} act={act} done={done} danger disabled={typed.value.trim() !== name}>
        <Field label={label}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              autocomplete="off"
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </details>
  );
}
