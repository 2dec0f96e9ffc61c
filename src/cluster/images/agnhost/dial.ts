// netexec's /dial: calls somebody some times and tells what came of it.

import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Process, Sys } from "#sim/program.ts";
import { logLine, parametersOf } from "../samples/go-server.ts";
import { askByDatagram, sctpMissing } from "./datagrams.ts";
import { goJson, goQuoted } from "./go-words.ts";
import { call, GoNetError, joinHostPort, resolveAddress } from "./http-client.ts";

const timeoutMs = 5000;

/** `done` gets the status and the text of the answer. */
export function* dial(self: Process, target: string, done: (status: number, body: string) => void): Sys<void> {
  const query = parametersOf(target);
  const value = (name: string) => query.get(name) ?? "";
  const [host, port, request, protocol, triesText] = ["host", "port", "request", "protocol", "tries"].map(value) as [
    string,
    string,
    string,
    string,
    string,
  ];
  logLine(self, `GET /dial?host=${host}&protocol=${protocol}&port=${port}&request=${request}&tries=${triesText}`);
  if (triesText !== "" && !/^[+-]?\d+$/u.test(triesText)) {
    done(400, `tries parameter is invalid. strconv.Atoi: parsing ${goQuoted(triesText)}: invalid syntax`);
    return;
  }
  if (request === "") {
    done(400, "request parameter not specified. <nil>");
    return;
  }
  const tries = triesText === "" ? 1 : Number(triesText);
  const kind = asciiLowerCase(protocol);
  if (!["", "http", "udp", "sctp"].includes(kind)) {
    done(400, `unsupported protocol. ${protocol}`);
    return;
  }
  if (kind === "sctp") {
    done(400, sctpMissing);
    return;
  }
  let address: string;
  try {
    if (!/^\d+$/u.test(port) || Number(port) > 65_535)
      throw new GoNetError(
        port === "" ? `lookup ${kind === "udp" ? "udp" : "tcp"}/: unknown port` : `address ${port}: invalid port`,
      );
    address = yield* resolveAddress(self, host);
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    done(400, `host and/or port param are invalid. ${error.message}`);
    return;
  }
  const errors: string[] = [];
  const responses: string[] = [];
  let last = "";
  for (let count = 0; count < tries; count += 1)
    try {
      last = "";
      last = kind === "udp" ? yield* askUdp(self, address, Number(port), request) : yield* askHttp(self, address, port, request);
      responses.push(last);
    } catch (error) {
      if (!(error instanceof GoNetError)) throw error;
      errors.push(error.message);
    }
  // Upstream leaves the answers out when the last of them is empty.
  done(200, goJson({ ...(last === "" ? {} : { responses }), ...(errors.length === 0 ? {} : { errors }) }));
}

function* askHttp(self: Process, address: string, port: string, request: string): Sys<string> {
  return (yield* call(self, `http://${joinHostPort(address, port)}/${request}`, { timeoutMs })).body;
}

function* askUdp(self: Process, address: string, port: number, request: string): Sys<string> {
  try {
    const bytes = yield* askByDatagram(self, { address, port }, request, timeoutMs);
    if (bytes.length === 0) throw new GoNetError("<nil>");
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    throw new GoNetError(`reading from udp connection failed. err:'${error.message}'`);
  }
}
