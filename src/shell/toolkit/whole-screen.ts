// A terminal taken over by one program: keys one by one and unseen, signals caught, on GNU machines on the alternate screen.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Tool } from "./tool.ts";

const caught = ["INT", "TERM", "WINCH"] as const;

/** Runs `body` on the terminal behind a descriptor; the shell's screen comes back when it ends by itself. Its calls throw EINTR:
 * `isToEnd` then says whether to stop, or to draw anew. */
export function* onWholeScreen(tool: Tool, fd: number, body: () => Sys<number>): Sys<number> {
  const { self } = tool;
  const terminal = self.terminal(fd);
  const { modes } = terminal;
  terminal.setModes({ ...modes, canonical: false, echo: false });
  for (const signal of caught) self.setSignal(signal, "catch");
  let code: number;
  try {
    if (tool.gnu) yield* self.write(fd, "\x1b[?1049h");
    code = yield* body();
  } finally {
    terminal.setModes(modes);
    for (const signal of caught) self.setSignal(signal, "default");
  }
  if (tool.gnu) yield* self.write(fd, "\x1b[?1049l");
  return code;
}

/** After a call that failed: true when a signal asks to end, false when the screen has another size.
 * @throws what is no EINTR. */
export function isToEnd(self: Process, error: unknown): boolean {
  if (!(error instanceof SysError && error.code === "EINTR")) throw error;
  return self.takeSignals().some((signal) => signal !== "WINCH");
}
