// `nginx -s reopen`: the logs are opened anew, for the old files have other names now.

import type { Process } from "#sim/program.ts";
import type { ErrorLog } from "./error-log.ts";
import { accessLogFile, type Opened, OpeningError, openLog } from "./opening.ts";
import type { Settings } from "./settings.ts";

/** Under the same descriptors; `isMaster`: workers will do the same, as the user that they are. */
export function reopenLogs(self: Process, log: ErrorLog, opened: Opened, settings: Settings, isMaster: boolean): void {
  log.write("notice", "reopening logs");
  const owner = isMaster ? settings.user?.uid : undefined;
  for (const [fd, path] of [
    [opened.log.fd, settings.errorLog.path],
    [opened.accessLog, accessLogFile],
  ] as const) {
    try {
      reopen(self, fd, path, owner);
    } catch (error) {
      if (!(error instanceof OpeningError)) throw error;
      log.write("emerg", error.message);
    }
  }
}

function reopen(self: Process, fd: number, path: string, owner: number | undefined): void {
  const fresh = openLog(self, path);
  const { type, uid, gid } = self.fstat(fresh);
  if (owner !== undefined && type === "file" && uid !== owner) self.chown(path, owner, gid);
  self.dup2(fresh, fd);
  self.close(fresh);
}
