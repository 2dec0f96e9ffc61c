// Keys that a touch keyboard lacks. Shown by the style sheet where the pointer is a finger.

import { type RowKey, rowKeys } from "../terminal/key-bytes.ts";
import type { Desk } from "./desk.ts";

/** What stands on the keys; arrows and signs are the same everywhere. */
const faces: { readonly [key in RowKey]: string | undefined } = {
  escape: undefined,
  tab: undefined,
  ctrl: undefined,
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  pipe: "|",
  slash: "/",
  dash: "-",
};

interface KeyRowProps {
  readonly desk: Desk;
  readonly ctrlHeld: boolean;
  readonly press: (key: RowKey) => void;
}

export function KeyRow({ desk, ctrlHeld, press }: KeyRowProps) {
  const { t } = desk;
  return (
    <div
      class="key-row"
      role="toolbar"
      aria-label={t("workbench.keyRow.label")}
      // A press must not take the keyboard from the terminal: a phone would fold its own away.
      onMouseDown={(event) => event.preventDefault()}
    >
      {rowKeys.map((key) => {
        const face = faces[key];
        return (
          <button
            key={key}
            type="button"
            aria-label={face === undefined ? undefined : t(`workbench.keyRow.${key}`)}
            aria-pressed={key === "ctrl" ? ctrlHeld : undefined}
            onClick={() => press(key)}
          >
            {face ?? t(`workbench.keyRow.${key}`)}
          </button>
        );
      })}
    </div>
  );
}
