// Programs whose code may come later than the machines that have them as files: a browser starts its cluster while it still
// loads the tools. The code is no part of any world: it is provided once for all of them.

import type { Program } from "./program.ts";

const provided = new Map<string, Program>();

export function providePrograms(programs: ReadonlyMap<string, Program>): void {
  for (const [name, program] of programs) provided.set(name, program);
}

/** A program that is found by its name when it runs. To run it before it was provided is a fault of the host: it throws Error. */
export function lateProgram(name: string): Program {
  return (self) => {
    const program = provided.get(name);
    if (program === undefined) throw new Error(`program ${name} was run before it was provided`);
    return program(self);
  };
}
