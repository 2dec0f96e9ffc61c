// Field selectors: `status.phase=Running,metadata.name!=web-1`. Grammar, escapes and error texts of apimachinery's fields
// package. Which fields a resource knows is the resource's business.

import { SelectorError } from "./labels.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Sorted as upstream sorts the terms. Throws SelectorError. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text)
    .sort()
    .filter((term) => term !== "")
    .map((term) => parseTerm(text, term));
}

/** At commas that no backslash hides. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function parseTerm(selector: string, term: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (match === null) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  return {
    field: term.slice(0, match.index),
    operator: match[0] === "!=" ? "!=" : "=",
    value: unescapeFieldValue(term.slice(match.index + match[0].length)),
  };
}

function unescapeFieldValue(text: string): string {
  let value = "";
  const characters = [...text];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] as string;
    if (character === "\\") {
      index += 1;
      const escaped = characters[index];
      if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped ?? ""}`);
      }
      value += escaped;
    } else if (character === "," || character === "=") {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else value += character;
  }
  return value;
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(",");
}

/** Whether an object, of which `fieldValue` reads the selectable fields ("" when unset), satisfies the selector. */
export function compileFieldSelector<T>(
  requirements: readonly FieldRequirement[],
  fieldValue: (object: T, field: string) => string,
): (object: T) => boolean {
  if (requirements.length === 0) return () => true;
  return (object) => {
    for (const { field, operator, value } of requirements) {
      if ((fieldValue(object, field) === value) !== (operator === "=")) return false;
    }
    return true;
  };
}

/** The value that the selector demands of a field, if it demands one: an index can be used. */
export function requiredFieldValue(requirements: readonly FieldRequirement[], field: string): string | undefined {
  return requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
}
