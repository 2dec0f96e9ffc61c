// What echo prints, in the shell and as a program.

import { expandEscapes } from "./escapes.ts";

export function echoText(args: readonly string[]): string {
  let newline = true;
  let escapes = false;
  let first = 0;
  for (; first < args.length && /^-[neE]+$/u.test(args[first] as string); first += 1) {
    for (const letter of (args[first] as string).slice(1)) {
      if (letter === "n") newline = false;
      else escapes = letter === "e";
    }
  }
  const text = args.slice(first).join(" ");
  if (!escapes) return newline ? `${text}\n` : text;
  const result = expandEscapes(text, true);
  return newline && !result.stopped ? `${result.text}\n` : result.text;
}
