// A bare machine whose disk is an image: starts its programs and asks them by HTTP.

import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { FileTree } from "#sim/files.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { CallOptions } from "#sim/net.ts";
import type { Image } from "./image.ts";

interface Asked {
  readonly method?: string;
  readonly target: string;
  readonly headers?: HttpHeaders;
  readonly body?: string;
}

/** `files`: what lies over those of the image. */
export function imageMachine(image: Image, files: FileTree = new Map()) {
  const made = machine(new Map([...image.files, ...files]));
  const log = collector();
  const env = new Map(Object.entries(image.config.env));
  const serve = (...argv: readonly string[]) => {
    const handle = made.start(argv[0] as string, { argv, env, stdout: log.sink, stderr: log.sink });
    made.simulation.advance(100);
    return handle;
  };
  /** `200 text` of a request's answer. */
  const ask = (port: number, request: Asked, options: CallOptions = {}): string => {
    const { method = "GET", target, headers = {}, body = "" } = request;
    let answer = "";
    const sent = { method, target, headers, body: encodeUtf8(body) };
    made.network.request({ address: "127.0.0.1", port }, sent, options, (result) => {
      answer = result.ok ? `${result.exchange.status} ${decodeUtf8(result.exchange.body ?? noBytes)}` : String(result.error);
    });
    made.simulation.runUntil(() => answer !== "", { limitMs: 10_000 });
    return answer;
  };
  const get = (port: number, target: string) => ask(port, { target });
  const post = (port: number, target: string, body: string) => ask(port, { method: "POST", target, body });
  const run = (...argv: readonly string[]) => made.run(argv[0] as string, { argv, env: new Map(env) });
  return { ...made, serve, ask, get, post, runProgram: run, log, env };
}
