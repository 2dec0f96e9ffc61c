// `--raw PATH` of commands that write: a file's bytes sent to a path, and what it answers printed as it comes.

import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../context.ts";
import { KubectlError } from "../errors.ts";
import { refusalOf } from "./rest-client.ts";

/** Sends what -f names, if anything. Throws the server's refusal. */
export function* sendRaw(context: Context, method: "POST" | "PUT" | "DELETE"): Sys<void> {
  const { flags } = context;
  const path = flags.text("raw");
  if (!path.startsWith("/"))
    throw new KubectlError(`--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
  const files = flags.list("filename");
  if (context.args.length > 0) throw new KubectlError("arguments may not be passed when --raw is specified");
  if (files.length > 1 || (method !== "DELETE" && files.length !== 1))
    throw new KubectlError("--raw can only use a single local file or stdin");
  const [file] = files;
  const client = context.client();
  let body: string | undefined;
  if (file !== undefined) body = file === "-" ? yield* context.readStdin() : textOf(context, file);
  const reply = yield* client.open({ method, path, ...(body === undefined ? {} : { body, contentType: "application/json" }) });
  const text = decodeUtf8(yield* client.readBody(reply));
  if (reply.status < 200 || reply.status > 299) throw refusalOf(reply.status, text);
  yield* context.out(text);
}

function textOf(context: Context, file: string): string {
  try {
    return context.self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new KubectlError(`open ${file}: ${asciiLowerCase(error.message)}`);
  }
}
