// What may be done with the run of a lab as a whole: two menus in the bar. One goes back to before a command, the other hands
// the run over or holds an exam.

import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Checkpoint } from "#lab/checkpoints.ts";
import type { Desk } from "./desk.ts";
import { IconButton } from "./icon-button.tsx";
import { clockText } from "./times.ts";

/** What the bar tells about the last action; a link where the clipboard did not take it. */
export interface Said {
  readonly text: string;
  readonly link?: string;
}

/** How long the notice of a copied link stays. */
const copiedForMs = 6_000;

export function BackMenu({ desk }: { readonly desk: Desk }) {
  const { t } = desk;
  /** Undefined until the lab has answered. */
  const moments = useSignal<readonly Checkpoint[] | undefined>(undefined);
  const label = t("workbench.run.back");
  const load = (): void => {
    moments.value = undefined;
    desk.session.journal.checkpoints().then(
      (found) => (moments.value = found.toReversed()),
      // The lab has stopped: the notice says so, and nothing can be gone back to.
      () => (moments.value = []),
    );
  };
  return (
    <>
      <IconButton
        icon="back"
        label={label}
        popovertarget="back-menu"
        disabled={desk.session.state.value.kind !== "ready" || desk.session.exam.on.value}
      />
      <fieldset
        class="bare menu bench-menu"
        id="back-menu"
        popover="auto"
        aria-label={label}
        aria-busy={moments.value === undefined}
        onBeforeToggle={(event) => event.newState === "open" && load()}
      >
        {moments.value?.length === 0 && <p class="menu-note">{t("workbench.run.backNone")}</p>}
        {(moments.value?.length ?? 0) > 0 && <p class="menu-note">{t("workbench.run.backTo")}</p>}
        {moments.value?.map((moment) => (
          <Moment key={moment.entries} desk={desk} moment={moment} />
        ))}
      </fieldset>
    </>
  );
}

function Moment({ desk, moment }: { readonly desk: Desk; readonly moment: Checkpoint }) {
  const { t } = desk;
  return (
    <button
      class="moment"
      type="button"
      popovertarget="back-menu"
      popovertargetaction="hide"
      onClick={() => {
        desk.session.journal.goBack(moment);
        desk.focusTerminal();
      }}
    >
      <time>{clockText(moment.atMs)}</time>
      <code title={moment.text}>{moment.kind === "file" ? t("workbench.run.fileSaved", { path: moment.text }) : moment.text}</code>
      {moment.code !== 0 && <span class="moment-code">{t("workbench.run.exitCode", { code: moment.code })}</span>}
    </button>
  );
}

interface MoreMenuProps {
  readonly desk: Desk;
  readonly said: Signal<Said | undefined>;
  readonly onExam: () => void;
  /** What else there is to do, where the bar has no room for it. */
  readonly others: readonly { readonly label: string; readonly act: () => void }[];
}

export function MoreMenu({ desk, said, onExam, others }: MoreMenuProps) {
  const { t, session } = desk;
  const chooser = useRef<HTMLInputElement>(null);
  const label = t("workbench.run.more");
  const examOn = session.exam.on.value;
  const mayTakeExam = session.exam.rules.value !== undefined && !examOn;
  const isHeld = session.exam.held !== undefined;
  // A class's exam is not handed on.
  const own = [
    ["workbench.run.export", () => download(`${session.labId}.json`, session.journal.file())],
    ...(examOn ? [] : [["workbench.run.import", () => chooser.current?.click()] as const]),
    ["workbench.run.share", () => void share(desk, said)],
    ...(mayTakeExam ? [["workbench.exam.open", onExam] as const] : []),
  ] as const;
  const items = isHeld ? [] : own;
  if (items.length === 0 && others.length === 0) return null;
  return (
    <>
      <IconButton icon="more" label={label} popovertarget="more-menu" />
      <fieldset class="bare menu bench-menu" id="more-menu" popover="auto" aria-label={label}>
        {items.map(([key, act]) => (
          <button key={key} type="button" popovertarget="more-menu" popovertargetaction="hide" onClick={act}>
            {t(key)}
          </button>
        ))}
        {others.map((other) => (
          <button key={other.label} type="button" popovertarget="more-menu" popovertargetaction="hide" onClick={other.act}>
            {other.label}
          </button>
        ))}
      </fieldset>
      <input
        ref={chooser}
        type="file"
        accept=".json,application/json"
        aria-label={t("workbench.run.import")}
        hidden
        onChange={(event) => void bring(desk, said, event.currentTarget)}
      />
    </>
  );
}

async function bring(desk: Desk, said: Signal<Said | undefined>, chooser: HTMLInputElement): Promise<void> {
  const [file] = chooser.files ?? [];
  if (file === undefined) return;
  const refused = desk.session.journal.takeFile(await file.text());
  // The same file may be chosen again.
  chooser.value = "";
  said.value = refused && { text: desk.t(`workbench.run.refused.${refused.refusal}`, { lab: refused.lab }) };
}

async function share(desk: Desk, said: Signal<Said | undefined>): Promise<void> {
  const fragment = await desk.session.journal.link();
  if (fragment === undefined) {
    said.value = { text: desk.t("workbench.run.linkLong") };
    return;
  }
  const link = location.origin + location.pathname + location.search + fragment;
  const copied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  const told: Said = copied ? { text: desk.t("workbench.run.linkCopied") } : { text: desk.t("workbench.run.linkShown"), link };
  said.value = told;
  if (!copied) return;
  setTimeout(() => {
    if (said.value === told) said.value = undefined;
  }, copiedForMs);
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
