// Audit events as they stand in the log: a line of JSON (audit.k8s.io/v1 Event, its fields in Go's order), or the line of the format
// `legacy` (apiserver, pkg/audit/format.go).

import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonValue, Status } from "#cluster/api/objects.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { escapedJson } from "../http/writing.ts";
import type { Level, Stage } from "./policy.ts";

/** What is known of a request so far. */
export interface AuditRecord {
  readonly level: Level;
  readonly auditID: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  impersonatedUser: UserInfo | undefined;
  impersonationConstraint: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  objectRef: ObjectReference | undefined;
  responseStatus: JsonObject | undefined;
  /** As JSON text. */
  requestObject: string | undefined;
  responseObject: string | undefined;
  readonly requestReceivedMs: number;
  readonly annotations: Map<string, string>;
}

/** Empty texts are left out. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** With its line feed. */
export function eventText(record: AuditRecord, stage: Stage, stageMs: number): string {
  const { level, auditID, requestURI, verb, user, impersonatedUser, impersonationConstraint, sourceIPs, userAgent } = record;
  const parts: string[] = [];
  const add = (name: string, text: string): void => {
    parts.push(`"${name}":${text}`);
  };
  const addValue = (name: string, value: JsonValue): void => add(name, escapedJson(value, false));
  addValue("kind", "Event");
  addValue("apiVersion", "audit.k8s.io/v1");
  addValue("level", level);
  addValue("auditID", auditID);
  addValue("stage", stage);
  addValue("requestURI", requestURI);
  addValue("verb", verb);
  addValue("user", userObject(user));
  if (impersonatedUser !== undefined) addValue("impersonatedUser", userObject(impersonatedUser));
  if (impersonationConstraint !== "") addValue("authenticationMetadata", { impersonationConstraint });
  if (sourceIPs.length > 0) addValue("sourceIPs", sourceIPs);
  if (userAgent !== "") addValue("userAgent", userAgent);
  if (record.objectRef !== undefined) addValue("objectRef", filled(record.objectRef));
  if (record.responseStatus !== undefined) addValue("responseStatus", record.responseStatus);
  if (record.requestObject !== undefined) add("requestObject", record.requestObject);
  if (record.responseObject !== undefined) add("responseObject", record.responseObject);
  addValue("requestReceivedTimestamp", formatMicroTime(record.requestReceivedMs));
  addValue("stageTimestamp", formatMicroTime(stageMs));
  if (record.annotations.size > 0) addValue("annotations", Object.fromEntries(sorted(record.annotations)));
  return `{${parts.join(",")}}\n`;
}

/** The bounded fields of a Status, in Go's order. */
export function statusObject({ status, message, reason, details, code }: Status): JsonObject {
  return {
    metadata: {},
    ...(status ? { status } : {}),
    ...(message ? { message } : {}),
    ...(reason ? { reason } : {}),
    ...(details === undefined ? {} : { details: details as JsonValue }),
    ...(code ? { code } : {}),
  };
}

/** JSON text without what stands between its words; the characters that Go escapes are escaped. */
export function compactJson(text: string): string {
  const blankless = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ""));
  return blankless.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function userObject(user: UserInfo | undefined): JsonObject {
  if (user === undefined) return {};
  const { name, uid = "", groups, extra = {} } = user;
  const keys = Object.keys(extra).sort(compareBytes);
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(keys.length === 0 ? {} : { extra: Object.fromEntries(keys.map((key) => [key, extra[key] ?? []])) }),
  };
}

function filled(reference: ObjectReference): JsonObject {
  return Object.fromEntries(Object.entries(reference).filter(([, text]) => text !== ""));
}

function sorted(map: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...map].sort(([a], [b]) => compareBytes(a, b));
}

/** The line of the format `legacy`, without a line feed. */
export function legacyText(record: AuditRecord, stage: Stage): string {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIPs } = record;
  const quote = JSON.stringify;
  const list = (names: readonly string[]): string => names.map((name) => quote(name)).join(",");
  const fields = {
    id: record.auditID,
    stage,
    ip: sourceIPs[0] ?? "<unknown>",
    method: record.verb,
    user: user === undefined || user.name === "" ? "<none>" : user.name,
    groups: user === undefined || user.name === "" || user.groups.length === 0 ? "<none>" : list(user.groups),
    as: impersonatedUser?.name ?? "<self>",
    asgroups: impersonatedUser === undefined ? "<lookup>" : list(impersonatedUser.groups),
    "user-agent": record.userAgent,
    namespace: objectRef === undefined || objectRef.namespace === "" ? "<none>" : objectRef.namespace,
    uri: record.requestURI,
    response: responseStatus === undefined ? "<deferred>" : String(responseStatus["code"] ?? 0),
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}=${quote(value)}`);
  return `${formatNanoTime(record.requestReceivedMs)} AUDIT: ${text.join(" ")}`;
}

/** As Go's RFC3339Nano: without zeros at the end. */
function formatNanoTime(ms: number): string {
  return formatMicroTime(ms).replace(/\.?0+Z$/, "Z");
}
