// What the session is doing when it cannot work yet, or no more, and what the reader should know of it: in words, with the
// one thing to do.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SessionState } from "#lab/session.ts";
import type { StringKey } from "../i18n/translator.ts";
import type { Desk } from "./desk.ts";
import { Detail } from "./detail.tsx";
import { IconButton } from "./icon-button.tsx";

const errorKeys: Readonly<Record<string, StringKey>> = {
  load: "session.errors.load",
  worker: "session.errors.worker",
  world: "session.errors.world",
};

/** How long the notice of a resumed lab stays. */
const resumedForMs = 6_000;

/** Above a lab that is somebody else's: whose, as of when, and that it is a copy. */
export function ShownRunLine({ desk }: { readonly desk: Desk }) {
  const { shown } = desk;
  if (shown === undefined) return null;
  return (
    <div class="notice shown-run" role="note">
      <p>{shown.line}</p>
      <a href={shown.back.href}>{shown.back.text}</a>
    </div>
  );
}

/** Above a lab of a class's exam: which exam, what the classroom has confirmed, and once it is over, that it is. */
export function ClassExamLine({ desk }: { readonly desk: Desk }) {
  const { exam } = desk;
  if (exam === undefined) return null;
  const isOver = desk.session.exam.closed.value;
  return (
    <>
      <div class="notice class-exam">
        <p>
          {exam.line} <span role="status">{exam.confirmed.value}</span>
        </p>
        <a href={exam.back.href}>{exam.back.text}</a>
      </div>
      {isOver && (
        <p class="notice class-exam-over" role="alert">
          {exam.over}
        </p>
      )}
    </>
  );
}

export function SessionNotice({ desk }: { readonly desk: Desk }) {
  const state = desk.session.state.value;
  const { t } = desk;
  if (state.kind === "failed") return <Failed desk={desk} failure={state} />;
  if (state.kind === "starting") {
    return (
      <p class="notice waiting" role="status">
        {t(`session.${state.phase}`)}
      </p>
    );
  }
  const keeping = desk.session.keeping.value;
  const fault = desk.session.fault.value;
  return (
    <>
      {state.resumed && desk.shown === undefined && <Passing text={t("session.resumed")} />}
      {state.lost !== undefined && <Standing desk={desk} text={desk.shown?.outdated ?? t(`session.lost.${state.lost}`)} />}
      {fault !== undefined && (
        <Standing key={fault.detail} desk={desk} text={t("session.fault", { room: fault.room })} detail={fault.detail} />
      )}
      {keeping !== "kept" && <Standing key={keeping} desk={desk} text={t(`session.keeping.${keeping}`)} />}
    </>
  );
}

function Failed({ desk, failure }: { readonly desk: Desk; readonly failure: SessionState & { readonly kind: "failed" } }) {
  const { session, t } = desk;
  return (
    <div class="notice failed" role="alert">
      <p>
        <strong>{t("session.failed")}.</strong> {t(errorKeys[failure.key] ?? "session.errors.unknown")} {t("session.safe")}
      </p>
      <button class="button small primary" type="button" onClick={() => session.retry()}>
        {t("session.again")}
      </button>
      <button class="button small" type="button" onClick={() => session.reset()}>
        {t("session.retry")}
      </button>
      <Detail desk={desk} text={failure.detail} />
    </div>
  );
}

/** Goes by itself. */
function Passing({ text }: { readonly text: string }) {
  const shown = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (shown.value = false), resumedForMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return shown.value ? (
    <p class="notice" role="status">
      {text}
    </p>
  ) : null;
}

/** Stays until it is closed. */
function Standing({ desk, text, detail = "" }: { readonly desk: Desk; readonly text: string; readonly detail?: string }) {
  const shown = useSignal(true);
  if (!shown.value) return null;
  return (
    <div class="notice" role="status">
      <p>{text}</p>
      <Detail desk={desk} text={detail} />
      <IconButton icon="close" label={desk.t("session.dismiss")} onClick={() => (shown.value = false)} />
    </div>
  );
}
