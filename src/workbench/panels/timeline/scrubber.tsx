// A slider over the time that is recorded: the picture and the tables show the cluster as it was at its place.

import type { Desk } from "../../desk.ts";
import { IconButton } from "../../icon-button.tsx";
import { clockText } from "../../times.ts";
import { useAnswer } from "../use-answer.ts";

const parts = 120;

export function Scrubber({ desk, live }: { readonly desk: Desk; readonly live: boolean }) {
  const { t } = desk;
  const overview = useAnswer(desk, "overview", { parts }, { live }).value;
  if (overview === undefined) return <div class="scrubber" />;
  const { oldestMs, nowMs, density } = overview;
  const past = desk.past.atMs.value;
  const shownMs = past ?? nowMs;
  const go = (later: boolean): void => {
    desk.session.ask("neighbour", { ofMs: shownMs, later }).then(
      (toMs) => {
        if (toMs !== undefined) desk.past.show(toMs);
        else if (later) desk.past.returnToNow();
      },
      // The world has ended, and with it its past.
      () => {},
    );
  };
  const time = past === undefined ? t("workbench.panels.past.now") : `${clockText(past)} UTC`;
  return (
    <div class="scrubber" data-past={past !== undefined}>
      <IconButton icon="previous" label={t("workbench.panels.past.earlier")} onClick={() => go(false)} />
      <div class="scrubber-track">
        <Density density={density} />
        <input
          type="range"
          min={oldestMs}
          max={nowMs}
          step={100}
          value={shownMs}
          aria-label={t("workbench.panels.past.slider")}
          aria-valuetext={time}
          onInput={({ currentTarget }) => {
            const toMs = Number(currentTarget.value);
            if (toMs >= nowMs - 100) desk.past.returnToNow();
            else desk.past.show(toMs);
          }}
        />
      </div>
      <IconButton icon="next" label={t("workbench.panels.past.later")} disabled={past === undefined} onClick={() => go(true)} />
      <output class="scrubber-time">
        {past === undefined ? time : clockText(past)}
        {past !== undefined && <span class="zone-name"> UTC</span>}
      </output>
      <button class="button small" type="button" disabled={past === undefined} onClick={desk.past.returnToNow}>
        {t("workbench.panels.past.back")}
      </button>
    </div>
  );
}

/** How much happened when. */
function Density({ density }: { readonly density: readonly number[] }) {
  const most = Math.max(1, ...density);
  return (
    <svg class="density" viewBox={`0 0 ${density.length} 20`} preserveAspectRatio="none" aria-hidden="true">
      <path
        d={density.map((count, part) => (count === 0 ? "" : `M${part + 0.5} 20V${20 - 3 - 17 * Math.sqrt(count / most)}`)).join("")}
      />
    </svg>
  );
}
