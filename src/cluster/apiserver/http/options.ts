// Query parameters and option bodies, read as ListOptions, CreateOptions, PatchOptions and DeleteOptions.

import { badRequest, invalid } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import type { FieldValidation } from "../decoding.ts";
import type { ListRequestOptions } from "../verbs/list.ts";
import { isTrue } from "./request-info.ts";

export interface HttpListOptions extends ListRequestOptions {
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

/** Throws 400 for numbers that are none and 422 for combinations that are not allowed. */
export function listOptionsOf(query: URLSearchParams, verb: string): HttpListOptions {
  const text = (name: string): string => query.get(name) ?? "";
  const limit = integerOf(query, "limit");
  const timeoutSeconds = integerOf(query, "timeoutSeconds");
  const initial = query.get("sendInitialEvents");
  const options: HttpListOptions = {
    labelSelector: text("labelSelector"),
    fieldSelector: text("fieldSelector"),
    resourceVersion: text("resourceVersion"),
    resourceVersionMatch: text("resourceVersionMatch"),
    continue: text("continue"),
    allowBookmarks: isTrue(query.get("allowWatchBookmarks")),
    ...(limit === undefined ? {} : { limit }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(initial === null || initial === "" ? {} : { sendInitialEvents: isTrue(initial) }),
  };
  const errors = new FieldErrors();
  if (verb === "watch") checkWatchOptions(options, errors);
  else checkListOptions(options, errors);
  if (!errors.isEmpty) throw invalid({ group: "meta.k8s.io", resource: "ListOptions" }, "", errors.causes);
  return options;
}

function checkListOptions(options: HttpListOptions, errors: FieldErrors): void {
  const { resourceVersion = "", resourceVersionMatch = "" } = options;
  if (resourceVersionMatch !== "") checkMatch(options, resourceVersion, resourceVersionMatch, errors);
  if (options.sendInitialEvents !== undefined) {
    errors.forbidden(field("sendInitialEvents"), "sendInitialEvents is forbidden for list");
  }
}

function checkMatch(options: HttpListOptions, resourceVersion: string, resourceVersionMatch: string, errors: FieldErrors): void {
  const path = field("resourceVersionMatch");
  if (resourceVersion === "") errors.forbidden(path, "resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (options.continue) errors.forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
  if (resourceVersionMatch !== "Exact" && resourceVersionMatch !== "NotOlderThan") {
    errors.notSupported(path, resourceVersionMatch, ["Exact", "NotOlderThan", ""]);
  }
  if (resourceVersionMatch === "Exact" && resourceVersion === "0") {
    errors.forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
}

function checkWatchOptions(options: HttpListOptions, errors: FieldErrors): void {
  const { resourceVersionMatch = "" } = options;
  const path = field("resourceVersionMatch");
  const isWrong = resourceVersionMatch !== "NotOlderThan";
  if (options.sendInitialEvents !== undefined && isWrong) {
    errors.forbidden(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (resourceVersionMatch === "") return;
  if (options.sendInitialEvents === undefined) {
    errors.forbidden(path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (isWrong) errors.notSupported(path, resourceVersionMatch, ["NotOlderThan"]);
  if (options.continue) errors.forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
}

function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** True for `dryRun=All`; 422 for any other value. */
export function dryRunOf(query: URLSearchParams, kind: string): boolean {
  return dryRunOfValues(
    query.getAll("dryRun").filter((value) => value !== ""),
    kind,
  );
}

function dryRunOfValues(values: readonly JsonValue[], kind: string): boolean {
  if (values.every((value) => value === "All")) return values.length > 0;
  const errors = new FieldErrors();
  errors.notSupported(field("dryRun"), values, ["All"]);
  throw invalid({ group: "meta.k8s.io", resource: kind }, "", errors.causes);
}

/** Absent is Warn; 422 for unknown values. */
export function fieldValidationOf(query: URLSearchParams, kind: string): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "") return "Warn";
  if (value === "Strict" || value === "Warn" || value === "Ignore") return value;
  const errors = new FieldErrors();
  errors.notSupported(field("fieldValidation"), value, ["", "Ignore", "Strict", "Warn"]);
  throw invalid({ group: "meta.k8s.io", resource: kind }, "", errors.causes);
}

/** 422 for names that could not stand in managedFields. */
export function fieldManagerOf(query: URLSearchParams, userAgent: string, kind: string): string {
  const manager = query.get("fieldManager") ?? "";
  if (manager === "") return defaultManager(userAgent);
  const errors = new FieldErrors();
  if (manager.length > 128) errors.tooLong(field("fieldManager"), 128);
  for (const { index, 0: character } of manager.matchAll(/[\u0000-\u001f\u007f]/g)) {
    const code = asciiUpperCase(character.charCodeAt(0).toString(16)).padStart(4, "0");
    errors.invalid(field("fieldManager"), manager, `invalid character U+${code} (at position ${index})`);
  }
  if (!errors.isEmpty) throw invalid({ group: "meta.k8s.io", resource: kind }, "", errors.causes);
  return manager;
}

/** The program's name out of its user agent. */
export function defaultManager(userAgent: string): string {
  return (userAgent.split("/")[0] ?? "").slice(0, 128);
}

/** DELETE takes its options from the body, or from the query when there is no body. */
export function deleteOptionsOf(body: JsonValue | undefined, query: URLSearchParams): DeleteOptions {
  if (body === undefined) return optionsFromQuery(query);
  if (!isObject(body)) throw badRequest("couldn't get version/kind; json parse error: the body is not an object");
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun, orphanDependents, apiVersion, kind } = body;
  if (kind !== undefined && kind !== "DeleteOptions") {
    const version = JSON.stringify(apiVersion ?? "");
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const { uid, resourceVersion } = isObject(preconditions) ? preconditions : {};
  return {
    ...(typeof gracePeriodSeconds === "number" || typeof gracePeriodSeconds === "bigint"
      ? { gracePeriodSeconds: Number(gracePeriodSeconds) }
      : {}),
    ...policyOf(propagationPolicy, orphanDependents),
    ...(typeof uid === "string" ? { uid } : {}),
    ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    dryRun: Array.isArray(dryRun) && dryRunOfValues(dryRun, "DeleteOptions"),
  };
}

function optionsFromQuery(query: URLSearchParams): DeleteOptions {
  const gracePeriodSeconds = integerOf(query, "gracePeriodSeconds");
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...policyOf(query.get("propagationPolicy") || undefined, undefined),
    dryRun: dryRunOf(query, "DeleteOptions"),
  };
}

function policyOf(policy: JsonValue | undefined, orphan: JsonValue | undefined): Pick<DeleteOptions, "propagationPolicy"> {
  const isSet = policy !== undefined && policy !== null;
  const isKnown = policy === "Orphan" || policy === "Background" || policy === "Foreground";
  if (typeof orphan === "boolean" && !isSet) return { propagationPolicy: orphan ? "Orphan" : "Background" };
  if (!isSet) return {};
  if (isKnown && typeof orphan !== "boolean") return { propagationPolicy: policy };
  const errors = new FieldErrors();
  const path = field("propagationPolicy");
  if (typeof orphan === "boolean") errors.invalid(path, policy, "orphanDependents and deletionPropagation cannot be both set");
  if (!isKnown) errors.notSupported(path, policy, ["Foreground", "Background", "Orphan", "nil"]);
  throw invalid({ group: "meta.k8s.io", resource: "DeleteOptions" }, "", errors.causes);
}
