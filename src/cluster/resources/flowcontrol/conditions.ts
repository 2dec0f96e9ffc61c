// Conditions of flow schemas and priority levels: each type once, none without a name.

import { type FieldErrors, field } from "../field-errors.ts";

export function validateConditions(conditions: readonly { readonly type?: string }[] = [], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { type = "" }] of conditions.entries()) {
    const path = field("status", "conditions").index(index).child("type");
    if (seen.has(type)) errors.duplicate(path, type);
    seen.add(type);
    if (type === "") errors.required(path, "must not be empty");
  }
}
