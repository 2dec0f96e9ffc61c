// What an Event must be (pkg/apis/core/validation/events.go): lenient for core's events without eventTime, strict for
// those of events.k8s.io. Both are checked in core's form.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { CoreV1Event, ObjectReference } from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field } from "../../field-errors.ts";

type Event = Typed<CoreV1Event>;

const shortLimit = 128;
const noteLimit = 1024;

/** `controllerField` is the version's name for whoever reports. */
export function validateEvent(event: Event, controllerField: string, errors: FieldErrors): void {
  const { namespace = "" } = event.metadata;
  const about = event.involvedObject?.namespace ?? "";
  const mismatch = (): void => errors.invalid(field("involvedObject", "namespace"), about, "does not match event.namespace");
  if (!event.eventTime) {
    if (about === "" ? namespace !== "" && namespace !== "default" : namespace !== about) mismatch();
  } else {
    if (about === "" && namespace !== "default" && namespace !== "kube-system") mismatch();
    validateReporter(event, controllerField, errors);
  }
  for (const reason of dns1123SubdomainReasons(namespace)) errors.invalid(field("namespace"), namespace, reason);
}

function validateReporter(event: Event, controllerField: string, errors: FieldErrors): void {
  const { reportingComponent = "", message = "" } = event;
  if (reportingComponent === "") errors.required(field(controllerField));
  for (const reason of qualifiedNameReasons(reportingComponent)) errors.invalid(field(controllerField), reportingComponent, reason);
  for (const name of ["reportingInstance", "action", "reason"] as const) {
    const value = event[name] ?? "";
    if (value === "") errors.required(field(name));
    if (value.length > shortLimit) errors.invalid(field(name), "", `can have at most ${shortLimit} characters`);
  }
  if (message.length > noteLimit) errors.invalid(field("message"), "", `can have at most ${noteLimit} characters`);
}

/** What events.k8s.io asks of a new event beside. */
export function validateStrictEvent(event: Event, errors: FieldErrors): void {
  validateSeries(event, errors);
  if (!event.eventTime) errors.required(field("eventTime"));
  const { type = "", count = 0, source, firstTimestamp, lastTimestamp } = event;
  if (type !== "Normal" && type !== "Warning") errors.invalid(field("type"), "", `has invalid value: ${type}`);
  if (firstTimestamp) errors.invalid(field("firstTimestamp"), "", "needs to be unset");
  if (lastTimestamp) errors.invalid(field("lastTimestamp"), "", "needs to be unset");
  if (count !== 0) errors.invalid(field("count"), "", "needs to be unset");
  if (source?.component || source?.host) errors.invalid(field("source"), "", "needs to be unset");
}

/** Only the series of an event of events.k8s.io may change. */
export function validateStrictEventUpdate(event: Event, old: Event, errors: FieldErrors): void {
  if (event.series !== old.series) validateSeries(event, errors);
  for (const name of [
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    "type",
    "eventTime",
    "action",
    "related",
    "reportingComponent",
    "reportingInstance",
  ] as const) {
    if (semanticDeepEqual(event[name], old[name])) continue;
    const path = field(name === "reportingComponent" ? "reportingController" : name);
    errors.invalid(
      path,
      name === "involvedObject" ? goReference(event[name]) : (event[name] ?? emptyTexts[name]),
      "field is immutable",
    );
  }
}

/** Texts that are absent print as empty ones. */
const emptyTexts: { readonly [field: string]: string } = {
  ...{ reason: "", message: "", type: "", action: "", reportingComponent: "", reportingInstance: "" },
};

const goReference = (reference: Partial<ObjectReference> = {}): object => ({
  Kind: reference.kind ?? "",
  Namespace: reference.namespace ?? "",
  Name: reference.name ?? "",
  UID: reference.uid ?? "",
  APIVersion: reference.apiVersion ?? "",
  ResourceVersion: reference.resourceVersion ?? "",
  FieldPath: reference.fieldPath ?? "",
});

function validateSeries({ series }: Event, errors: FieldErrors): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) errors.invalid(field("series.count"), "", "should be at least 2");
  if (!series.lastObservedTime) errors.required(field("series.lastObservedTime"));
}
