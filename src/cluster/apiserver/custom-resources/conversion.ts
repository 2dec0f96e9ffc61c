// Conversion webhooks: they bring custom objects from one version of their kind into another (apiextensions-apiserver,
// pkg/apiserver/conversion/webhook_converter.go). What was converted for a request is known when that is made once more.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { CustomResourceConversion } from "#cluster/api/generated/types.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue, KubeObject, ObjectMeta } from "#cluster/api/objects.ts";
import { isObject, jsonKind } from "#cluster/api/wire.ts";
import { validateAnnotations } from "#cluster/resources/annotation-validation.ts";
import type { Crd } from "#cluster/resources/apiextensions/custom-resource.ts";
import { validateLabelMap } from "#cluster/resources/core/selector-validation.ts";
import type { Converter } from "#cluster/resources/definition.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import type { WebhookAnswer, WebhookAnswers } from "../admission/dynamic/webhook-answers.ts";
import type { ReviewCall, WebhookCalls } from "../admission/dynamic/webhook-calls.ts";
import { managed } from "../field-management.ts";

type Answers = Map<string, unknown> | undefined;
type Fields = { readonly [field: string]: JsonValue };
type Webhook = NonNullable<CustomResourceConversion["webhook"]>;

/** Of all calls of this kind. */
const timeoutSeconds = 30;

/** Undefined where versions differ in nothing but their name. */
export function converterOf({ metadata, spec }: Crd, calls: () => WebhookCalls): Converter | undefined {
  const { conversion, group, versions } = spec;
  if (conversion?.strategy !== "Webhook" || conversion.webhook === undefined) return undefined;
  const storage = versions.find((version) => version.storage)?.name ?? "";
  return new WebhookConverter(metadata.name, `${group}/${storage}`, conversion.webhook, calls);
}

class WebhookConverter implements Converter {
  readonly storageVersion: string;
  readonly #name: string;
  readonly #webhook: Webhook;
  readonly #calls: () => WebhookCalls;

  constructor(name: string, storageVersion: string, webhook: Webhook, calls: () => WebhookCalls) {
    this.#name = name;
    this.storageVersion = storageVersion;
    this.#webhook = webhook;
    this.#calls = calls;
  }

  require(objects: readonly KubeObject[], apiVersion: string, answers: Answers): void {
    const asked = { answers: answers as WebhookAnswers | undefined };
    const open = objects
      .filter((object) => object.apiVersion !== apiVersion)
      .map((object) => this.#call(object, apiVersion))
      .filter((call) => this.#calls().answerTo(asked, call) === undefined);
    if (open.length > 0) throw this.#calls().ask(asked, open);
  }

  convert(object: KubeObject, apiVersion: string, answers: Answers): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    const asked = { answers: answers as WebhookAnswers | undefined };
    const call = this.#call(object, apiVersion);
    const answer = this.#calls().answerTo(asked, call);
    if (answer === undefined) throw this.#calls().ask(asked, [call]);
    return convertedObject(object, apiVersion, answer, this.#reviewVersion);
  }

  get #reviewVersion(): string {
    return this.#webhook.conversionReviewVersions.find((one) => one === "v1" || one === "v1beta1") ?? "";
  }

  #call(object: KubeObject, apiVersion: string): ReviewCall {
    const version = this.#reviewVersion;
    if (version === "") throw failure("no supported conversion review versions");
    return {
      key: `conversion\n${this.#name}\n${apiVersion}\n${contentOf(object)}`,
      meanwhile: `conversion webhook for ${kindOf(object)} failed: it has not answered yet`,
      clientConfig: this.#webhook.clientConfig ?? {},
      timeoutSeconds,
      failurePrefix: "",
      body: (uid) => ({
        kind: "ConversionReview",
        apiVersion: `apiextensions.k8s.io/${version}`,
        request: { uid, desiredAPIVersion: apiVersion, objects: [managed(object) as JsonValue] },
        response: { uid: "", convertedObjects: null, result: { metadata: {} } },
      }),
    };
  }
}

/** What a webhook may look at, but for what each try of a request makes anew: by it an answer is found again. */
function contentOf({ metadata, ...content }: KubeObject): string {
  const { name = "", namespace = "", labels = {}, annotations = {} } = metadata;
  return writeCompactJson([name, namespace, labels, annotations, content as JsonValue] as JsonValue);
}

