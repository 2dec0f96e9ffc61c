// What an Ingress must be (pkg/apis/networking/validation).

import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
} from "#cluster/api/generated/types.ts";
import { parseIp } from "#cluster/api/ip-text.ts";
import { dns1123SubdomainReasons, portNameReasons, portNumberReasons, wildcardSubdomainReasons } from "#cluster/api/names.ts";
import { FieldErrors, field, type Path } from "../field-errors.ts";
import { labelName, subdomainName } from "../name-rules.ts";
import { validateTypedReference } from "./typed-reference.ts";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
const refusedSequences = ["//", "/./", "/../", "%2f", "%2F"];
const refusedEnds = ["/..", "/."];
const specPath = field("spec");

/** Faults that the old object had already are let be: names of Secrets, rules of wildcard hosts. */
export function validateIngress(spec: IngressSpec, errors: FieldErrors, old?: IngressSpec): void {
  const { rules, defaultBackend, tls = [], ingressClassName } = spec;
  if ((rules?.length ?? 0) === 0 && defaultBackend === undefined) {
    errors.invalid(specPath, rules, "either `defaultBackend` or `rules` must be specified");
  }
  if (defaultBackend !== undefined) validateBackend(defaultBackend, specPath.child("defaultBackend"), errors);
  for (const [index, rule] of (rules ?? []).entries()) {
    validateRule(rule, specPath.child("rules").index(index), errors, hasFaultyWildcard(old));
  }
  for (const [index, entry] of tls.entries()) validateTls(entry, specPath.child("tls").index(index), errors, hasFaultySecret(old));
  if (ingressClassName !== undefined) {
    for (const reason of subdomainName(ingressClassName, false)) {
      errors.invalid(specPath.child("ingressClassName"), ingressClassName, reason);
    }
  }
}

function validateRule({ host, http }: IngressRule, path: Path, errors: FieldErrors, lenient: boolean): void {
  const wildcard = host?.includes("*") === true;
  if (host) {
    if (parseIp(host) !== undefined) errors.invalid(path.child("host"), host, "must be a DNS name, not an IP address");
    const reasons = wildcard ? wildcardSubdomainReasons(host) : dns1123SubdomainReasons(host);
    for (const reason of reasons) errors.invalid(path.child("host"), host, reason);
  }
  if (http === undefined || (wildcard && lenient)) return;
  const pathsPath = path.child("http", "paths");
  const paths = http.paths ?? [];
  if (paths.length === 0) errors.required(pathsPath);
  for (const [index, one] of paths.entries()) validatePath(one, pathsPath.index(index), errors);
}

function validatePath({ path: text = "", pathType, backend }: HTTPIngressPath, at: Path, errors: FieldErrors): void {
  if (pathType === undefined) {
    errors.required(at.child("pathType"), "pathType must be specified");
    return;
  }
  const strict = pathType === "Exact" || pathType === "Prefix";
  if (!pathTypes.includes(pathType)) errors.notSupported(at.child("pathType"), pathType, pathTypes);
  else if (!text.startsWith("/") && (strict || text !== "")) errors.invalid(at.child("path"), text, "must be an absolute path");
  if (strict) {
    for (const sequence of refusedSequences) {
      if (text.includes(sequence)) errors.invalid(at.child("path"), text, `must not contain '${sequence}'`);
    }
    for (const end of refusedEnds) if (text.endsWith(end)) errors.invalid(at.child("path"), text, `cannot end with '${end}'`);
  }
  validateBackend(backend ?? {}, at.child("backend"), errors);
}

function validateBackend({ resource, service }: IngressBackend, path: Path, errors: FieldErrors): void {
  if (resource !== undefined && service !== undefined) errors.invalid(path, "", "cannot set both resource and service backends");
  else if (resource !== undefined) validateTypedReference(resource, path.child("resource"), errors);
  else if (service !== undefined) validateServiceBackend(service, path, errors);
  else errors.invalid(path, "", "resource or service backend is required");
}

function validateServiceBackend({ name = "", port = {} }: IngressServiceBackend, path: Path, errors: FieldErrors): void {
  const namePath = path.child("service", "name");
  if (name === "") errors.required(namePath);
  // The relaxed rule for names of Services (v1.36).
  else for (const reason of labelName(name, false)) errors.invalid(namePath, name, reason);
  const portPath = path.child("service", "port");
  if (port.name && port.number) errors.invalid(path, "", "cannot set both port name & port number");
  else if (port.name) for (const reason of portNameReasons(port.name)) errors.invalid(portPath.child("name"), port.name, reason);
  else if (port.number) {
    for (const reason of portNumberReasons(port.number)) errors.invalid(portPath.child("number"), port.number, reason);
  } else errors.required(path, "port name or number is required");
}

function validateTls({ hosts = [], secretName = "" }: IngressTLS, path: Path, errors: FieldErrors, lenient: boolean): void {
  for (const [index, host] of hosts.entries()) {
    const reasons = host.includes("*") ? wildcardSubdomainReasons(host) : dns1123SubdomainReasons(host);
    for (const reason of reasons) errors.invalid(path.child("hosts").index(index), host, reason);
  }
  if (secretName === "" || lenient) return;
  for (const reason of subdomainName(secretName, false)) errors.invalid(path.child("secretName"), secretName, reason);
}

function hasFaultySecret(old: IngressSpec | undefined): boolean {
  return old?.tls?.some(({ secretName }) => secretName && subdomainName(secretName, false).length > 0) === true;
}

function hasFaultyWildcard(old: IngressSpec | undefined): boolean {
  return (
    old?.rules?.some((rule) => {
      if (rule.host?.includes("*") !== true) return false;
      const { host: _host, ...value } = rule;
      const errors = new FieldErrors();
      validateRule(value, specPath, errors, false);
      return !errors.isEmpty;
    }) === true
  );
}
