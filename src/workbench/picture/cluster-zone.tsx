// The cluster zone: what owns the pods, the drawing of nodes and pods, or the same as a table.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Desk } from "../desk.ts";
import { ClusterDrawing } from "./cluster-drawing.tsx";
import type { Highlight } from "./highlight.ts";
import { Legend } from "./legend.tsx";
import { createLetters } from "./letters.ts";
import { ObjectTable } from "./object-table.tsx";
import { createMarks } from "./owner-marks.ts";
import { OwnerTable } from "./owner-table.tsx";
import { Owners } from "./owners.tsx";
import { PastBanner } from "./past-banner.tsx";
import { PodTable } from "./pod-table.tsx";
import { ServiceTable } from "./service-table.tsx";
import { isSystemNamespace, isSystemService } from "./system.ts";
import { countTraffic } from "./traffic-counts.ts";

export function ClusterZone({ desk, shown }: { readonly desk: Desk; readonly shown: boolean }) {
  const { t } = desk;
  const asTable = useSignal(false);
  const showSystem = useSignal(false);
  const highlighted = useSignal<Highlight>(undefined);
  const letterOf = useMemo(createLetters, [desk.session]);
  const markOf = useMemo(createMarks, [desk.session]);
  const traffic = useMemo(() => countTraffic(desk.session), [desk.session]);
  useEffect(() => traffic.close, [traffic]);
  const view = desk.past.cluster.value;
  const pods = view.pods.filter((pod) => showSystem.value || !isSystemNamespace(pod.namespace));
  const services = view.services.filter((service) => showSystem.value || !isSystemService(service));
  const objects = view.objects.filter((object) => showSystem.value || !isSystemNamespace(object.namespace));
  const drawn = new Set(objects.map(({ uid }) => uid));
  const known = { desk, view, showSystem: showSystem.value, letterOf, markOf };
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
            <PodTable desk={desk} pods={pods} letterOf={letterOf} markOf={markOf} />
            <OwnerTable {...known} />
            <ObjectTable desk={desk} view={view} objects={objects} />
            <ServiceTable desk={desk} services={services} pods={view.pods} counts={traffic.services.value} />
          </>
        ) : (
          <>
            <Owners {...known} highlighted={highlighted} />
            <ClusterDrawing {...known} highlighted={highlighted} />
            <Legend
              desk={desk}
              pods={pods}
              hasServices={services.length > 0}
              objects={objects}
              ties={view.ties.filter(({ to }) => drawn.has(to))}
            />
          </>
        )}
      </div>
      <PastBanner desk={desk} />
    </section>
  );
}
