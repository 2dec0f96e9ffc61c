// nc: TCP by hand.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "./client.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "./tool.ts";

export const nc: CommandDefinition = {
  name: "nc",
  options: "z v l w= p= n k u 4 6 N q= i= e=",
  usage: "nc [OPTIONS] HOST PORT  - connect\nnc [OPTIONS] -l -p PORT [HOST] [PORT]  - listen",
  *run(tool) {
    const { self } = tool;
    if (tool.has("u")) throw new ToolFailure("UDP mode is not supported by this nc");
    if (tool.has("e")) throw new ToolFailure("-e is not supported by this nc");
    if (tool.has("l")) {
      const port = Number(tool.value("p") ?? tool.operands.at(-1));
      if (!Number.isInteger(port)) throw new UsageFailure("");
      const listening = self.listen({ port });
      do {
        const accepted = yield* self.accept(listening);
        yield* relay(self, accepted.fd);
      } while (tool.has("k"));
      return 0;
    }
    const [host, portText] = tool.operands;
    if (host === undefined || portText === undefined) throw new UsageFailure("");
    const [first, last] = portText.split("-").map(Number) as [number, number | undefined];
    const address = isAddress(host) ? host : yield* lookUp(self, host, tool.gnu);
    let status = 1;
    for (let port = first; port <= (last ?? first); port += 1) {
      const where = tool.gnu ? `${host} (${address}) ${port} port` : `${host} (${address}:${port})`;
      try {
        const timeout = tool.value("w");
        const fd = yield* self.connect({ address, port, ...(timeout === undefined ? {} : { timeoutMs: Number(timeout) * 1000 }) });
        status = 0;
        if (tool.has("v"))
          yield* self.write(
            2,
            tool.gnu ? `Connection to ${host} (${address}) ${port} port [tcp/*] succeeded!\n` : `${where} open\n`,
          );
        if (tool.has("z")) self.close(fd);
        else yield* relay(self, fd);
      } catch (error) {
        if (!(error instanceof SysError) || error.code === "EINTR") throw error;
        if (tool.gnu ? tool.has("v") : true) {
          yield* self.write(
            2,
            tool.gnu
              ? `nc: connect to ${where} (tcp) failed: ${error.code === "ETIMEDOUT" ? "Connection timed out" : error.message}\n`
              : `nc: ${where}: ${error.message}\n`,
          );
        }
      }
    }
    return status;
  },
};

function* lookUp(self: Process, name: string, gnu: boolean): Sys<string> {
  let addresses: readonly string[] = [];
  try {
    addresses = yield* self.resolve(name);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  const first = addresses[0];
  if (first === undefined)
    throw new ToolFailure(gnu ? `getaddrinfo for host "${name}" port: Name or service not known` : `bad address '${name}'`);
  return first;
}

/** Copies standard input to the stream and the stream to standard output, until the stream ends. */
function* relay(self: Process, fd: number): Sys<void> {
  self.startThread(function* () {
    try {
      for (;;) {
        const bytes = yield* self.read(0);
        if (bytes.length === 0) return;
        yield* self.write(fd, bytes);
      }
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  });
  for (;;) {
    const bytes = yield* self.read(fd);
    if (bytes.length === 0) break;
    yield* self.write(1, bytes);
  }
  self.close(fd);
}
