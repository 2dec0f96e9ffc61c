// agnhost pause: waits for a signal and says which it was, in its log and in the termination message.

import { SysError } from "#sim/errors.ts";
import { awaitSignals } from "../await-signals.ts";
import { command } from "./command.ts";

export const pause = command({
  flags: {},
  *run(self) {
    yield* self.write(1, "Paused\nSignals registered\n");
    const [signal] = yield* awaitSignals(self, ["INT", "TERM"]);
    const message = `exiting because of signal "${signal === "INT" ? "interrupt" : "terminated"}"\n`;
    try {
      self.writeFile(self.env.get("TERMINATION_MESSAGE_PATH") || "/dev/termination-log", message, { permissions: 0o644 });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    yield* self.write(1, message);
    return signal === "INT" ? 1 : 2;
  },
});
