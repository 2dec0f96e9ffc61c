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

/** Tests of the suite that the words of the command line ask for: a regular expression, over full names. Throws Error. */
export function chooseTests(all: readonly string[], focus: string | undefined): string[] {
  if (focus === undefined) return [...all];
  let pattern: RegExp;
  try {
    pattern = new RegExp(focus, "i");
  } catch {
    // Names are full of brackets: what is no expression is taken by its letters.
    return all.filter((name) => name.toLowerCase().includes(focus.toLowerCase()));
  }
  return all.filter((name) => pattern.test(name) || name.toLowerCase().includes(focus.toLowerCase()));
}

/** Names of a data file: one a line, beside comments. Throws Error for a name that the suite does not have. */
export function namedTests(text: string, all: readonly string[]): string[] {
  const names = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const missing = names.filter((name) => !all.includes(name));
  if (missing.length > 0) throw new Error(`the suite has no such test: ${missing.join("; ")}`);
  return names;
}
