import { asciiUpperCase } from "#sim/ascii.ts";
import { askName, nameServer } from "../toolkit/name-service.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const dig: CommandDefinition = {
  name: "dig",
  *run(tool) {
    const words = tool.operands;
    const short = words.includes("+short");
    const types = ["A", "AAAA", "SRV", "PTR", "CNAME", "TXT", "ANY", "MX", "NS"];
    const type = asciiUpperCase(words.find((word) => types.includes(asciiUpperCase(word))) ?? "A");
    const name = words.find((word) => !/^[-+@]/u.test(word) && !types.includes(asciiUpperCase(word)));
    if (name === undefined) throw new UsageFailure("");
    if (type !== "A" || words.some((word) => word.startsWith("@")))
      throw new ToolFailure(`${type === "A" ? "@server" : `type ${type}`}: not supported by this dig`);
    // dig does not use the search list unless told to.
    const search = words.includes("+search");
    const answer = yield* askName(tool.self, search || name.endsWith(".") ? name : `${name}.`);
    if (answer === "unreachable") {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 9;
    }
    const full = name.endsWith(".") ? name : `${name}.`;
    if (short) {
      yield* tool.print(answer.addresses.map((address) => `${address}\n`).join(""));
      return 0;
    }
    const server = nameServer(tool.self);
    const status = answer.addresses.length === 0 ? "NXDOMAIN" : "NOERROR";
    yield* tool.print(
      `\n; <<>> DiG 9.20.9 <<>> ${words.join(" ")}\n;; global options: +cmd\n;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: ${Math.floor(tool.self.random.fraction() * 65_536)}\n`,
    );
    yield* tool.print(
      `;; flags: qr aa rd; QUERY: 1, ANSWER: ${answer.addresses.length}, AUTHORITY: 0, ADDITIONAL: 0\n\n;; QUESTION SECTION:\n;${full}\t\tIN\tA\n\n`,
    );
    if (answer.addresses.length > 0)
      yield* tool.print(`;; ANSWER SECTION:\n${answer.addresses.map((address) => `${full}\t30\tIN\tA\t${address}\n`).join("")}\n`);
    yield* tool.print(`;; Query time: 0 msec\n;; SERVER: ${server}#53(${server}) (UDP)\n\n`);
    return 0;
  },
};
