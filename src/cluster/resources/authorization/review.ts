// What the kinds that are questions have in common: they are created, answered and forgotten.

import type { BuiltInType } from "#cluster/api/kinds.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type ResourceDefinition } from "../definition.ts";

export function defineReview<T>(type: BuiltInType<T>): ResourceDefinition {
  return defineResource<T>(type, {
    isReview: true,
    verbs: ["create"],
    columns: [nameColumn, createdAtColumn],
    row: (review) => [nameCell(review), createdAtCell(review)],
  });
}
