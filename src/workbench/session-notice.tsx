// What the session is doing when it cannot work yet, or no more: in words, with the one thing to do.

import type { StringKey } from "../i18n/translator.ts";
import type { Desk } from "./desk.ts";

const errorKeys: Readonly<Record<string, StringKey>> = {
  load: "session.errors.load",
  worker: "session.errors.worker",
  world: "session.errors.world",
};

export function SessionNotice({ desk }: { readonly desk: Desk }) {
  const state = desk.session.state.value;
  const { t } = desk;
  if (state.kind === "ready") return null;
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
