// kubectl create token SERVICEACCOUNT

import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Command } from "../../context.ts";
import { isObject, type JsonObject, textAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { namedPrinter } from "../../printers/object-printer.ts";
import { nameArgument } from "./create-generated.ts";

const boundKinds = ["Node", "Pod", "Secret"];

export const createToken: Command = {
  path: "create token",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const printer = namedPrinter(context);
    const durationMs = flags.durationMs("duration");
    if (durationMs < 0) throw new KubectlError("--duration must be greater than or equal to 0");
    if (durationMs % 1000 !== 0) throw new KubectlError("--duration cannot be expressed in units less than seconds");
    const audiences = flags.list("audience");
    if (audiences.includes("")) throw new KubectlError("--audience must not be an empty string");
    const kind = flags.text("bound-object-kind");
    const boundName = flags.text("bound-object-name");
    const uid = flags.text("bound-object-uid");
    if (kind === "") {
      if (boundName !== "") throw new KubectlError("--bound-object-name can only be set if --bound-object-kind is provided");
      if (uid !== "") throw new KubectlError("--bound-object-uid can only be set if --bound-object-kind is provided");
    } else {
      if (!boundKinds.includes(kind)) throw new KubectlError(`supported --bound-object-kind values are ${boundKinds.join(", ")}`);
      if (boundName === "") throw new KubectlError("--bound-object-name is required if --bound-object-kind is provided");
    }
    const spec: JsonObject = {
      audiences: audiences.length === 0 ? null : audiences,
      ...(durationMs === 0 ? {} : { expirationSeconds: durationMs / 1000 }),
      boundObjectRef: kind === "" ? null : { kind, apiVersion: "v1", name: boundName, ...(uid === "" ? {} : { uid }) },
    };
    let answer: JsonValue;
    try {
      answer = yield* context.client().json({
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace().name}/serviceaccounts/${name}/token`,
        body: { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata: {}, spec },
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new KubectlError(`failed to create token: ${error.message}`);
    }
    const token = textAt(answer, "status", "token");
    if (token === "") throw new KubectlError("failed to create token: no token in server response");
    if (printer !== undefined && isObject(answer)) return yield* context.out(printer(answer));
    yield* context.out(context.self.isTty(1) ? `${token}\n` : token);
  },
};
