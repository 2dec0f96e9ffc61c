// What may be written next in a manifest: kinds, versions, and the fields of the place that are not there yet.

import type { FieldHelp } from "#lab/manifest-help.ts";
import type { LabSession } from "#lab/session.ts";
import { manifestPlace } from "./manifest-place.ts";

export interface Completions {
  readonly from: number;
  readonly typed: string;
  readonly options: readonly CompletionOption[];
}

export interface CompletionOption {
  readonly label: string;
  readonly apply: string;
  /** The field's type. */
  readonly detail: string;
  /** The API's own documentation, in English. */
  readonly info?: string;
  readonly boost: number;
}

/** Undefined where nothing is known. Rejects when the lab stops. */
export async function completionsAt(text: string, offset: number, ask: LabSession["ask"]): Promise<Completions | undefined> {
  const { of, path, typed, from, keyOfValue } = manifestPlace(text, offset);
  const atRoot = path.length === 0;
  if (keyOfValue !== undefined) {
    if (!atRoot || (keyOfValue !== "kind" && keyOfValue !== "apiVersion")) return undefined;
    const kinds = await ask("kinds", {});
    const values = [...new Set(kinds.map((kind) => kind[keyOfValue as "kind" | "apiVersion"]))];
    return { from, typed, options: values.map((value) => ({ label: value, apply: value, detail: "", boost: 0 })) };
  }
  if (of === undefined) return atRoot ? { from, typed, options: rootFields } : undefined;
  const fields = await ask("fields", { of, path });
  return fields.length === 0
    ? undefined
    : { from, typed, options: fields.filter(({ name }) => !atRoot || name !== "status").map(fieldOption) };
}

const rootFields: readonly CompletionOption[] = ["apiVersion", "kind", "metadata", "spec"].map((name) => ({
  label: name,
  apply: name === "metadata" || name === "spec" ? `${name}:` : `${name}: `,
  detail: "",
  boost: 0,
}));

function fieldOption({ name, type, required, description }: FieldHelp): CompletionOption {
  const nested = /^<(\[\]|map|[A-Z](?!uantity|ntOrString))/.test(type);
  return {
    label: name,
    apply: nested ? `${name}:` : `${name}: `,
    detail: type,
    ...(description === "" ? {} : { info: description }),
    boost: required ? 1 : 0,
  };
}
