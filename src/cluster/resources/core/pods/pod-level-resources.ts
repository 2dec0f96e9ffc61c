// Requests and limits of a pod as a whole: what they must be beside those of its containers, and what they are when left
// out (pkg/apis/core/validation: validatePodResources; pkg/apis/core/v1/defaults.go; component-helpers/resource).

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { addQuantities, compareQuantities, formatQuantity, type Quantity, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import {
  isHugePages,
  mayBeOvercommitted,
  type ResourceNameRule,
  validateResourceName,
  validateResources,
} from "./container-resources-validation.ts";

type Amounts = Map<string, Quantity>;
type ResourceList = { readonly [name: string]: string };

function isPodLevel(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

const podResourceName: ResourceNameRule = (name, path, errors) => {
  if (validateResourceName(name, path, errors) && !isPodLevel(name))
    errors.notSupported(path, name, ["cpu", "hugepages-", "memory"]);
};

export function validatePodResources(spec: PodSpec, claims: ReadonlySet<string>, path: Path, errors: FieldErrors): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const at = path.child("resources");
  if (spec.os?.name === "windows") {
    errors.forbidden(at, "may not be set for a windows pod");
    return;
  }
  if (resources.claims !== undefined) errors.forbidden(at.child("claims"), "claims may not be set for Resources at pod-level");
  validateResources(resources, claims, at, errors, podResourceName);
  const { requests = {}, limits = {} } = resources;
  for (const [name, sum] of sumOfContainers(spec, "requests")) {
    refuseBelow(requests[name], sum, at.child("requests").key(name), "requests", errors);
  }
  for (const [name, sum] of sumOfContainers(spec, "limits")) {
    if (isHugePages(name)) refuseBelow(limits[name], sum, at.child("limits").key(name), "limits", errors);
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, text] of Object.entries(container.resources?.limits ?? {})) {
      const [limit, whole] = [tryParseQuantity(text), tryParseQuantity(limits[name] ?? "")];
      if (limit === undefined || whole === undefined || compareQuantities(limit, whole) <= 0) continue;
      const place = at.child("containers").index(index).key(name).child("limits");
      errors.invalid(place, formatQuantity(limit), `must be less than or equal to pod limits of ${formatQuantity(whole)}`);
    }
  }
}

function refuseBelow(text: string | undefined, sum: Quantity, path: Path, what: string, errors: FieldErrors): void {
  const own = text === undefined ? undefined : tryParseQuantity(text);
  if (own === undefined || compareQuantities(sum, own) <= 0) return;
  const detail = `must be greater than or equal to aggregate container ${what} of ${formatQuantity(sum)}`;
  errors.invalid(path, formatQuantity(own), detail);
}

/** What the containers need at the same time: all that keep running, or more while an init container runs. */
function sumOfContainers(spec: PodSpec, which: "requests" | "limits"): Amounts {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) add(total, amountsOf(container, which));
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const own = new Map(amountsOf(container, which));
    if (container.restartPolicy === "Always") {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      add(own, sidecars);
      raise(starting, own);
    }
  }
  raise(total, starting);
  return total;
}

function amountsOf(container: Container, which: "requests" | "limits"): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(container.resources?.[which] ?? {})) {
    const quantity = tryParseQuantity(text);
    if (quantity !== undefined) amounts.set(name, quantity);
  }
  return amounts;
}

function add(total: Amounts, more: Amounts): void {
  for (const [name, quantity] of more) {
    const before = total.get(name);
    total.set(name, before === undefined ? quantity : addQuantities(before, quantity));
  }
}

function raise(total: Amounts, floor: Amounts): void {
  for (const [name, quantity] of floor) {
    const before = total.get(name);
    if (before === undefined || compareQuantities(before, quantity) < 0) total.set(name, quantity);
  }
}

const nothing: ResourceList = {};

/** Where a pod says something of its resources, the rest follows from its containers and limits. */
export function podLevelDefaults(spec: PodSpec): PodSpec {
  const { resources } = spec;
  if (resources === undefined) return spec;
  const { limits: givenLimits = nothing, requests: givenRequests = nothing } = resources;
  const limits = hugePageLimits(spec, givenLimits, givenRequests);
  const requests = podRequests(spec, limits, givenRequests);
  if (limits === givenLimits && requests === givenRequests) return spec;
  return {
    ...spec,
    resources: {
      ...resources,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(Object.keys(requests).length === 0 ? {} : { requests }),
    },
  };
}

function hugePageLimits(spec: PodSpec, limits: ResourceList, requests: ResourceList): ResourceList {
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return limits;
  let result = limits;
  for (const [name, sum] of sumOfContainers(spec, "limits")) {
    if (!isHugePages(name) || requests[name] !== undefined || limits[name] !== undefined) continue;
    result = { ...result, [name]: formatQuantity(sum) };
  }
  return result;
}

function podRequests(spec: PodSpec, limits: ResourceList, requests: ResourceList): ResourceList {
  if (Object.keys(limits).length === 0) return requests;
  let result = requests;
  for (const [name, sum] of sumOfContainers(spec, "requests")) {
    if (result[name] !== undefined || !isPodLevel(name) || !mayBeOvercommitted(name)) continue;
    result = { ...result, [name]: formatQuantity(sum) };
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (result[name] === undefined && isPodLevel(name)) result = { ...result, [name]: limit };
  }
  return result;
}
