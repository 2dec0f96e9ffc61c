// A request for a resource, as every stage of the pipeline gets it.

import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { WebhookAnswers } from "./admission/dynamic/webhook-answers.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** One request for a resource, after authentication, however it came in. */
export interface ResourceRequest {
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  /** "" for cluster-scoped kinds, and for lists over all namespaces. */
  readonly namespace: string;
  /** "" for collections. */
  readonly name: string;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly dryRun: boolean;
  /** Who owns the fields that this write sets, in managedFields. */
  readonly fieldManager: string;
  /** Texts for `Warning` headers, in order; stages add to it. */
  readonly warnings: string[];
  /** A component in process, which reads no warnings: what costs to find is not looked for. */
  readonly isUnwarned?: boolean;
  /** Length of the object as it came in; absent for components in process. */
  readonly bodyBytes?: number;
  /** What webhooks have answered; absent for callers in process, who cannot wait for answers. */
  readonly answers?: WebhookAnswers;
  /** Where events of it are written. */
  audit?: AuditEntry | undefined;
  /** Of a caller in process that is known to be on another machine than the server. */
  readonly clientAddress?: string | undefined;
}
