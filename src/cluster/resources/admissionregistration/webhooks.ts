// What the two kinds of webhook configurations have in common (pkg/apis/admissionregistration).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { MutatingWebhook, ValidatingWebhook } from "#cluster/api/generated/types.ts";
import { dns1035LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import type { TableCell, TableContext } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { validateMatchConditions } from "./expressions.ts";
import { failurePolicies, matchPolicies, reinvocationPolicies, validateRule, validateWord, withScopes } from "./rules.ts";
import { validateWebhookService, validateWebhookUrl } from "./webhook-clients.ts";

/** A webhook of either kind. */
export type Webhook = ValidatingWebhook & Pick<MutatingWebhook, "reinvocationPolicy">;

const sideEffects: readonly string[] = ["None", "NoneOnDryRun"];
const reviewVersions: readonly string[] = ["v1", "v1beta1"];

type Configuration = KubeObject & { readonly webhooks?: readonly Webhook[] };

/** What the declarations of both kinds of configurations say. */
export const webhookConfigurationBasics = {
  categories: ["api-extensions"],
  generationFields: ["webhooks"],
  defaultedFields: ["webhooks"],
  validate: ({ webhooks }: Configuration, errors: FieldErrors): void => validateWebhooks(webhooks, errors),
  validateUpdate: ({ webhooks }: Configuration, old: Configuration, errors: FieldErrors): void =>
    validateWebhooks(webhooks, errors, old.webhooks),
  columns: [
    nameColumn,
    integerColumn("Webhooks", "Webhooks indicates the number of webhooks registered in this configuration"),
    ageColumn,
  ],
  row: (object: Configuration, context: TableContext): readonly TableCell[] => [
    nameCell(object),
    object.webhooks?.length ?? 0,
    ageCell(object, context),
  ],
} as const;

export function withWebhookDefaults<W extends ValidatingWebhook>(webhook: W): W {
  const complete = filled<ValidatingWebhook>(webhook, {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const scoped = changed(complete, "rules", withScopes);
  return changed(scoped, "clientConfig", (client) => changed(client, "service", (service) => filled(service, { port: 443 }))) as W;
}

function validateWebhooks(webhooks: readonly Webhook[] | undefined, errors: FieldErrors, old?: readonly Webhook[]): void {
  const names = new Set<string>();
  const knownConditions = conditionsOf(old);
  const unchangedConditions = old !== undefined && semanticDeepEqual(conditionsOf(webhooks), knownConditions);
  for (const [index, webhook] of (webhooks ?? []).entries()) {
    const path = field("webhooks").index(index);
    validateWebhook(webhook, path, errors);
    if (!unchangedConditions) validateMatchConditions(webhook.matchConditions, false, path.child("matchConditions"), errors);
    validateReviewVersions(webhook.admissionReviewVersions ?? [], path.child("admissionReviewVersions"), errors);
    if (names.has(webhook.name)) errors.duplicate(path.child("name"), webhook.name);
    if (webhook.name) names.add(webhook.name);
  }
}

function conditionsOf(webhooks: readonly Webhook[] | undefined): readonly unknown[] {
  return (webhooks ?? []).map(({ matchConditions }) => matchConditions ?? []);
}

function validateWebhook(webhook: Webhook, path: Path, errors: FieldErrors): void {
  const { name = "", rules, timeoutSeconds } = webhook;
  validateQualifiedHostName(name, path.child("name"), errors);
  for (const [index, rule] of (rules ?? []).entries()) validateRule(rule, path.child("rules").index(index), errors);
  validateWord(webhook.failurePolicy, failurePolicies, path.child("failurePolicy"), errors);
  validateWord(webhook.matchPolicy, matchPolicies, path.child("matchPolicy"), errors);
  if (!webhook.sideEffects) errors.required(path.child("sideEffects"), `must specify one of ${sideEffects.join(", ")}`);
  else validateWord(webhook.sideEffects, sideEffects, path.child("sideEffects"), errors);
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    errors.invalid(path.child("timeoutSeconds"), timeoutSeconds, "the timeout value must be between 1 and 30 seconds");
  }
  for (const selector of ["namespaceSelector", "objectSelector"] as const) {
    if (webhook[selector] !== undefined) validateLabelSelector(webhook[selector], path.child(selector), errors);
  }
  validateWord(webhook.reinvocationPolicy, reinvocationPolicies, path.child("reinvocationPolicy"), errors);
  const { url, service } = webhook.clientConfig ?? {};
  const client = path.child("clientConfig");
  if ((url === undefined) === (service === undefined)) errors.required(client, "exactly one of url or service is required");
  else if (url !== undefined) validateWebhookUrl(url, client.child("url"), errors);
  else if (service !== undefined) validateWebhookService(service, client.child("service"), errors);
}

function validateQualifiedHostName(name: string, path: Path, errors: FieldErrors): void {
  const reasons = dns1123SubdomainReasons(name);
  if (name === "") errors.required(path);
  else if (reasons.length > 0) errors.invalid(path, name, reasons.join(","));
  else if (name.split(".").length < 3) {
    errors.invalid(path, name, "should be a domain with at least three segments separated by dots");
  }
}

function validateReviewVersions(versions: readonly string[], path: Path, errors: FieldErrors): void {
  if (versions.length === 0) {
    errors.required(path, `must specify one of ${reviewVersions.join(", ")}`);
    return;
  }
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) errors.invalid(path.index(index), version, "duplicate version");
    else for (const reason of dns1035LabelReasons(version)) errors.invalid(path.index(index), version, reason);
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`);
  }
}
