// kubectl certificate approve and deny

import { formatTime } from "#cluster/api/time.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, type JsonObject, textAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";

interface Decision {
  readonly condition: "Approved" | "Denied";
  readonly opposite: "Approved" | "Denied";
  readonly reason: string;
  readonly message: string;
  readonly operation: string;
}

function decisionCommand(path: string, decision: Decision): Command {
  return {
    path,
    *run(context) {
      const { args, flags } = context;
      if (args.length === 0 && flags.list("filename").length === 0 && flags.text("kustomize") === "")
        throw new KubectlError("one or more CSRs must be specified as <name> or -f <filename>");
      const words = args.map((name) => (name.includes("/") ? name : `certificatesigningrequests/${name}`));
      const { infos, errors } = yield* select(context, {
        ...selectionFromFlags(context, words),
        continueOnError: true,
        latest: true,
      });
      const failures: Error[] = [...errors];
      for (const info of infos) {
        try {
          yield* decide(context, info, decision);
          yield* context.out(makeObjectPrinter(context, decision.operation)(info.object ?? {}));
        } catch (error) {
          if (!isOwnError(error)) throw error;
          failures.push(error);
        }
      }
      throwAll(failures);
      if (infos.length === 0) yield* context.out("No resources found\n");
    },
  };
}

function* decide(context: Context, { object = {}, name }: Info, decision: Decision): Sys<void> {
  const conditions = arrayAt(object, "status", "conditions");
  const has = (type: string): boolean => conditions.some((condition) => textAt(condition, "type") === type);
  if (has(decision.opposite))
    throw new KubectlError(`certificate signing request ${JSON.stringify(name)} is already ${decision.opposite}`);
  if (has(decision.condition) && !context.flags.bool("force")) return;
  const made: JsonObject = {
    type: decision.condition,
    status: "True",
    reason: decision.reason,
    message: decision.message,
    lastUpdateTime: formatTime(context.self.nowMs),
  };
  const kept = conditions.filter((condition) => textAt(condition, "type") !== decision.condition);
  yield* context.client().json({
    method: "PUT",
    path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}/approval`,
    body: withValue(object, ["status", "conditions"], [...kept, made]),
  });
}

export const certificateApprove = decisionCommand("certificate approve", {
  condition: "Approved",
  opposite: "Denied",
  reason: "KubectlApprove",
  message: "This CSR was approved by kubectl certificate approve.",
  operation: "approved",
});

export const certificateDeny = decisionCommand("certificate deny", {
  condition: "Denied",
  opposite: "Approved",
  reason: "KubectlDeny",
  message: "This CSR was denied by kubectl certificate deny.",
  operation: "denied",
});
