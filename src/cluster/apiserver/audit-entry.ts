// A request of which events are written to the audit log, as the stages see it that it goes through.

import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Grant } from "./authorization/grants.ts";

/** What becomes known of a request whose events are written. */
export interface AuditEntry {
  /** Impersonation has let it through; `constraint` is the verb that did so where it is one of those that allow less than everything. */
  actsAs(user: UserInfo, constraint: string): void;
  allowed(by: Grant | undefined, definition: ResourceDefinition): void;
  /** `validation.policy.admission.k8s.io/validation_failure` and its like; the first value of a key stays. `from`: where objects are written. */
  annotate(key: string, value: string, from?: "Metadata" | "Request"): void;
  /** The object that came in, with its defaults; `definition` where it is one of the kind. */
  requested(body: KubeObject | JsonValue, definition?: ResourceDefinition): void;
  /** A patch, or a delete's options, as they came in; `fromProcess` makes those of a caller that sends no bytes. */
  requestedText(fromProcess: () => JsonValue): void;
  /** For callers in process: a strategic patch that makes one object of the other. */
  requestedChange(before: KubeObject | undefined, after: KubeObject): void;
  /** For callers in process: how it went. */
  answered(code: number, result: unknown): void;
  refused(error: unknown): void;
  /** For callers in process: the watch is over. */
  closed(): void;
}
