// The workbench's upper bar: which zones are shown, full screen, going back and handing over, reset, close.

import { useSignal } from "@preact/signals";
import type { Desk, Zone } from "./desk.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { BackMenu, MoreMenu, type Said } from "./run-menus.tsx";
import { RunNotices } from "./run-notices.tsx";
import { ExamQuestion } from "./steps/exam.tsx";
import { StepCount } from "./steps/step-count.tsx";

export function Toolbar({ desk }: { readonly desk: Desk }) {
  const { t } = desk;
  const { asking } = desk;
  const said = useSignal<Said | undefined>(undefined);
  const full = desk.fullScreen.value;
  const ask = {
    label: t("workbench.status.reset"),
    act: () => {
      asking.value = "reset";
    },
  };
  const resize = {
    label: t(full ? "lab.leaveFullScreen" : "lab.fullScreen"),
    act: () => {
      desk.fullScreen.value = !full;
    },
  };
  // A narrow bar has no room for these two: they stand in the menu.
  const narrow = desk.compact.value;
  // A class's exam that is over does not begin again.
  const mayReset = !desk.session.exam.closed.value;
  const stepsTitle = desk.session.capstone.value ? "workbench.capstone.title" : "workbench.steps.title";
  return (
    <>
      <div class="bench-bar">
        <fieldset class="bare bench-zones" aria-label={t("workbench.tabs")}>
          <ZoneButton desk={desk} zone="picture" title={t("workbench.picture.title")} />
          <ZoneButton desk={desk} zone="terminal" title={t("workbench.terminal.title")} />
          {desk.session.steps.value.length > 0 && <ZoneButton desk={desk} zone="steps" title={t(stepsTitle)} />}
        </fieldset>
        <div class="bench-tools">
          <PaletteButton desk={desk} />
          <BackMenu desk={desk} />
          {!narrow && mayReset && (
            <button class="button small quiet" type="button" onClick={ask.act}>
              <Icon name="reset" /> {ask.label}
            </button>
          )}
          <MoreMenu
            desk={desk}
            said={said}
            onExam={() => (asking.value = "exam")}
            others={narrow ? [...(mayReset ? [ask] : []), resize] : []}
          />
          {!narrow && <IconButton icon={full ? "leaveFullScreen" : "fullScreen"} label={resize.label} onClick={resize.act} />}
          {desk.leaveLab !== undefined && <IconButton icon="close" label={t("lab.close")} onClick={desk.leaveLab} />}
        </div>
      </div>
      <RunNotices desk={desk} said={said} />
      {asking.value === "exam" && <ExamQuestion desk={desk} done={() => (asking.value = undefined)} />}
      {asking.value === "reset" && (
        <div class="bench-ask" role="alertdialog" aria-label={t("workbench.status.reset")} aria-describedby="bench-ask-text">
          <p id="bench-ask-text">{t("workbench.status.resetAsk")}</p>
          <button
            class="button small primary"
            type="button"
            onClick={() => {
              asking.value = undefined;
              desk.session.reset();
              desk.focusTerminal();
            }}
          >
            {t("workbench.status.resetYes")}
          </button>
          <button class="button small" type="button" ref={(button) => button?.focus()} onClick={() => (asking.value = undefined)}>
            {t("workbench.status.resetNo")}
          </button>
        </div>
      )}
    </>
  );
}

/** The page listens for it and opens its palette: `behaviour/palette.ts`. */
function PaletteButton({ desk }: { readonly desk: Desk }) {
  const label = desk.t("palette.title");
  return (
    <button class="icon-button" type="button" data-open-palette aria-label={label} title={`${label} (Ctrl K, F1)`}>
      <Icon name="command" />
    </button>
  );
}

interface ZoneButtonProps {
  readonly desk: Desk;
  readonly zone: Zone;
  readonly title: string;
}

/** Folds and unfolds a zone; where there is room for one zone only, it chooses which. */
function ZoneButton({ desk, zone, title }: ZoneButtonProps) {
  const { t } = desk;
  const shown = desk.isShown(zone);
  const words = (
    <>
      {title}
      {zone === "steps" && <StepCount desk={desk} />}
    </>
  );
  if (desk.compact.value) {
    return (
      <button class="zone-button" type="button" aria-pressed={shown} title={title} onClick={() => desk.toggle(zone)}>
        {words}
      </button>
    );
  }
  return (
    <button
      class="zone-button"
      type="button"
      aria-expanded={shown}
      title={t(shown ? "workbench.fold" : "workbench.unfold", { zone: title })}
      onClick={() => desk.toggle(zone)}
    >
      <Icon name={shown ? "down" : "next"} />
      {words}
    </button>
  );
}
