import type { IngressClass, IngressClassParametersReference } from "#cluster/api/generated/types.ts";
import { ingressClasses as type } from "#cluster/api/kinds.ts";
import { dns1123SubdomainReasons, regexReason } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { labelName } from "../name-rules.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { validateTypedReference } from "./typed-reference.ts";

const maxControllerLength = 250;
const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const specPath = field("spec");

export const ingressClasses = defineResource(type, {
  generationFields: ["spec"],
  defaults: (ingressClass) =>
    changed(ingressClass, "spec", (spec) => changed(spec, "parameters", (parameters) => filled(parameters, { scope: "Cluster" }))),
  validate,
  validateUpdate: (ingressClass, old, errors) => {
    validateUnchanged(ingressClass.spec?.controller, old.spec?.controller, specPath.child("controller"), errors);
    validate(ingressClass, errors);
  },
  columns: [
    nameColumn,
    column("Controller", "Controller that is responsible for handling this class"),
    column("Parameters", "A reference to a resource with additional parameters"),
    ageColumn,
  ],
  row: (ingressClass, context) => [
    nameCell(ingressClass),
    ingressClass.spec?.controller ?? "",
    parametersCell(ingressClass.spec?.parameters),
    ageCell(ingressClass, context),
  ],
});

function validate({ spec = {} }: Typed<IngressClass>, errors: FieldErrors): void {
  const { controller = "", parameters } = spec;
  const path = specPath.child("controller");
  if (controller.length > maxControllerLength) errors.tooLong(path, maxControllerLength);
  validateDomainPrefixedPath(controller, path, errors);
  if (parameters === undefined) return;
  const at = specPath.child("parameters");
  validateTypedReference(parameters, at, errors);
  const { scope, namespace } = parameters;
  if (scope === undefined) errors.required(at.child("scope"));
  else if (scope === "Namespace") {
    if (namespace === undefined) errors.required(at.child("namespace"), "`parameters.scope` is set to 'Namespace'");
    else for (const reason of labelName(namespace, false)) errors.invalid(at.child("namespace"), namespace, reason);
  } else if (scope === "Cluster") {
    if (namespace !== undefined) errors.forbidden(at.child("namespace"), "`parameters.scope` is set to 'Cluster'");
  } else errors.notSupported(at.child("scope"), scope, ["Cluster", "Namespace"]);
}

/** `acme.io/foo` */
function validateDomainPrefixedPath(value: string, path: Path, errors: FieldErrors): void {
  if (value === "") {
    errors.required(path);
    return;
  }
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash <= 0 || rest === "") {
    errors.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  for (const reason of dns1123SubdomainReasons(host)) errors.invalid(path, host, reason);
  if (!new RegExp(`^${httpPath}$`).test(rest)) errors.invalid(path, rest, regexReason("Invalid path", httpPath));
}

function parametersCell(parameters: IngressClassParametersReference | undefined): string {
  if (parameters === undefined) return "<none>";
  const { kind, apiGroup, name } = parameters;
  return `${kind}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name}`;
}
