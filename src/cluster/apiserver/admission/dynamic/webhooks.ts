// What mutating and validating webhooks have in common: which of them a request meets, and what their answers mean (apiserver,
// pkg/admission/plugin/webhook/generic and request).

import { ApiError, badRequest, forbidden, internalError } from "#cluster/api/errors.ts";
import { readJson } from "#cluster/api/json-text.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import { CelFault } from "#cluster/cel/expression.ts";
import type { Webhook } from "#cluster/resources/admissionregistration/webhooks.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Origin } from "../../encoding.ts";
import { type ServerLog, webhookFailureLine } from "../../log.ts";
import type { AdmissionAttributes } from "../chain.ts";
import {
  type AdmissionWorld,
  admissionName,
  inVersion,
  isExempt,
  matchedByRules,
  matchesNamespace,
  matchesObject,
  newObject,
} from "./matching.ts";
import { compileCondition } from "./policies.ts";
import { activationOf, type CompiledCondition, compiledOnce, conditionsHold, requestFields } from "./request-values.ts";
import type { WebhookAnswer } from "./webhook-answers.ts";
import type { WebhookCall, WebhookCalls } from "./webhook-calls.ts";

type Fields = { readonly [field: string]: JsonValue };

export interface WebhookWorld extends AdmissionWorld {
  readonly log: ServerLog | undefined;
  readonly webhooks: { calls(): WebhookCalls };
}

/** A webhook that must be asked. */
export interface RelevantCall extends WebhookCall {
  /** The version in which it wants to see the object. */
  readonly target: ResourceDefinition;
}

interface ConfiguredWebhook {
  readonly id: string;
  readonly configuration: string;
  /** Among those of all configurations. */
  readonly index: number;
  readonly webhook: Webhook;
}

/** All webhooks of a kind's configurations, by the configurations' names. */
export function* webhooksOf(configurations: Table): Iterable<ConfiguredWebhook> {
  let index = 0;
  for (const { metadata, webhooks = [] } of configurations.list("") as readonly Configuration[]) {
    for (const webhook of webhooks) {
      yield { id: `${metadata.name}/${webhook.name}`, configuration: metadata.name ?? "", index, webhook };
      index += 1;
    }
  }
}

type Configuration = KubeObject & { readonly webhooks?: readonly Webhook[] };

const conditionsOf = compiledOnce(({ matchConditions = [] }: Webhook): readonly CompiledCondition[] => {
  const scope = { hasParams: false, hasAuthorizer: true };
  return matchConditions.map(({ expression }) => compileCondition(expression.trim(), scope, ["bool"]));
});

