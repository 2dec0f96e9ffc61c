// The cluster zone: what owns the pods, the drawing of nodes and pods, or the same as a table.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { ClusterDrawing } from "./cluster-drawing.tsx";
import type { Highlight } from "./highlight.ts";
import { isSystemNamespace, isSystemService } from "./layout.ts";
import { Legend } from "./legend.tsx";
import { createLetters } from "./letters.ts";
import { Owners } from "./owners.tsx";
import { PastBanner } from "./past-banner.tsx";
import { PodTable } from "./pod-table.tsx";
import { ServiceTable } from "./service-table.tsx";
import { countTraffic } from "./traffic-counts.ts";

export function ClusterZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const asTable = useSignal(false);
  const showSystem = useSignal(false);
  const highlighted = useSignal<Highlight>(undefined);
  const letterOf = useMemo(createLetters, [desk.session]);
  const traffic = useMemo(() => countTraffic(desk.session), [desk.session]);
  useEffect(() => traffic.close, [traffic]);
  const view = desk.past.cluster.value;
  const pods = view.pods.filter((pod) => showSystem.value || !isSystemNamespace(pod.namespace));
  const services = view.services.filter((service) => showSystem.value || !isSystemService(service));
  return (
    <section
      class="zone picture"
      aria-label={t("workbench.picture.title")}
      hidden={!shown}
      data-past={desk.past.atMs.value !== undefined}
    >
      <div class="picture-bar">
        <fieldset class="bare switch" aria-label={t("workbench.picture.views")}>
          <button type="button" aria-pressed={!asTable.value} onClick={() => (asTable.value = false)}>
            {t("workbench.picture.drawing")}
          </button>
          <button type="button" aria-pressed={asTable.value} onClick={() => (asTable.value = true)}>
            {t("workbench.picture.table")}
          </button>
        </fieldset>
        <label class="system-switch">
          <input
            type="checkbox"
            checked={showSystem.value}
            onChange={(event) => (showSystem.value = event.currentTarget.checked)}
          />{" "}
          {t("workbench.picture.showSystem")}
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <div class="picture-scroll" tabIndex={0}>
        {asTable.value ? (
          <>
            <PodTable desk={desk} pods={pods} />
            <ServiceTable desk={desk} services={services} pods={view.pods} counts={traffic.services.value} />
          </>
        ) : (
          <>
            <Owners desk={desk} view={view} letterOf={letterOf} highlighted={highlighted} />
            <ClusterDrawing desk={desk} showSystem={showSystem.value} letterOf={letterOf} highlighted={highlighted} />
            <Legend desk={desk} pods={pods} hasServices={services.length > 0} />
          </>
        )}
      </div>
      <PastBanner desk={desk} />
    </section>
  );
}
