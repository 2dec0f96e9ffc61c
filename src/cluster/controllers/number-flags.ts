// Flags of kube-controller-manager whose values are numbers, as pflag reads them; they come with the names of its flags.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { type GivenFlags, WrongCommandLine } from "../component-flags.ts";

/** The number that a text is, or what is wrong with it. */
export type Reading = (text: string) => number | { readonly error: string };

/** The last value of a flag. Throws WrongCommandLine. */
export function numberOf(given: GivenFlags, flag: string, usual: number, reading: Reading): number {
  const text = given.get(flag)?.at(-1);
  if (text === undefined) return usual;
  const value = reading(text);
  if (typeof value === "number") return value;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${value.error}`, false);
}

/** Milliseconds. */
export const duration: Reading = (text) => {
  const parsed = parseGoDuration(text);
  return "ms" in parsed ? parsed.ms : parsed;
};

export const fraction: Reading = (text) =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
    ? Number(text)
    : { error: `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax` };

export const whole: Reading = (text) =>
  /^[+-]?\d+$/.test(text) ? Number(text) : { error: `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax` };
