// kubectl create token: a token of a service account, on request.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { isObject, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { namedPrinter } from "../printers/object-printer.ts";
import { nameArgument } from "./create-generated.ts";

const boundKinds = ["Node", "Pod", "Secret"] as const;

export const createToken: Command = {
  path: "create token",
  *run(context) {
    const name = nameArgument(context);
    const namespace = context.namespace().name;
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: {}, spec: specOf(context) };
    const answer = yield* request(
      context,
      `/api/v1/namespaces/${namespace}/serviceaccounts/${encodeURIComponent(name)}/token`,
      body,
    );
    const token = textAt(answer, "status", "token");
    if (token === "") throw new KubectlError("failed to create token: no token in server response");
    const printer = namedPrinter(context);
    if (printer !== undefined && isObject(answer)) yield* context.out(printer(answer));
    else yield* context.out(context.self.isTty(1) ? `${token}\n` : token);
  },
};

function* request(context: Context, path: string, body: JsonValue): Sys<JsonValue> {
  try {
    return yield* context.client().json({ method: "POST", path, body });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new KubectlError(`failed to create token: ${error.message}`);
  }
}

/** Throws for flags that do not go together. */
function specOf(context: Context): JsonValue {
  const { flags } = context;
  const audiences = flags.list("audience");
  const seconds = secondsOf(flags.text("duration"));
  if (audiences.includes("")) throw new KubectlError("--audience must not be an empty string");
  const kind = flags.text("bound-object-kind");
  const name = flags.text("bound-object-name");
  const uid = flags.text("bound-object-uid");
  if (kind === "") {
    for (const [flag, value] of [["name", name] as const, ["uid", uid] as const]) {
      if (value !== "") throw new KubectlError(`--bound-object-${flag} can only be set if --bound-object-kind is provided`);
    }
  } else if (!boundKinds.some((known) => known === kind)) {
    throw new KubectlError(`supported --bound-object-kind values are ${boundKinds.join(", ")}`);
  } else if (name === "") throw new KubectlError("--bound-object-name is required if --bound-object-kind is provided");
  return {
    ...(audiences.length === 0 ? {} : { audiences }),
    ...(seconds === 0 ? {} : { expirationSeconds: seconds }),
    ...(kind === "" ? {} : { boundObjectRef: { kind, apiVersion: "v1", name, ...(uid === "" ? {} : { uid }) } }),
  };
}

function secondsOf(text: string): number {
  const parsed = parseGoDuration(text === "" ? "0s" : text);
  if ("error" in parsed) throw new KubectlError(parsed.error);
  if (parsed.ms < 0) throw new KubectlError("--duration must be greater than or equal to 0");
  if (parsed.ms % 1000 !== 0) throw new KubectlError("--duration cannot be expressed in units less than seconds");
  return parsed.ms / 1000;
}
