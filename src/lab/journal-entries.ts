// What entries of a run's journal say of it.

/** As far as is looked at; of runs that came from elsewhere, too. */
export interface AnyEntry {
  readonly input: { readonly kind: string };
}

/** Something was done, beyond terminals that opened. */
export function isTouched(entries: readonly AnyEntry[]): boolean {
  return entries.some(({ input }) => input.kind === "terminal-input" || input.kind === "file-write");
}
