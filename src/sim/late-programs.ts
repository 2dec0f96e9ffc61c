// Programs whose code may come later than the machines that have them as files.

import { Late } from "./late.ts";
import type { Program } from "./program.ts";

const programs = new Map<string, Late<Program>>();

function lateCode(name: string): Late<Program> {
  const known = programs.get(name) ?? new Late<Program>(`program ${name}`);
  programs.set(name, known);
  return known;
}

export function providePrograms(code: ReadonlyMap<string, Program>): void {
  for (const [name, program] of code) lateCode(name).provide(program);
}

/** A program that is found by its name when it runs. */
export function lateProgram(name: string): Program {
  const late = lateCode(name);
  return (self) => late.code(self);
}