/** The call to make, if the webhook is for the request. Throws ApiError when that cannot be said. */
export function relevantCall(
  world: AdmissionWorld,
  phase: string,
  id: string,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): RelevantCall | undefined {
  if (isExempt(attributes)) return undefined;
  const target = matchedByRules(world, webhook.rules ?? [], webhook.matchPolicy, attributes);
  if (target === undefined) return undefined;
  if (!matchesNamespace(world, webhook.namespaceSelector, attributes)) return undefined;
  if (!matchesObject(webhook.objectSelector, attributes)) return undefined;
  if (!meetsConditions(world, webhook, attributes, target)) return undefined;
  if (attributes.dryRun && webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") {
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  const version = webhook.admissionReviewVersions.find((one) => one === "v1" || one === "v1beta1") ?? "v1";
  return {
    key: callKey(phase, id, attributes),
    meanwhile: `failed calling webhook ${JSON.stringify(webhook.name)}: it has not answered yet`,
    clientConfig: webhook.clientConfig,
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    failurePrefix: "failed to call webhook: ",
    webhook,
    target,
    body: (uid) => ({
      kind: "AdmissionReview",
      apiVersion: `admission.k8s.io/${version}`,
      request: { uid, ...reviewRequest(attributes, target) },
    }),
  };
}

function meetsConditions(
  world: AdmissionWorld,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  target: ResourceDefinition,
): boolean {
  if (!webhook.matchConditions?.length) return true;
  try {
    return conditionsHold(conditionsOf(webhook), { ...activationOf(world, attributes, target), namespaceObject: null });
  } catch (error) {
    if (!(error instanceof CelFault)) throw error;
    if (webhook.failurePolicy === "Ignore") return false;
    const { group, plural } = attributes.definition;
    throw forbidden({ group, resource: plural }, admissionName(attributes), error.message);
  }
}

/** One question of one request: the same when the request is made once more. */
function callKey(
  phase: string,
  id: string,
  { definition, operation, subresource, namespace, name, object, old, dryRun }: AdmissionAttributes,
): string {
  const { name: ownName = "", generateName = "" } = object.metadata;
  const subject = [definition.group, definition.version, definition.plural, subresource, namespace];
  // A generated name is another one each time.
  const named = name || (generateName === "" ? ownName : generateName);
  return [phase, id, operation, ...subject, named, old?.metadata.resourceVersion ?? "", dryRun].join("\n");
}

function reviewRequest(attributes: AdmissionAttributes, target: ResourceDefinition): Fields {
  const { old } = attributes;
  const shown = (object: KubeObject | undefined, origin: Origin): JsonValue =>
    object === undefined ? null : (inVersion(object, attributes, target, origin) as JsonValue);
  const { dryRun, options, ...fields } = requestFields(attributes, target);
  return {
    ...fields,
    object: shown(newObject(attributes), "request"),
    oldObject: shown(old, "store"),
    dryRun: dryRun ?? false,
    options: options ?? null,
  };
}

/** Of keys in audit events. */
export const notePrefix = "webhook.admission.k8s.io/";

/** When a webhook is asked. */
export interface Turn {
  readonly isMutating: boolean;
  /** `round_0_index_1` */
  readonly place: string;
  readonly log: ServerLog | undefined;
}

/** What an answer means: a patch (perhaps none). Throws ApiError where it refuses, or fails and failures count. */
export function judge(
  answer: WebhookAnswer,
  { webhook }: WebhookCall,
  turn: Turn,
  attributes: AdmissionAttributes,
): readonly JsonValue[] {
  const verified = "failure" in answer ? answer : verify(answer.uid, answer.review, turn.isMutating);
  const fail = (failure: string) => {
    if (!told.has(answer)) tellFailure(failure, webhook, turn);
    told.add(answer);
    return failed(failure, webhook, turn, attributes);
  };
  if ("failure" in verified) return fail(verified.failure);
  const { response } = verified;
  const notes = isObject(response["auditAnnotations"]) ? response["auditAnnotations"] : {};
  for (const [key, text] of Object.entries(notes))
    if (typeof text === "string") attributes.audit?.annotate(`${webhook.name}/${key}`, text);
  const warnings = Array.isArray(response["warnings"]) ? response["warnings"] : [];
  for (const text of warnings) if (typeof text === "string") attributes.warnings.push(text);
  if (response["allowed"] !== true) throw rejection(webhook.name, response["status"]);
  if (!turn.isMutating || typeof response["patch"] !== "string" || response["patch"] === "") return [];
  return decodedPatch(response["patch"]) ?? fail("received undecodable patch in webhook response");
}

/** Answers whose failure was logged: a request that waits for further ones is judged several times. */
const told = new WeakSet<WebhookAnswer>();

function tellFailure(failure: string, { name, failurePolicy }: Webhook, { isMutating, log }: Turn): void {
  const isOpen = failurePolicy === "Ignore";
  log?.((at) => webhookFailureLine(at, name, failureCause(name, failure), { isMutating, isOpen }));
}

function failureCause(name: string, failure: string): string {
  return `failed calling webhook ${JSON.stringify(name)}: ${failure}`;
}

/** The request goes on without it, or throws ApiError. */
function failed(
  failure: string,
  { name, failurePolicy }: Webhook,
  { isMutating, place }: Turn,
  { audit }: AdmissionAttributes,
): readonly JsonValue[] {
  if (failurePolicy !== "Ignore") throw internalError(failureCause(name, failure));
  audit?.annotate(`failed-open.${isMutating ? "mutation" : "validating"}.${notePrefix}${place}`, name);
  return [];
}

function verify(uid: string, review: Fields, mutating: boolean): { readonly response: Fields } | { readonly failure: string } {
  const fail = (cause: string) => ({ failure: `received invalid webhook response: ${cause}` });
  const { response, apiVersion, kind } = review;
  if (!isObject(response)) return fail("webhook response was absent");
  if (apiVersion === "admission.k8s.io/v1beta1") return { response };
  const given = typeof response["uid"] === "string" ? response["uid"] : "";
  if (given !== uid) return fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  if (apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview") {
    return fail(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${String(apiVersion)}, Kind=${String(kind)}`,
    );
  }
  const hasPatch = typeof response["patch"] === "string" && response["patch"] !== "";
  const { patchType } = response;
  const hasType = patchType !== undefined && patchType !== null;
  if (!mutating) {
    if (hasPatch) return fail("validating webhook may not return response.patch");
    return hasType ? fail("validating webhook may not return response.patchType") : { response };
  }
  if (hasPatch && !hasType) return fail("webhook returned response.patch but not response.patchType");
  if (!hasPatch && hasType) return fail("webhook returned response.patchType but not response.patch");
  if (hasType && patchType !== "JSONPatch") return { failure: `unsupported patch type ${JSON.stringify(patchType)}` };
  return { response };
}

function decodedPatch(text: string): readonly JsonValue[] | undefined {
  try {
    const patch: JsonValue = readJson(new TextDecoder().decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0))));
    return Array.isArray(patch) ? patch : undefined;
  } catch {
    return undefined;
  }
}

function rejection(name: string, given: JsonValue | undefined): ApiError {
  const status = isObject(given) ? given : {};
  const { code, message, reason } = status;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const cause = message || reason ? `: ${String(message || reason)}` : " without explanation";
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    ...status,
    status: "Failure",
    message: denied + cause,
    code: typeof code === "number" && code >= 400 ? code : 400,
  });
}
