// `kubectl __complete`: what the shell's completion asks. One candidate a line, then a directive.

import type { Process, Sys } from "#sim/program.ts";

export function* complete(self: Process, _words: readonly string[], _descriptions: boolean): Sys<void> {
  yield* self.write(1, ":4\n");
}
