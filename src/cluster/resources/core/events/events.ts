import { events as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../../definition.ts";
import { pathSegmentName } from "../../name-rules.ts";
import { eventColumns, eventRow } from "./event-columns.ts";
import { validateEvent } from "./event-validation.ts";

/** How long events are kept (`--event-ttl`). */
export const eventLifetimeMs = 3_600_000;

export const events = defineResource(type, {
  shortNames: ["ev"],
  storage: "events",
  timeToLiveMs: eventLifetimeMs,
  selectableFields: {
    "involvedObject.kind": (event) => event.involvedObject?.kind ?? "",
    "involvedObject.namespace": (event) => event.involvedObject?.namespace ?? "",
    "involvedObject.name": (event) => event.involvedObject?.name ?? "",
    "involvedObject.uid": (event) => event.involvedObject?.uid ?? "",
    "involvedObject.apiVersion": (event) => event.involvedObject?.apiVersion ?? "",
    "involvedObject.resourceVersion": (event) => event.involvedObject?.resourceVersion ?? "",
    "involvedObject.fieldPath": (event) => event.involvedObject?.fieldPath ?? "",
    reason: (event) => event.reason ?? "",
    reportingComponent: (event) => event.reportingComponent ?? "",
    source: (event) => event.source?.component || event.reportingComponent || "",
    type: (event) => event.type ?? "",
  },
  nameRule: pathSegmentName,
  judgesMetadataLast: true,
  createOnUpdate: true,
  validate: (event, errors) => validateEvent(event, "reportingComponent", errors),
  validateUpdate: (event, _old, errors) => validateEvent(event, "reportingComponent", errors),
  columns: eventColumns,
  row: eventRow,
});
