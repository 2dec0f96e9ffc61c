// The entries as a list that draws only what is in sight: the world sends the rows around it.

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { EntriesView, EntryFilter, EntryView } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { fineClockText } from "../../times.ts";
import { ComponentBadge } from "../component-badge.tsx";
import { useAnswer } from "../use-answer.ts";
import { entryWords } from "./entry-words.ts";

interface EntryListProps {
  readonly desk: Desk;
  readonly filter: EntryFilter;
  readonly live: boolean;
  /** Sequence of the chosen entry; 0 for none. */
  readonly chosen: number;
  readonly choose: (sequence: number) => void;
}

/** Of one line; of two lines, where the list is too narrow for one. */
const rowHeights = { one: 28, two: 48 } as const;
/** As in timeline.css. */
const twoLinesUpToPx = 620;
/** Rows asked for beyond those in sight, on either side. */
const spareRows = 30;

export function EntryList({ desk, filter, live, chosen, choose }: EntryListProps) {
  const { t } = desk;
  const place = useRef<HTMLDivElement>(null);
  const heightPx = useSignal(400);
  const topPx = useSignal(0);
  const rowPx = useSignal<number>(rowHeights.one);
  /** The end is in sight: new entries come into sight too. */
  const atEnd = useSignal(true);
  const rows = Math.ceil(heightPx.value / rowPx.value);
  const first = atEnd.value ? -1 : Math.max(0, Math.floor(topPx.value / rowPx.value) - spareRows);
  const answer = useAnswer(desk, "entries", { filter, first, count: rows + 2 * spareRows }, { live });
  useEffect(() => watchSize(place.current, heightPx, rowPx), [heightPx, rowPx]);
  useSignalEffect(() => {
    const total = (answer.value?.total ?? 0) * rowPx.value;
    const list = place.current;
    if (atEnd.value && list !== null && total > 0) requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  });
  const window: EntriesView = answer.value ?? { total: 0, first: 0, entries: [], found: -1 };
  const move = (event: KeyboardEvent): void => {
    const list = place.current;
    if (list !== null && isBeyond(event.key, window)) {
      event.preventDefault();
      list.scrollTop = event.key === "Home" ? 0 : list.scrollHeight;
      return;
    }
    const to = target(event.key, window, chosen, rows);
    if (to === undefined) return;
    event.preventDefault();
    pick(to);
    reveal(list, window.first + window.entries.findIndex(({ sequence }) => sequence === to), rowPx.value);
  };
  const pick = (sequence: number): void => {
    // What is being read does not scroll away.
    atEnd.value = false;
    choose(sequence);
  };
  return (
    <div
      class="entries"
      ref={place}
      role="listbox"
      aria-label={t("workbench.panels.timeline.entries")}
      aria-activedescendant={chosen === 0 ? undefined : `entry-${chosen}`}
      tabIndex={0}
      onKeyDown={move}
      onScroll={({ currentTarget: list }) => {
        topPx.value = list.scrollTop;
        atEnd.value = list.scrollTop + list.clientHeight >= list.scrollHeight - rowPx.value;
      }}
    >
      {answer.value !== undefined && window.total === 0 && <p class="panel-note">{t("workbench.panels.timeline.nothing")}</p>}
      <div class="entries-height" style={{ height: `${window.total * rowPx.value}px` }}>
        {window.entries.map((entry, index) => (
          <Row
            key={entry.sequence}
            desk={desk}
            entry={entry}
            place={window.first + index}
            total={window.total}
            rowPx={rowPx.value}
            chosen={entry.sequence === chosen}
            choose={pick}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly desk: Desk;
  readonly entry: EntryView;
  readonly place: number;
  readonly total: number;
  readonly rowPx: number;
  readonly chosen: boolean;
  readonly choose: (sequence: number) => void;
}

function Row({ desk, entry, place, total, rowPx, chosen, choose }: RowProps) {
  const { act, object, detail } = entryWords(entry, desk.t);
  const bad =
    entry.kind === "refusal" || entry.verb === "Warning" || entry.verb === "unschedulable" || entry.verb.endsWith("Failed");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the keyboard
    <div
      class="entry"
      role="option"
      id={`entry-${entry.sequence}`}
      aria-selected={chosen}
      aria-setsize={total}
      aria-posinset={place + 1}
      data-kind={entry.kind}
      data-bad={bad}
      data-later={entry.timeMs > (desk.past.atMs.value ?? Number.POSITIVE_INFINITY)}
      style={{ transform: `translateY(${place * rowPx}px)`, height: `${rowPx}px` }}
      onClick={() => choose(entry.sequence)}
    >
      <time class="entry-time">{fineClockText(entry.timeMs)}</time>
      <ComponentBadge component={entry.component} />
      <span class="entry-act">{act}</span>
      <span class="entry-object">{object}</span>
      <span class="entry-detail" title={detail}>
        {detail}
      </span>
    </div>
  );
}

/** Whether Home or End leads to entries that are not there yet: they are shown first, and chosen by the next key. */
function isBeyond(key: string, { first, entries, total }: EntriesView): boolean {
  return (key === "Home" && first > 0) || (key === "End" && first + entries.length < total);
}

/** The entry that a key leads to, among those that are there. */
function target(key: string, { entries }: EntriesView, chosen: number, rows: number): number | undefined {
  const at = entries.findIndex(({ sequence }) => sequence === chosen);
  const steps: { readonly [key: string]: number } = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? entries.length - 1 : at - 1,
    PageDown: at + rows,
    PageUp: at - rows,
    Home: 0,
    End: entries.length - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : entries[Math.max(0, Math.min(entries.length - 1, to))]?.sequence;
}

function reveal(list: HTMLElement | null, index: number, rowPx: number): void {
  if (list === null || index < 0) return;
  const top = index * rowPx;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowPx > list.scrollTop + list.clientHeight) list.scrollTop = top + rowPx - list.clientHeight;
}

function watchSize(list: HTMLElement | null, heightPx: Signal<number>, rowPx: Signal<number>): () => void {
  if (list === null) return () => {};
  const observer = new ResizeObserver(() => {
    const panelWidth = list.closest(".panel")?.clientWidth ?? 0;
    if (panelWidth > 0) rowPx.value = panelWidth <= twoLinesUpToPx ? rowHeights.two : rowHeights.one;
    if (list.clientHeight > 0) heightPx.value = list.clientHeight;
  });
  observer.observe(list);
  return () => observer.disconnect();
}
