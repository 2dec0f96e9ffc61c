// Which tests are played together by one process of the suite.

/**
 * At most `size` tests each. Tests that stand beside each other in the list (of one group, and often equally slow) come into
 * different batches.
 */
export function batchesOf(names: readonly string[], size: number): string[][] {
  const count = Math.ceil(names.length / size);
  const batches = Array.from({ length: count }, (): string[] => []);
  for (const [place, name] of names.entries()) batches[place % count]?.push(name);
  return batches;
}

/**
 * Tests that a word of the command line asks for, whatever its case: those with its letters in their names, which are full of brackets;
 * where there is none, it is read as a regular expression.
 */
export function chooseTests(all: readonly string[], focus: string): string[] {
  const literal = all.filter((name) => name.toLowerCase().includes(focus.toLowerCase()));
  if (literal.length > 0) return literal;
  try {
    const pattern = new RegExp(focus, "i");
    return all.filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}

/** Names of a data file: one a line, beside comments. Throws Error for a name that the suite does not have. */
export function namedTests(text: string, all: readonly string[]): string[] {
  const names = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const missing = names.filter((name) => !all.includes(name));
  if (missing.length > 0) throw new Error(`the suite has no such test: ${missing.join("; ")}`);
  return names;
}
