// What LimitRanges ask of Pods and claims: defaults and bounds.

import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { canonicalQuantity, compareQuantities, isZeroQuantity, parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { containerTotals } from "#cluster/quota/pod-totals.ts";
import type { ResourceList } from "#cluster/quota/resource-list.ts";

const annotation = "kubernetes.io/limit-ranger";

/** What of a Pod or a claim is out of bounds. */
export function limitFindings(kind: string, object: KubeObject, items: readonly LimitRangeItem[]): readonly string[] {
  return kind === "Pod" ? podFindings(object["spec"] as PodSpec, items) : claimFindings(object, items);
}

// Defaults.

/** A Pod with what one LimitRange gives to containers that say nothing. */
export function withLimitDefaults(pod: KubeObject, range: LimitRange): KubeObject {
  let requests: ResourceList = {};
  let limits: ResourceList = {};
  for (const item of range.spec?.limits ?? []) {
    if (item.type !== "Container") continue;
    requests = { ...requests, ...item.defaultRequest };
    limits = { ...limits, ...item.default };
  }
  const spec = pod["spec"] as PodSpec | undefined;
  if (spec === undefined) return pod;
  const notes: string[] = [];
  const complete = (container: Container, kind: string): Container =>
    withContainerDefaults(container, kind, requests, limits, notes);
  const containers = (spec.containers ?? []).map((container) => complete(container, "container"));
  const initContainers = spec.initContainers?.map((container) => complete(container, "init container"));
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: { ...spec, containers, ...(initContainers === undefined ? {} : { initContainers }) },
  };
}

function withContainerDefaults(
  container: Container,
  kind: string,
  requests: ResourceList,
  limits: ResourceList,
  notes: string[],
): Container {
  const own = container.resources ?? {};
  const newRequests = Object.keys(requests).filter((name) => own.requests?.[name] === undefined);
  const newLimits = Object.keys(limits).filter((name) => own.limits?.[name] === undefined);
  if (newRequests.length > 0) notes.push(`${newRequests.sort().join(", ")} request for ${kind} ${container.name}`);
  if (newLimits.length > 0) notes.push(`${newLimits.sort().join(", ")} limit for ${kind} ${container.name}`);
  if (newRequests.length === 0 && newLimits.length === 0) return container;
  return {
    ...container,
    resources: {
      ...own,
      ...(newLimits.length === 0 ? {} : { limits: { ...limits, ...own.limits } }),
      ...(newRequests.length === 0 ? {} : { requests: { ...requests, ...own.requests } }),
    },
  };
}

// Bounds.

function podFindings(spec: PodSpec, items: readonly LimitRangeItem[]): readonly string[] {
  const findings: string[] = [];
  for (const item of items) {
    if (item.type === "Container") {
      for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
        checkBounds(item, container.resources?.requests ?? {}, container.resources?.limits ?? {}, findings);
      }
    } else if (item.type === "Pod") {
      checkBounds(item, containerTotals(spec, "requests"), containerTotals(spec, "limits"), findings);
    }
  }
  return findings;
}

/** Of claims only what is asked for counts. */
function claimFindings(object: KubeObject, items: readonly LimitRangeItem[]): readonly string[] {
  const { spec } = object as PersistentVolumeClaim & KubeObject;
  const requests = spec?.resources?.requests ?? {};
  const findings: string[] = [];
  for (const item of items) {
    if (item.type !== "PersistentVolumeClaim") continue;
    checkEach(item.min, (name, bound) => belowMinimum(item.type, name, bound, requests[name], undefined), findings);
    checkEach(item.max, (name, bound) => aboveMaximumRequest(item.type, name, bound, requests[name]), findings);
  }
  return findings;
}

function checkBounds(item: LimitRangeItem, requests: ResourceList, limits: ResourceList, findings: string[]): void {
  const { type, min, max, maxLimitRequestRatio } = item;
  checkEach(min, (name, bound) => belowMinimum(type, name, bound, requests[name], limits[name]), findings);
  checkEach(max, (name, bound) => aboveMaximum(type, name, bound, requests[name], limits[name]), findings);
  checkEach(maxLimitRequestRatio, (name, bound) => aboveRatio(type, name, bound, requests[name], limits[name]), findings);
}

type Check = (name: string, bound: string) => string | undefined;

function checkEach(bounds: ResourceList | undefined, check: Check, findings: string[]): void {
  for (const name of Object.keys(bounds ?? {}).sort()) {
    const finding = check(name, String(bounds?.[name]));
    if (finding !== undefined) findings.push(finding);
  }
}

function belowMinimum(type: string, name: string, bound: string, request: Amount, limit: Amount): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${shown(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (compared(request, bound) < 0) return `${rule}, but request is ${shown(request)}`;
  if (limit !== undefined && compared(limit, bound) < 0) return `${rule}, but limit is ${shown(limit)}`;
  return undefined;
}

function aboveMaximum(type: string, name: string, bound: string, request: Amount, limit: Amount): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${shown(bound)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (compared(limit, bound) > 0) return `${rule}, but limit is ${shown(limit)}`;
  if (request !== undefined && compared(request, bound) > 0) return `${rule}, but request is ${shown(request)}`;
  return undefined;
}

function aboveMaximumRequest(type: string, name: string, bound: string, request: Amount): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${shown(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return compared(request, bound) > 0 ? `${rule}, but request is ${shown(request)}` : undefined;
}

function aboveRatio(type: string, name: string, bound: string, request: Amount, limit: Amount): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${shown(bound)}`;
  if (isNothing(request)) return `${rule}, but no request is specified or request is 0`;
  if (isNothing(limit)) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = milli(limit) / milli(request);
  return ratio * 1000 > milli(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

type Amount = string | undefined;

function isNothing(amount: Amount): amount is undefined {
  return amount === undefined || isZeroQuantity(parseQuantity(String(amount)));
}

function milli(amount: string): number {
  return quantityMilliValue(parseQuantity(String(amount)));
}

function compared(a: string, b: string): number {
  return compareQuantities(parseQuantity(String(a)), parseQuantity(String(b)));
}

function shown(amount: string): string {
  return canonicalQuantity(String(amount));
}
