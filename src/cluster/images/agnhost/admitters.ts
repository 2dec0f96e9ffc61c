// What agnhost's webhook decides at each of its paths.

import { encodeBase64 } from "#sim/base64.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { goJson } from "./go-words.ts";

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

interface Named {
  readonly name?: string;
}

/** An object as far as any of the rules looks at it. */
interface Reviewed {
  readonly metadata?: { readonly name?: string; readonly labels?: { readonly [label: string]: string } | null };
  readonly data?: { readonly [key: string]: unknown } | null;
  readonly spec?: { readonly containers?: readonly Named[] | null; readonly initContainers?: readonly Named[] | null };
  /** Of PodAttachOptions. */
  readonly stdin?: boolean;
  readonly container?: string;
}

export interface AdmissionRequest {
  readonly uid?: string;
  readonly operation?: string;
  readonly name?: string;
  readonly resource?: Resource;
  readonly subResource?: string;
  readonly object?: Reviewed | null;
  readonly oldObject?: Reviewed | null;
}

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly [key: string]: string | number | { readonly [key: string]: string } };
  /** Base64. */
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
}

/** No answer at all, none that could be written, or one after a while. */
export interface Admitted {
  readonly delayMs?: number;
  readonly answer: Response | "never" | "broken";
}

export type Note = (where: string, text: string) => void;
export type Admit = (request: AdmissionRequest, note: Note) => Admitted;

const podsResource: Resource = { group: "", version: "v1", resource: "pods" };
const allowed: Admitted = { answer: { allowed: true } };
const delayMs = 5000;

function answering(allowedToo: boolean, status: Response["status"]): Admitted {
  return { answer: { allowed: allowedToo, status: { metadata: {}, ...status } } };
}

function patching(operations: readonly { readonly [key: string]: unknown }[]): Admitted {
  const patch = encodeBase64(encodeUtf8(goJson(operations as Parameters<typeof goJson>[0])));
  return { answer: { allowed: true, patch, patchType: "JSONPatch" } };
}

function isResource(found: Resource | undefined, group: string, versions: readonly string[], resource: string): boolean {
  return found?.group === group && versions.includes(found.version) && found.resource === resource;
}

function words({ group = "", version = "", resource = "" }: Partial<Resource> = {}): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** By path. */
export function admitters(sidecarImage: string): { readonly [path: string]: Admit } {
  return {
    "/always-allow-delay-5s": () => ({ ...answering(true, { message: "this webhook allows all requests" }), delayMs }),
    "/always-deny": (_request, note) => {
      note("alwaysdeny.go:27", "calling always-deny");
      return answering(false, { message: "this webhook denies all requests" });
    },
    "/add-label": addLabel,
    "/pods": admitPods,
    "/pods/attach": denyAttachment,
    "/mutating-pods": (request, note) =>
      patchPod(request, note, (pod) =>
        pod.metadata?.name !== "webhook-to-be-mutated" || has(pod.spec?.initContainers, "webhook-added-init-container")
          ? undefined
          : {
              op: "add",
              path: "/spec/initContainers",
              value: [{ image: "webhook-added-image", name: "webhook-added-init-container", resources: {} }],
            },
      ),
    "/mutating-pods-sidecar": (request, note) => {
      if (sidecarImage === "")
        return answering(false, {
          status: "Failure",
          message: "No image specified by the sidecar-image parameter",
          code: 500,
        });
      return patchPod(request, note, (pod) =>
        has(pod.spec?.containers, "webhook-added-sidecar")
          ? undefined
          : {
              op: "add",
              path: "/spec/containers/-",
              value: { image: sidecarImage, name: "webhook-added-sidecar", resources: {} },
            },
      );
    },
    "/configmaps": (request, note) => {
      note("configmap.go:38", "admitting configmaps");
      if (!isResource(request.resource, "", ["v1"], "configmaps")) return { answer: "broken" };
      return admitData(request, "the configmap contains unwanted key and value", "the configmap");
    },
    "/mutating-configmaps": (request, note) => {
      note("configmap.go:82", "mutating configmaps");
      if (!isResource(request.resource, "", ["v1"], "configmaps")) return { answer: "broken" };
      return patchData(request);
    },
    "/custom-resource": (request, note) => {
      note("customresource.go:69", "admitting custom resource");
      return admitData(request, "the custom resource contains unwanted data", "the custom resource");
    },
    "/mutating-custom-resource": (request, note) => {
      note("customresource.go:36", "mutating custom resource");
      return patchData(request);
    },
    "/crd": admitDefinition,
  };
}

