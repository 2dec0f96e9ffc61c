// Between a terminal's bar and its screen: why nothing answers what is typed, and what to do.

import type { Desk } from "./desk.ts";
import { Icon } from "./icon.tsx";

interface TerminalNoticeProps {
  readonly desk: Desk;
  /** The cluster is paused, and somebody types or a command runs. */
  readonly waits: boolean;
}

export function TerminalNotice({ desk, waits }: TerminalNoticeProps) {
  const { session, t } = desk;
  if (session.typedAhead.value && session.state.value.kind === "starting") {
    return (
      <p class="terminal-notice" role="status">
        {t("workbench.terminal.kept")}
      </p>
    );
  }
  if (!waits) return null;
  return (
    <div class="terminal-notice" role="status">
      <p>
        <Icon name="pause" /> {t("workbench.terminal.paused")}
      </p>
      <button
        class="button small"
        type="button"
        aria-keyshortcuts="Control+Enter"
        onClick={() => {
          session.clock.setPaused(false);
          desk.focusTerminal();
        }}
      >
        {t("workbench.status.resume")}
      </button>
      <kbd class="terminal-key">{t("workbench.terminal.resumeKey")}</kbd>
    </div>
  );
}
