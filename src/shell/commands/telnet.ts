// telnet, to servers that do not speak its protocol: lines of text both ways.

import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "../toolkit/http-client.ts";
import { addressOf, talk } from "../toolkit/talk.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const escapeKey = "\x1d";

export const telnet: CommandDefinition = {
  name: "telnet",
  options: "a l= 4 6 8 E K L X= b= d e= n=",
  unsupported: "a l 6 8 E K L X b d e n",
  usage: "telnet [-a] [-l USER] HOST [PORT]\n\nConnect to telnet server",
  *run(tool) {
    const { self, gnu } = tool;
    const [host, portText = "23"] = tool.operands;
    if (host === undefined)
      throw gnu ? new ToolFailure("a host is needed: the command prompt is not supported here") : new UsageFailure("");
    const port = Number(portText);
    if (!Number.isInteger(port)) throw new ToolFailure(`bad port '${portText}'`);
    let address: string;
    try {
      address = yield* addressOf(self, host, `bad address '${host}'`);
    } catch (error) {
      if (!gnu || !(error instanceof ToolFailure)) throw error;
      yield* self.write(2, `Server lookup failure:  ${host}:${port}, Name or service not known\n`);
      return 1;
    }
    if (gnu) yield* self.write(1, `Trying ${address}...\n`);
    let fd: number;
    try {
      fd = yield* self.connect({ address, port });
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      throw new ToolFailure(
        gnu ? `Unable to connect to remote host: ${error.message}` : `can't connect to remote host (${address}): ${error.message}`,
      );
    }
    yield* self.write(
      1,
      gnu ? `Connected to ${isAddress(host) ? address : host}.\nEscape character is '^]'.\n` : `Connected to ${host}\n`,
    );
    const end = yield* talk(self, fd, { afterInputMs: gnu ? 0 : undefined, translate: (typed) => translated(self, typed) });
    self.close(fd);
    if (end === "peer") {
      yield* self.write(gnu ? 2 : 1, gnu ? "Connection closed by foreign host.\n" : "Connection closed by foreign host\r\n");
      return 1;
    }
    return 0;
  },
};

/** Lines end with carriage return and line feed on the wire; behind the escape key stands an order to telnet itself. */
function* translated(self: Process, typed: Bytes): Sys<Bytes | undefined> {
  const text = decodeUtf8(typed);
  if (!text.includes(escapeKey)) return encodeUtf8(text.replace(/\r?\n/gu, "\r\n"));
  yield* self.write(1, "\ntelnet> ");
  const order = decodeUtf8(yield* self.read(0)).trim();
  if (order === "" || order === "c" || "close".startsWith(order) || "quit".startsWith(order)) {
    if (order === "") return encodeUtf8("");
    yield* self.write(1, "Connection closed.\n");
    return undefined;
  }
  yield* self.write(1, "?Invalid command\n");
  return encodeUtf8("");
}
