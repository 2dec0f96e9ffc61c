// A word to one learner or to all; for one, the hints of the step at which they are can be put in.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Message } from "../../wire.ts";
import { Field, Form } from "./parts.tsx";
import type { Room } from "./room.ts";
import { useSending } from "./use-loaded.ts";

export interface MessageBoxProps {
  readonly room: Room;
  readonly classId: string;
  /** Undefined: to all. */
  readonly to: string | undefined;
  readonly label: string;
  /** Where the learner is, for its hints. */
  readonly at?: { readonly lab: string; readonly step: string } | undefined;
  readonly done?: () => void;
}

const longest = 1000;

export function MessageBox({ room, classId, to, label, at, done }: MessageBoxProps) {
  const { t } = room;
  const text = useSignal("");
  const sent = useSignal(false);
  const sending = useSending();
  const send = async (): Promise<void> => {
    sent.value = false;
    const message: Message = { to: to ?? null, text: text.value.trim() };
    await room.ask("POST", `/classes/${classId}/messages`, message);
  };
  return (
    <div class="message-box">
      <Form
        room={room}
        sending={sending}
        submit={t("classroom.teacher.message.send")}
        act={send}
        disabled={text.value.trim() === ""}
        done={() => {
          text.value = "";
          sent.value = true;
          done?.();
        }}
      >
        <Field label={label}>
          {(ids) => (
            <textarea
              {...ids}
              rows={to === undefined ? 2 : 4}
              maxLength={longest}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value;
                sent.value = false;
              }}
            />
          )}
        </Field>
        {at !== undefined && (
          <Hints room={room} at={at} put={(hint) => (text.value = `${text.value.trim()}\n${hint}`.trim().slice(0, longest))} />
        )}
      </Form>
      <p class="said" role="status">
        {sent.value ? t("classroom.teacher.message.sent") : ""}
      </p>
    </div>
  );
}

interface HintsProps {
  readonly room: Room;
  readonly at: { readonly lab: string; readonly step: string };
  readonly put: (hint: string) => void;
}

/** As the lab has them, in the page's language. */
function Hints({ room, at, put }: HintsProps) {
  const { t } = room;
  const hints = useSignal<readonly string[]>([]);
  useEffect(() => {
    hintsOf(room, at).then(
      (found) => (hints.value = found),
      // A teacher writes without them.
      () => (hints.value = []),
    );
  }, [room, at.lab, at.step]);
  if (hints.value.length === 0) return null;
  return (
    <fieldset class="bare hints">
      <legend>{t("classroom.teacher.message.hint")}</legend>
      {hints.value.map((hint, index) => (
        <button key={hint} class="button small" type="button" title={hint} onClick={() => put(hint)}>
          {t("classroom.teacher.message.hintNumber", { number: index + 1 })}
        </button>
      ))}
    </fieldset>
  );
}

interface BundleHints {
  readonly steps: { readonly [id: string]: { readonly hintsHtml: readonly string[] } };
}

async function hintsOf({ base, locale }: Room, { lab, step }: HintsProps["at"]): Promise<readonly string[]> {
  const reply = await fetch(`${base}labs/${lab}.${locale}.json`);
  if (!reply.ok) throw new Error(`${reply.status} ${reply.url}`);
  const { steps } = (await reply.json()) as BundleHints;
  return (steps[step]?.hintsHtml ?? []).map((html) => {
    return new DOMParser().parseFromString(html, "text/html").body.textContent?.trim() ?? "";
  });
}
