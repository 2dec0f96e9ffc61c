import type { Secret } from "#cluster/api/generated/types.ts";
import { secrets as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { filled, withoutZero } from "../../filling.ts";
import { validateUnchanged } from "../../workload-validation.ts";
import { latePodRules } from "../pods/late-pod-rules.ts";
import { base64OfText } from "./base64.ts";
import { validateImmutable } from "./data-validation.ts";
import { validateSecret } from "./secret-validation.ts";

export const secrets = defineResource(type, {
  selectableFields: {
    type: (secret) => secret.type ?? "",
  },
  defaults: (secret) => filled(withoutZero(mergeStringData(secret), "type"), { type: "Opaque" }),
  validate: validateSecret,
  validateUpdate: (secret, old, errors) => {
    validateUnchanged(secret.type, old.type, field("type"), errors);
    validateImmutable(secret, old, ["data"], errors);
    validateSecret(secret, errors);
  },
  warnings: (secret) => (secret.type === "kubernetes.io/tls" ? latePodRules.code.keyPairWarnings(secret) : []),
  columns: [
    nameColumn,
    column("Type", "Used to facilitate programmatic handling of secret data."),
    column("Data", "Data contains the secret data."),
    ageColumn,
  ],
  row: (secret, context) => [nameCell(secret), secret.type ?? "", Object.keys(secret.data ?? {}).length, ageCell(secret, context)],
});

/** `stringData` is for writing only: its values go to `data`, in base64. */
function mergeStringData<S extends Typed<Secret>>(secret: S): S {
  const { stringData, ...rest } = secret;
  if (stringData === undefined) return secret;
  const encoded = Object.fromEntries(Object.entries(stringData).map(([key, text]) => [key, base64OfText(text)]));
  return { ...rest, data: { ...secret.data, ...encoded } } as S;
}
