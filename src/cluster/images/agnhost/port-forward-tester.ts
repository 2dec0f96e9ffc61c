// agnhost port-forward-tester: takes one connection, checks what comes, and sends its data in pieces.

import { concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { command } from "./command.ts";
import { goQuoted } from "./go-words.ts";
import { GoNetError, reasonOf, resolveAddress } from "./http-client.ts";

/** Before the connection is closed altogether the other side may read its end. */
const lingerMs = 500;

export const portForwardTester = command({
  flags: {},
  *run(self) {
    const say = (text: string) => self.write(1, `${text}\n`);
    const env = (name: string) => self.env.get(name) ?? "";
    const listening = yield* listen(self, env("BIND_ADDRESS") || "localhost", env("BIND_PORT"));
    if (typeof listening === "string") {
      yield* say(listening);
      return 1;
    }
    const { fd } = yield* self.accept(listening);
    yield* say("Accepted client connection");
    const wanted = env("EXPECTED_CLIENT_DATA");
    if (wanted !== "") {
      const got = yield* self.read(fd, encodeUtf8(wanted).length);
      if (got.length !== encodeUtf8(wanted).length) {
        const reason = got.length === 0 ? "EOF" : "<nil>";
        yield* say(`Expected to read ${wanted.length} bytes from client, but got ${got.length} instead. err=${reason}`);
        return 2;
      }
      if (decodeUtf8(got) !== wanted) {
        yield* say(`Expect to read ${goQuoted(wanted)}, but got ${goQuoted(decodeUtf8(got))}. err=<nil>`);
        return 3;
      }
      yield* say("Received expected client data");
    }
    const numbers: number[] = [];
    for (const name of ["CHUNKS", "CHUNK_SIZE", "CHUNK_INTERVAL"]) {
      if (!/^[+-]?\d+$/u.test(env(name))) {
        const text = goQuoted(env(name));
        yield* say(`Error parsing ${name} ${text}: strconv.Atoi: parsing ${text}: invalid syntax`);
        return 1;
      }
      numbers.push(Number(env(name)));
    }
    const [chunks = 0, size = 0, intervalMs = 0] = numbers;
    const data = size === 0 ? noBytes : concatBytes([encodeUtf8("x".repeat(size))]);
    for (let sent = 0; sent < chunks; sent += 1) {
      if (!(yield* written(self, fd, data))) {
        yield* say(`Expected to write ${size} bytes from client, but wrote 0 instead. err=broken pipe`);
        return 4;
      }
      if (sent + 1 < chunks) yield* self.sleep(intervalMs);
    }
    yield* say("Shutting down connection");
    self.endWriting(fd);
    yield* self.sleep(lingerMs);
    self.close(fd);
    yield* say("Done");
    return 0;
  },
});

function* listen(self: Process, host: string, port: string): Sys<number | string> {
  try {
    const address = yield* resolveAddress(self, host);
    const place = address === "0.0.0.0" ? {} : { address };
    return self.listen({ port: Number(port), ...place });
  } catch (error) {
    if (error instanceof GoNetError) return `Error resolving: ${error.message}`;
    if (!(error instanceof SysError)) throw error;
    return `Error listening: listen tcp ${host}:${port}: bind: ${reasonOf(error)}`;
  }
}

/** False when nobody is there any more to take it. */
function* written(self: Process, fd: number, data: Uint8Array): Sys<boolean> {
  self.setSignal("PIPE", "ignore");
  try {
    yield* self.write(fd, data);
    return true;
  } catch (error) {
    if (!(error instanceof SysError) || !["EPIPE", "ECONNRESET"].includes(error.code)) throw error;
    return false;
  }
}
