import { accountEntry } from "../toolkit/accounts.ts";
import { askName, fullName } from "../toolkit/name-service.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const getent: CommandDefinition = {
  name: "getent",
  *run(tool) {
    const [database, ...keys] = tool.operands;
    if (database === undefined) throw new UsageFailure("wrong number of arguments");
    let status = 0;
    for (const key of keys) {
      if (database === "passwd" || database === "group") {
        const entry = accountEntry(tool.self, database, key);
        if (entry === undefined) status = 2;
        else yield* tool.print(`${entry.join(":")}\n`);
      } else if (/^(?:ahosts(?:v4)?|hosts)$/u.test(database)) {
        const answer = yield* askName(tool.self, key);
        const addresses = answer === "unreachable" ? [] : answer.addresses;
        if (addresses.length === 0) status = 2;
        const full = addresses.length === 0 ? key : yield* fullName(tool.self, key);
        for (const address of addresses) yield* tool.print(`${address.padEnd(15)} ${full}\n`);
      } else throw new ToolFailure(`Unknown database: ${database}`);
    }
    return status;
  },
};
