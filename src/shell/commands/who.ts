import { formatDate } from "../text/date-text.ts";
import { userName } from "../toolkit/accounts.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const who: CommandDefinition = {
  name: "who",
  options: "a,all b,boot d,dead H,heading l,login m p,process q,count r,runlevel s,short t,time T,mesg u,users lookup ips w",
  unsupported: "a b d l p q r t T u lookup ips w",
  usage: "who [-aH]",
  *run(tool) {
    const { self } = tool;
    // Login shells have a dash before their name.
    const logins = self.processes().filter(({ argv, tty }) => argv[0]?.startsWith("-") === true && tty !== undefined);
    if (tool.has("H"))
      yield* tool.print(tool.gnu ? "NAME     LINE         TIME             COMMENT\n" : "USER\t\tTTY\t\tIDLE\tTIME\t\t HOST\n");
    for (const { uid, tty = "", startedMs } of logins) {
      const line = tty.replace(/^\/dev\//u, "");
      yield* tool.print(`${userName(self, uid).padEnd(8)} ${line.padEnd(12)} ${formatDate("%F %R", startedMs)}\n`);
    }
    return 0;
  },
};
