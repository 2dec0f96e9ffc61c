// What a Secret must be: keys, size, and what its type asks for (pkg/apis/core/validation: ValidateSecret).

import type { Secret } from "#cluster/api/generated/types.ts";
import { JsonSyntaxError, parseJson } from "#cluster/api/json-text.ts";
import { jsonKind } from "#cluster/api/wire.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field } from "../../field-errors.ts";
import { encodedBytes, maxDataBytes, validateKeys } from "./data-validation.ts";

const dataPath = field("data");
const accountAnnotation = "kubernetes.io/service-account.name";

/** Keys that must be there, by type. */
const requiredKeys: { readonly [type: string]: readonly string[] } = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};
/** The key whose value must be a JSON object. */
const jsonKeys: { readonly [type: string]: string } = {
  "kubernetes.io/dockercfg": ".dockercfg",
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
};

export function validateSecret(secret: Typed<Secret>, errors: FieldErrors): void {
  const { data = {}, type = "", metadata } = secret;
  validateKeys(data, dataPath, errors);
  if (encodedBytes(data) > maxDataBytes) errors.tooLong(dataPath, maxDataBytes);
  const has = (key: string): boolean => Object.hasOwn(data, key);
  if (type === "kubernetes.io/service-account-token" && !metadata.annotations?.[accountAnnotation]) {
    errors.required(field("metadata", "annotations").key(accountAnnotation));
  }
  const jsonKey = jsonKeys[type];
  if (jsonKey !== undefined) {
    const fault = has(jsonKey) ? jsonFault(data[jsonKey] as string) : undefined;
    if (!has(jsonKey)) errors.required(dataPath.key(jsonKey));
    else if (fault !== undefined) errors.invalid(dataPath.key(jsonKey), "<secret contents redacted>", fault);
  }
  if (type === "kubernetes.io/basic-auth" && !has("username") && !has("password")) {
    errors.required(dataPath.key("username"));
    errors.required(dataPath.key("password"));
  }
  if (type === "kubernetes.io/ssh-auth" && !data["ssh-privatekey"]) errors.required(dataPath.key("ssh-privatekey"));
  for (const key of requiredKeys[type] ?? []) if (!has(key)) errors.required(dataPath.key(key));
}

/** What Go's decoder says of a value that is to be an object. */
function jsonFault(encoded: string): string | undefined {
  try {
    const { value } = parseJson(decodeUtf8(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))));
    if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
    return `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