function addLabel({ object }: AdmissionRequest, note: Note): Admitted {
  note("addlabel.go:40", "calling add-label");
  const labels = object?.metadata?.labels ?? {};
  if (Object.keys(labels).length === 0) return patching([{ op: "add", path: "/metadata/labels", value: { "added-label": "yes" } }]);
  const label = labels["added-label"];
  if (label === "yes") return allowed;
  return patching([{ op: label === undefined ? "add" : "replace", path: "/metadata/labels/added-label", value: "yes" }]);
}

function admitPods({ resource, object }: AdmissionRequest, note: Note): Admitted {
  note("pods.go:44", "admitting pods");
  if (!isResource(resource, "", ["v1"], "pods")) return podsOnly();
  const label = object?.metadata?.labels?.["webhook-e2e-test"];
  if (label === "wait-forever") return { answer: "never" };
  const reasons: string[] = [];
  if (label === "webhook-disallow") reasons.push("the pod contains unwanted label;");
  for (const { name = "" } of object?.spec?.containers ?? [])
    if (name.includes("webhook-disallow")) reasons.push("the pod contains unwanted container name;");
  return reasons.length === 0 ? allowed : answering(false, { message: reasons.join(" ") });
}

function podsOnly(): Admitted {
  return answering(false, { message: `expect resource to be ${words(podsResource)}` });
}

function denyAttachment({ resource, subResource = "", name, object }: AdmissionRequest, note: Note): Admitted {
  note("pods.go:146", "handling attaching pods");
  if (name !== "to-be-attached-pod") return allowed;
  if (!isResource(resource, "", ["v1"], "pods"))
    return answering(false, { message: `expect resource to be ${words(podsResource)}, got ${words(resource)}` });
  if (subResource !== "attach") return answering(false, { message: `expect subresource to be attach, got ${subResource}` });
  if (object?.stdin !== true || object.container !== "container1") return allowed;
  return answering(false, { message: "attaching to pod 'to-be-attached-pod' is not allowed" });
}

function has(containers: readonly Named[] | null | undefined, name: string): boolean {
  return (containers ?? []).some((container) => container.name === name);
}

function patchPod(
  { resource, object }: AdmissionRequest,
  note: Note,
  operationOf: (pod: Reviewed) => { readonly [key: string]: unknown } | undefined,
): Admitted {
  note("pods.go:121", "mutating pods");
  if (!isResource(resource, "", ["v1"], "pods")) return { answer: "broken" };
  const operation = operationOf(object ?? {});
  return operation === undefined ? allowed : patching([operation]);
}

function admitData({ operation, object, oldObject }: AdmissionRequest, unwanted: string, what: string): Admitted {
  const value = (operation === "DELETE" ? oldObject : object)?.data?.["webhook-e2e-test"];
  if (value === "webhook-disallow" && (operation === "CREATE" || operation === "UPDATE"))
    return answering(false, { reason: unwanted });
  if (value === "webhook-nondeletable" && operation === "DELETE")
    return answering(false, { reason: `${what} cannot be deleted because it contains unwanted key and value` });
  return allowed;
}

function patchData({ object }: AdmissionRequest): Admitted {
  const stage = (number: number) => patching([{ op: "add", path: `/data/mutation-stage-${number}`, value: "yes" }]);
  if (object?.data?.["mutation-stage-1"] === "yes") return stage(2);
  return object?.data?.["mutation-start"] === "yes" ? stage(1) : allowed;
}

function admitDefinition({ resource, object }: AdmissionRequest, note: Note): Admitted {
  note("crd.go:30", "admitting crd");
  const [group, name] = ["apiextensions.k8s.io", "customresourcedefinitions"];
  if (!isResource(resource, group, ["v1", "v1beta1"], name)) {
    const [beta, stable] = ["v1beta1", "v1"].map((version) => words({ group, version, resource: name }));
    return answering(false, { message: `expect resource to be one of [${beta}, ${stable}] but got ${words(resource)}` });
  }
  if (object?.metadata?.labels?.["webhook-e2e-test"] !== "webhook-disallow") return allowed;
  return answering(false, { message: "the crd contains unwanted label" });
}
