// How servers wait to be told something: by the signals that they catch.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Signal } from "#sim/signals.ts";

/** Catches these signals from now on, and waits until some have come: which, in their order, at least one. */
export function* awaitSignals(self: Process, caught: readonly Signal[]): Sys<readonly Signal[]> {
  for (const signal of caught) self.setSignal(signal, "catch");
  for (;;) {
    try {
      yield* self.pause();
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
    }
    const came = self.takeSignals();
    if (came.length > 0) return came;
  }
}
