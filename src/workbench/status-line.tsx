// The lower line: the world's clock and what the learner may do with it, and where commands act.

import type { Speed } from "#lab/session.ts";
import { languageTags } from "../i18n/locales.ts";
import type { Desk } from "./desk.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { timeKeys } from "./time-keys.ts";
import { clockText } from "./times.ts";

const speeds: readonly Speed[] = [1, 10, 60];

const skips = [
  ["s30", 30_000],
  ["m1", 60_000],
  ["m5", 300_000],
  ["h1", 3_600_000],
  ["d1", 86_400_000],
] as const;

export function StatusLine({ desk }: { readonly desk: Desk }) {
  const { session, t } = desk;
  const clock = session.clock.view.value;
  const ready = session.state.value.kind === "ready" && !session.exam.closed.value;
  return (
    <section class="status" aria-label={t("workbench.status.label")}>
      <div class="status-clock">
        <Time desk={desk} nowMs={clock.nowMs} />
        <IconButton
          icon={clock.paused ? "run" : "pause"}
          label={t(clock.paused ? "workbench.status.resume" : "workbench.status.pause")}
          disabled={!ready}
          aria-pressed={clock.paused}
          onClick={() => session.clock.setPaused(!clock.paused)}
        />
        <fieldset class="bare speeds" aria-label={t("workbench.status.speed")}>
          {speeds.map((speed) => (
            <button
              key={speed}
              type="button"
              disabled={!ready}
              aria-pressed={clock.speed === speed}
              onClick={() => session.clock.setSpeed(speed)}
            >
              {speed}×
            </button>
          ))}
        </fieldset>
        <StepButton desk={desk} to="instant" disabled={!ready} />
        <StepButton desk={desk} to="write" disabled={!ready} />
        <SkipMenu desk={desk} disabled={!ready} />
      </div>
      <div class="status-facts">
        <NodesReady desk={desk} />
        <span class="events" title={t("workbench.status.eventsLong")}>
          {t("workbench.status.events", { count: new Intl.NumberFormat(languageTags[desk.locale]).format(clock.eventsPerSecond) })}
        </span>
        {clock.context !== "" && (
          <span class="status-context">
            <span class="visually-hidden">{t("workbench.status.context")} </span>
            <code title={t("workbench.status.context")}>{clock.context}</code>
            <span aria-hidden="true"> / </span>
            <span class="visually-hidden">{t("workbench.status.namespace")} </span>
            <code title={t("workbench.status.namespace")}>{clock.namespace}</code>
          </span>
        )}
      </div>
    </section>
  );
}

interface StepButtonProps {
  readonly desk: Desk;
  readonly to: "instant" | "write";
  readonly disabled: boolean;
}

/** Stops the clock and goes on by hand. */
function StepButton({ desk, to, disabled }: StepButtonProps) {
  const label = desk.t(to === "instant" ? "workbench.status.step" : "workbench.status.nextWrite");
  return (
    <IconButton
      icon={to === "instant" ? "step" : "nextWrite"}
      label={label}
      title={`${label} (${timeKeys[to]})`}
      disabled={disabled}
      onClick={() => desk.session.clock.step(to)}
    />
  );
}

function Time({ desk, nowMs }: { readonly desk: Desk; readonly nowMs: number }) {
  return (
    <time class="virtual-time" dateTime={new Date(nowMs).toISOString()} title={desk.t("workbench.status.time")}>
      {clockText(nowMs)} <span class="zone-name">UTC</span>
    </time>
  );
}

function NodesReady({ desk }: { readonly desk: Desk }) {
  const { nodes } = desk.session.cluster.value;
  const ready = nodes.filter((node) => node.ready).length;
  if (nodes.length === 0) return null;
  return (
    <span class="nodes-ready" data-all={ready === nodes.length}>
      {ready === nodes.length
        ? desk.t("session.ready", { count: ready })
        : desk.t("session.partlyReady", { ready, total: nodes.length })}
    </span>
  );
}

function SkipMenu({ desk, disabled }: { readonly desk: Desk; readonly disabled: boolean }) {
  const { t } = desk;
  return (
    <>
      <button
        class="button small quiet"
        type="button"
        disabled={disabled}
        title={t("workbench.status.skip")}
        popovertarget="skip-menu"
      >
        <Icon name="skip" /> <span class="roomy">{t("workbench.status.skip")}</span>
        <span class="visually-hidden cramped">{t("workbench.status.skip")}</span>
      </button>
      <fieldset class="bare menu" id="skip-menu" popover="auto" aria-label={t("workbench.status.skip")}>
        {skips.map(([key, durationMs]) => (
          <button
            key={key}
            type="button"
            popovertarget="skip-menu"
            popovertargetaction="hide"
            onClick={() => desk.session.clock.skip(durationMs)}
          >
            {t(`workbench.status.skipBy.${key}`)}
          </button>
        ))}
      </fieldset>
    </>
  );
}
