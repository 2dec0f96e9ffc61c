// What validation of a configuration finds, in the words of apimachinery's field errors.

import { quote } from "./json-write.ts";

export class FieldFaults {
  readonly messages: string[] = [];

  invalid(path: string, value: unknown, detail: string): void {
    this.messages.push(`${path}: Invalid value: ${shown(value)}: ${detail}`);
  }

  required(path: string, detail = ""): void {
    this.messages.push(`${path}: Required value${detail === "" ? "" : `: ${detail}`}`);
  }

  forbidden(path: string, detail: string): void {
    this.messages.push(`${path}: Forbidden: ${detail}`);
  }

  duplicate(path: string, value: unknown): void {
    this.messages.push(`${path}: Duplicate value: ${shown(value)}`);
  }

  notSupported(path: string, value: unknown, supported: readonly string[]): void {
    this.messages.push(`${path}: Unsupported value: ${shown(value)}: supported values: ${supported.map(quote).join(", ")}`);
  }

  reasons(path: string, value: string, reasons: readonly string[]): void {
    for (const reason of reasons) this.invalid(path, value, reason);
  }
}

/** A list of errors as one: each once (apimachinery, util/errors.Aggregate). */
export function aggregate(messages: readonly string[]): string | undefined {
  const once = [...new Set(messages)];
  return once.length > 1 ? `[${once.join(", ")}]` : once[0];
}

/** Behind a path, or at its beginning. */
export function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  if (value === undefined) return "null";
  return typeof value === "string" ? quote(value) : JSON.stringify(value);
}
