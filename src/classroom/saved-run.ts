// A run as the wire has it, in the form in which labs keep theirs. It is still what came from outside: whoever takes it up
// checks it.

import type { HeldRun } from "./wire.ts";

export function savedRun({ world, ...run }: HeldRun["run"]): object {
  return world === null ? run : { ...run, world };
}
