// A field that finds objects by kind, namespace and name.

import { type Signal, useSignal } from "@preact/signals";
import { refText } from "#history/object-ref.ts";
import type { FoundObject } from "#history/questions.ts";
import type { Desk } from "../../desk.ts";
import { useAnswer } from "../use-answer.ts";

const mostShown = 60;

interface ObjectSearchProps {
  readonly desk: Desk;
  readonly shown: boolean;
  /** Whether the results stand in place of the object. */
  readonly searching: Signal<boolean>;
}

export function ObjectSearch({ desk, shown, searching }: ObjectSearchProps) {
  const { t } = desk;
  const text = useSignal("");
  const open = searching.value && shown;
  const asked = open ? { text: text.value, limit: mostShown, atMs: desk.past.atMs.value } : undefined;
  const found = useAnswer(desk, "find", asked, { live: open }).value ?? [];
  const pick = (object: FoundObject): void => {
    searching.value = false;
    desk.inspect(object);
  };
  return (
    <>
      <div class="panel-bar">
        <input
          class="panel-search"
          type="search"
          aria-controls="object-results"
          placeholder={t("workbench.panels.inspector.search")}
          aria-label={t("workbench.panels.inspector.search")}
          value={text.value}
          onFocus={() => (searching.value = true)}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            searching.value = true;
          }}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key === "Enter" && first !== undefined) pick(first);
            if (event.key === "Escape") searching.value = false;
            if (event.key === "ArrowDown") {
              event.preventDefault();
              document.querySelector<HTMLElement>("#object-results button")?.focus();
            }
          }}
        />
      </div>
      <ul
        class="row-list results"
        id="object-results"
        aria-label={t("workbench.panels.inspector.results")}
        hidden={!searching.value}
      >
        {found.map((object) => (
          <li key={refText(object)}>
            <button type="button" onClick={() => pick(object)} onKeyDown={moveBetween}>
              <span class="result-kind">{object.kind}</span> <span class="result-namespace">{object.namespace}</span>{" "}
              <strong>{object.name}</strong>
            </button>
          </li>
        ))}
        {found.length === 0 && <li class="panel-note">{t("workbench.panels.inspector.none")}</li>}
      </ul>
    </>
  );
}

/** Arrow keys lead from result to result. */
function moveBetween(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const item = (event.currentTarget as HTMLElement).parentElement;
  const next = event.key === "ArrowDown" ? item?.nextElementSibling : item?.previousElementSibling;
  next?.querySelector("button")?.focus();
}
