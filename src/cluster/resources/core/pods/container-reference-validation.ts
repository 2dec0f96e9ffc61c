// References from a container's environment or a volume's files to fields of the pod and resources of containers
// (pkg/apis/core/validation: validateObjectFieldSelector, validateContainerResourceFieldSelector; pkg/apis/core/pods).

import type { ObjectFieldSelector, ResourceFieldSelector } from "#cluster/api/generated/types.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { formatQuantity, isZeroQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";

/** What environment variables may refer to, sorted as messages list them. */
export const environmentFieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

export const volumeFieldPaths = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

const convertible = new Set([
  ...environmentFieldPaths,
  ...volumeFieldPaths,
  "spec.host",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

export function validateFieldReference(
  { apiVersion = "", fieldPath = "" }: ObjectFieldSelector,
  supported: readonly string[],
  path: Path,
  errors: FieldErrors,
): void {
  const at = path.child("fieldPath");
  if (apiVersion === "") {
    errors.required(path.child("apiVersion"));
    return;
  }
  if (fieldPath === "") {
    errors.required(at);
    return;
  }
  const fault = (detail: string) => errors.invalid(at, fieldPath, `error converting fieldPath: ${detail}`);
  if (apiVersion !== "v1") {
    fault(`unsupported pod version: ${apiVersion}`);
    return;
  }
  const subscripted = /^(.+?)\['(.*)'\]$/s.exec(fieldPath);
  if (subscripted === null) {
    if (!convertible.has(fieldPath)) fault(`field label not supported: ${fieldPath}`);
    else {
      const target = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
      if (!supported.includes(target)) errors.notSupported(at, target, supported);
    }
    return;
  }
  const [, target, key = ""] = subscripted;
  if (target === "metadata.annotations") validateBy(qualifiedNameReasons, asciiLowerCase(key), path, errors);
  else if (target === "metadata.labels") validateBy(qualifiedNameReasons, key, path, errors);
  else fault(`field label does not support subscript: ${fieldPath}`);
}

const resources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const byteDivisors = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** `named`: a volume's file must say which container it means. */
export function validateResourceReference(reference: ResourceFieldSelector, named: boolean, path: Path, errors: FieldErrors): void {
  const { containerName = "", resource = "", divisor } = reference;
  const isHugePages = /^(requests|limits)\.hugepages-/.test(resource);
  if (named && containerName === "") errors.required(path.child("containerName"));
  else if (resource === "") errors.required(path.child("resource"));
  else if (!resources.includes(resource) && !isHugePages) errors.notSupported(path.child("resource"), resource, resources);
  const unit = divisor === undefined ? undefined : tryParseQuantity(divisor);
  if (unit === undefined || isZeroQuantity(unit)) return;
  const text = formatQuantity(unit);
  const refuse = (values: string, kind: string) =>
    errors.invalid(path.child("divisor"), resource, `only divisor's values ${values} are supported with the ${kind} resource`);
  if (resource.endsWith(".cpu")) {
    if (text !== "1" && text !== "1m") refuse("1m and 1", "cpu");
  } else if (!byteDivisors.includes(text)) {
    if (resource.endsWith(".memory")) refuse(byteDivisors.join(", "), "memory");
    else if (resource.endsWith(".ephemeral-storage")) refuse(byteDivisors.join(", "), "local ephemeral storage");
    else if (isHugePages) refuse(byteDivisors.join(", "), "hugepages");
  }
}
