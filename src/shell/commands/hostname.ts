import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const hostname: CommandDefinition = {
  name: "hostname",
  options: "s,short f,fqdn i,ip-address I,all-ip-addresses d,domain",
  usage: "hostname [-sifd] [HOSTNAME | -F FILE]",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length > 0)
      throw new ToolFailure(tool.gnu ? "you must be root to change the host name" : "sethostname: Operation not permitted");
    const own = self.addresses().filter((address) => !address.startsWith("127.") && address !== "::1");
    if (tool.has("I") && !tool.gnu) throw new UsageFailure("invalid option -- 'I'");
    if (tool.has("I")) yield* tool.print(`${own.join(" ")} \n`);
    else if (tool.has("i")) {
      const found = yield* self.resolve(self.hostname);
      if (found.length === 0) throw new ToolFailure(tool.gnu ? "Name or service not known" : `${self.hostname}: Unknown host`);
      yield* tool.print(`${found.join(" ")}\n`);
    } else if (tool.has("f") || tool.has("d")) {
      const full = qualifiedName(self);
      yield* tool.print(`${tool.has("d") ? full.split(".").slice(1).join(".") : full}\n`);
    } else yield* tool.print(`${tool.has("s") ? (self.hostname.split(".")[0] as string) : self.hostname}\n`);
    return 0;
  },
};

/** The canonical name that /etc/hosts gives for the host name. */
function qualifiedName(self: Process): string {
  try {
    for (const line of self.readText("/etc/hosts").split("\n")) {
      const names = (line.split("#")[0] as string).trim().split(/\s+/u).slice(1);
      if (names.includes(self.hostname)) return names[0] as string;
    }
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  return self.hostname;
}
