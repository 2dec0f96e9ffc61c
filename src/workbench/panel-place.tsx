// Where one panel stands: fetches its code when it is first in front, and says so when that fails.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { OpenPanel } from "./panel-tabs.ts";
import type { PanelProps } from "./panels/panel-props.ts";
import { panelById } from "./panels.ts";

interface PanelPlaceProps {
  readonly desk: Desk;
  readonly panel: OpenPanel;
  /** Its tab is the chosen one, or it stands beside. */
  readonly active: boolean;
  /** The zone is not folded. */
  readonly shown: boolean;
}

type Loading = { readonly kind: "waiting" | "failed" } | { readonly kind: "there"; readonly Panel: ComponentType<PanelProps> };

export function PanelPlace({ desk, panel, active, shown }: PanelPlaceProps) {
  const loading = useSignal<Loading>({ kind: "waiting" });
  const wanted = active && shown;
  useEffect(() => {
    if (wanted) load(panel.id, loading);
  }, [wanted, panel.id, loading]);
  return (
    <div
      class="panel"
      role="tabpanel"
      id={`panel-${panel.id}`}
      aria-labelledby={`tab-${panel.id}`}
      data-place={desk.placeOf(panel.id)}
      hidden={!active}
    >
      {loading.value.kind === "there" ? (
        <loading.value.Panel desk={desk} shown={wanted} argument={panel.argument} />
      ) : (
        <Waiting desk={desk} failed={loading.value.kind === "failed"} again={() => load(panel.id, loading)} />
      )}
    </div>
  );
}

interface WaitingProps {
  readonly desk: Desk;
  readonly failed: boolean;
  readonly again: () => void;
}

function Waiting({ desk, failed, again }: WaitingProps) {
  if (!failed) return <p class="zone-empty notice-late">{desk.t("workbench.panels.loading")}</p>;
  return (
    <p class="zone-empty" role="alert">
      {desk.t("workbench.panels.failed")}{" "}
      <button class="button small" type="button" onClick={again}>
        {desk.t("session.again")}
      </button>
    </p>
  );
}

function load(id: string, loading: Signal<Loading>): void {
  if (loading.value.kind === "there") return;
  loading.value = { kind: "waiting" };
  panelById(id)
    ?.load()
    .then(
      ({ Panel }) => {
        loading.value = { kind: "there", Panel };
      },
      (error: unknown) => {
        console.error(error);
        loading.value = { kind: "failed" };
      },
    );
}
