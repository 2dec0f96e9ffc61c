// Writes the numbers that fields have in protobuf, for `cluster/api/protobuf/message-plan.ts`.

import type { FieldFact, TypeFact } from "./type-facts.ts";

/**
 * A line a type: the names of its fields in the order of their numbers, from 1 up; a number before a name is that name's.
 * Brackets hold the fields of a struct that JSON writes into its owner; a star marks a list that travels in a message of its own.
 */
export function fieldNumberTable(types: readonly TypeFact[]): string {
  return types
    .filter(({ fields }) => fields.some(({ number }) => number !== undefined))
    .map(({ model, fields }) =>
      `${model.name} ${layout(
        fields.filter(({ number }) => number !== undefined),
        0,
      )}`.trimEnd(),
    )
    .join("\n");
}

/** Of fields whose numbers are the same in their first `depth` parts. */
function layout(fields: readonly FieldFact[], depth: number): string {
  const byNumber = new Map<number, FieldFact[]>();
  for (const field of fields) {
    const number = Number(partsOf(field)[depth]);
    byNumber.set(number, [...(byNumber.get(number) ?? []), field]);
  }
  let expected = 1;
  const words: string[] = [];
  for (const [number, held] of [...byNumber].sort(([a], [b]) => a - b)) {
    if (number !== expected) words.push(String(number));
    const [first] = held as [FieldFact];
    const isStruct = partsOf(first).length > depth + 1;
    words.push(isStruct ? `(${layout(held, depth + 1)})` : `${first.name}${first.wrapped === true ? "*" : ""}`);
    expected = number + 1;
  }
  return words.join(" ");
}

function partsOf({ number = "" }: FieldFact): readonly string[] {
  return number.split(".");
}