function kindOf({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion}, Kind=${kind}`;
}

/** As the Status of an error that is none of the API's. */
function failure(message: string): ApiError {
  return new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code: 500 });
}

/** Throws ApiError for an answer that is none. */
function convertedObject(from: KubeObject, apiVersion: string, answer: WebhookAnswer, version: string): KubeObject {
  const subject = `conversion webhook for ${kindOf(from)}`;
  const objects = "failure" in answer ? answer.failure : convertedObjects(answer, version);
  if (typeof objects === "string") throw failure(`${subject} failed: ${objects}`);
  if (objects.length !== 1) throw failure(`${subject} returned ${objects.length} objects, expected 1`);
  const [made] = objects;
  if (!isObject(made) || typeof made["kind"] !== "string") {
    throw failure(`Object 'Kind' is missing in '${writeCompactJson(made ?? null)}'`);
  }
  const found = typeof made["apiVersion"] === "string" ? made["apiVersion"] : "";
  const invalid = `${subject} returned invalid object`;
  if (found !== apiVersion) {
    throw failure(`${invalid} at index 0: invalid groupVersion (expected ${apiVersion}, received ${found})`);
  }
  if (made["kind"] !== from.kind) {
    throw failure(`${invalid} at index 0: invalid kind (expected ${from.kind}, received ${made["kind"]})`);
  }
  const metadata = isObject(made["metadata"]) ? made["metadata"] : {};
  for (const [name, word] of [
    ["name", "name"],
    ["namespace", "namespace"],
  ] as const) {
    const [expected, received] = [from.metadata[name] ?? "", metadata[name] ?? ""];
    if (expected !== received) throw failure(`${invalid}: must have the same ${word}: ${expected} != ${String(received)}`);
  }
  return { ...(made as JsonValue as KubeObject), metadata: restored(from.metadata, made["metadata"], subject) };
}

/** The objects of a review, or what is wrong with it. The uid belongs to the try in which it was asked. */
function convertedObjects(
  { uid, review }: Extract<WebhookAnswer, { readonly uid: string }>,
  version: string,
): readonly JsonValue[] | string {
  const { kind, apiVersion, response } = review;
  const expected = `apiextensions.k8s.io/${version}`;
  if (version === "v1" && (kind !== "ConversionReview" || apiVersion !== expected)) {
    return `expected webhook response of ${expected}, Kind=ConversionReview, got ${String(apiVersion ?? "")}, Kind=${String(kind)}`;
  }
  if (!isObject(response)) return "no response provided";
  if (version === "v1" && response["uid"] !== uid) {
    return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response["uid"] ?? "")}`;
  }
  const { status = "", message = "" } = (isObject(response["result"]) ? response["result"] : {}) as Fields;
  if (status !== "Success")
    return message === "" ? `response.result.status was '${String(status)}', not 'Success'` : String(message);
  const objects = response["convertedObjects"];
  return Array.isArray(objects) ? objects : [];
}

/** Only labels and annotations are the webhook's to change. Throws ApiError. */
function restored(original: ObjectMeta, converted: JsonValue | undefined, subject: string): ObjectMeta {
  const refuse = (cause: string): ApiError => failure(`${subject} returned invalid metadata: ${cause}`);
  if (converted === undefined) throw refuse("missing metadata in converted object");
  if (!isObject(converted)) throw refuse(`invalid metadata of type ${goType(converted)} in converted object`);
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  const result: { -readonly [name in keyof ObjectMeta]: ObjectMeta[name] } = { ...kept };
  for (const name of ["labels", "annotations"] as const) {
    const given = converted[name];
    if (given === undefined || given === null) continue;
    if (!isObject(given)) throw refuse(`invalid metadata.${name} of type ${goType(given)} in converted object`);
    for (const [key, value] of Object.entries(given)) {
      if (typeof value !== "string") {
        throw refuse(`metadata.${name}[${key}] must be a string, but is ${goType(value)} in converted object`);
      }
    }
    const texts = given as { readonly [key: string]: string };
    const errors = new FieldErrors();
    if (name === "labels") validateLabelMap(texts, field("metadata", "labels"), errors);
    else validateAnnotations(texts, field("metadata", "annotation"), errors);
    if (!errors.isEmpty) throw refuse(aggregateText(errors.causes.map(({ field: at = "", message }) => `${at}: ${message}`)));
    result[name] = texts;
  }
  return result;
}

function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  const types: { readonly [kind: string]: string } = {
    string: "string",
    number: "int64",
    bool: "bool",
    array: "[]interface {}",
    object: "map[string]interface {}",
  };
  return types[jsonKind(value)] ?? "";
}
