// What the session is doing when it cannot work yet, or no more: in words, with the one thing to do.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StringKey } from "../i18n/translator.ts";
import type { Desk } from "./desk.ts";

const errorKeys: Readonly<Record<string, StringKey>> = {
  load: "session.errors.load",
  worker: "session.errors.worker",
  world: "session.errors.world",
};

/** How long the notice of a resumed lab stays. */
const resumedForMs = 6_000;

export function SessionNotice({ desk }: { readonly desk: Desk }) {
  const state = desk.session.state.value;
  const { t } = desk;
  if (state.kind === "ready") return state.resumed ? <Resumed desk={desk} /> : null;
  if (state.kind === "starting") {
    return (
      <p class="notice waiting" role="status">
        {t(`session.${state.phase}`)}
      </p>
    );
  }
  return (
    <div class="notice failed" role="alert">
      <p>
        <strong>{t("session.failed")}.</strong> {t(errorKeys[state.key] ?? "session.errors.unknown")} {t("session.safe")}
      </p>
      {state.detail !== "" && (
        <details>
          <summary>{t("session.detail")}</summary>
          <pre>{state.detail}</pre>
        </details>
      )}
      <button class="button small primary" type="button" onClick={() => desk.session.reset()}>
        {t("session.retry")}
      </button>
    </div>
  );
}

function Resumed({ desk }: { readonly desk: Desk }) {
  const shown = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (shown.value = false), resumedForMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return shown.value ? (
    <p class="notice" role="status">
      {desk.t("session.resumed")}
    </p>
  ) : null;
}
