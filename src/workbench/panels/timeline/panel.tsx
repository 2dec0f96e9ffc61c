// What happened in the cluster, by time: who wrote what, what the scheduler decided, what the nodes did.

import { useSignal } from "@preact/signals";
import { parseRef, refText } from "#history/object-ref.ts";
import type { EntryFilter, ObjectRef } from "#history/questions.ts";
import { Icon } from "../../icon.tsx";
import type { PanelProps } from "../panel-props.ts";
import { useAnswer } from "../use-answer.ts";
import { EntryDetail } from "./entry-detail.tsx";
import { EntryList } from "./entry-list.tsx";
import { FollowView } from "./follow-view.tsx";
import { Scrubber } from "./scrubber.tsx";
import "../panels.css";
import "./timeline.css";

export function Panel({ desk, shown, argument }: PanelProps) {
  const { t } = desk;
  const text = useSignal("");
  const component = useSignal("");
  const beats = useSignal(false);
  const chosen = useSignal(0);
  const followed = useSignal<ObjectRef | undefined>(undefined);
  // What the panel was opened for: the list is about that object alone.
  const object = parseRef(argument);
  const overview = useAnswer(desk, "overview", { parts: 1 }, { live: shown }).value;
  const filter: EntryFilter = {
    text: text.value,
    components: component.value === "" ? [] : [component.value],
    beats: beats.value,
    object,
  };
  const showList = (): void => {
    chosen.value = 0;
    followed.value = undefined;
  };
  const side = followed.value !== undefined || chosen.value !== 0;
  return (
    <div class="timeline" data-side={side}>
      <div class="panel-bar">
        <input
          class="panel-search"
          type="search"
          placeholder={t("workbench.panels.timeline.search")}
          aria-label={t("workbench.panels.timeline.search")}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
        <select
          aria-label={t("workbench.panels.timeline.component")}
          value={component.value}
          onChange={({ currentTarget }) => (component.value = currentTarget.value)}
        >
          <option value="">{t("workbench.panels.timeline.allComponents")}</option>
          {overview?.components.map(({ name, entries }) => (
            <option key={name} value={name}>
              {name} ({entries})
            </option>
          ))}
        </select>
        <label class="system-switch">
          <input type="checkbox" checked={beats.value} onChange={({ currentTarget }) => (beats.value = currentTarget.checked)} />{" "}
          {t("workbench.panels.timeline.beats")}
        </label>
        {object !== undefined && (
          <button class="chip" type="button" onClick={() => desk.openPanel("timeline", "")}>
            {object.name} <Icon name="close" />
            <span class="visually-hidden">{t("workbench.panels.timeline.all")}</span>
          </button>
        )}
      </div>
      <Scrubber desk={desk} live={shown} />
      <div class="timeline-body">
        <EntryList
          desk={desk}
          filter={filter}
          live={shown}
          chosen={chosen.value}
          choose={(sequence) => (chosen.value = sequence)}
        />
        {side &&
          (followed.value === undefined ? (
            <EntryDetail
              desk={desk}
              sequence={chosen.value}
              follow={({ entry }) => (followed.value = entry.object)}
              only={({ entry }) => {
                desk.openPanel("timeline", refText(entry.object));
                showList();
              }}
              close={showList}
            />
          ) : (
            <FollowView
              desk={desk}
              object={followed.value}
              live={shown}
              choose={(sequence) => {
                followed.value = undefined;
                chosen.value = sequence;
              }}
              close={() => {
                followed.value = undefined;
              }}
            />
          ))}
      </div>
    </div>
  );
}
