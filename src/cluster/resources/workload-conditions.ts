// What a list of conditions must be, of kinds that use metav1's own type (apimachinery's ValidateConditions).

import type { Condition } from "#cluster/api/generated/types.ts";
import { qualifiedNameReasons, regexReason } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "./field-errors.ts";

const statuses = ["False", "True", "Unknown"];
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;
const reasonPattern = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonRegex = new RegExp(`^${reasonPattern}$`);
const reasonFault = regexReason(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  "my_name",
  "MY_NAME",
  "MyName",
  "ReasonA,ReasonB",
  "ReasonA:ReasonB",
);

export function validateConditions(conditions: readonly Condition[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = path.index(index);
    const { type = "", status = "", observedGeneration = 0, lastTransitionTime, reason = "", message = "" } = condition;
    if (seen.has(type)) errors.duplicate(at.child("type"), type);
    seen.add(type);
    for (const fault of qualifiedNameReasons(type)) errors.invalid(at.child("type"), type, fault);
    if (!statuses.includes(status)) errors.notSupported(at.child("status"), status, statuses);
    if (observedGeneration < 0) {
      errors.invalid(at.child("observedGeneration"), observedGeneration, "must be greater than or equal to zero");
    }
    if (!lastTransitionTime) errors.required(at.child("lastTransitionTime"));
    if (reason === "") errors.required(at.child("reason"));
    else {
      if (!reasonRegex.test(reason)) errors.invalid(at.child("reason"), reason, reasonFault);
      if (reason.length > maxReasonBytes) errors.tooLong(at.child("reason"), maxReasonBytes);
    }
    if (message.length > maxMessageBytes) errors.tooLong(at.child("message"), maxMessageBytes);
  }
}
