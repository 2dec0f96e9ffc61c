// How a type travels in protobuf: the numbers of its fields joined with what the cluster's schema says of them.

import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { fieldNumberTable } from "./generated/field-numbers.ts";

export type PlannedField =
  | {
      readonly number: number;
      readonly name: string;
      readonly type: TypeSchema;
      /** The list is field 1 of a message of its own (Verbs). */
      readonly wrapped: boolean;
    }
  /** Fields of a struct that JSON writes into its owner. */
  | { readonly number: number; readonly inline: MessagePlan };

/** By number. */
export type MessagePlan = ReadonlyMap<number, PlannedField>;

let lines: ReadonlyMap<string, string> | undefined;
const plans = new Map<string, MessagePlan>();

/** Undefined for a type that has no protobuf form. */
export function planOf(typeName: string): MessagePlan | undefined {
  const known = plans.get(typeName);
  if (known !== undefined) return known;
  lines ??= new Map(
    fieldNumberTable.split("\n").map((line) => {
      const [name = ""] = line.split(" ", 1);
      return [name, line.slice(name.length)] as const;
    }),
  );
  const line = lines.get(typeName);
  if (line === undefined) return undefined;
  const plan = readFields(line.match(/[()]|[^\s()]+/g) ?? [], { at: 0 }, typeName);
  plans.set(typeName, plan);
  return plan;
}

/** Reads words up to the closing bracket. */
function readFields(words: readonly string[], position: { at: number }, typeName: string): MessagePlan {
  const known = fieldsOf(typeName);
  const plan = new Map<number, PlannedField>();
  let number = 1;
  while (position.at < words.length) {
    const word = words[position.at++] as string;
    if (word === ")") break;
    if (/^\d+$/.test(word)) {
      number = Number(word);
      continue;
    }
    if (word === "(") plan.set(number, { number, inline: readFields(words, position, typeName) });
    else {
      const wrapped = word.endsWith("*");
      const name = wrapped ? word.slice(0, -1) : word;
      const type = known.get(name)?.type;
      if (type !== undefined) plan.set(number, { number, name, type, wrapped });
    }
    number += 1;
  }
  return plan;
}
