// kubectl run: one Pod from an image; attached to with -i, removed afterwards with --rm.

import type { Sys } from "#sim/program.ts";
import { withLastMade } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { isObject, type JsonObject, withValue } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { withRecord } from "../../resources/recording.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { dryRunOf, dryRunQuery } from "../write-options.ts";
import type { Created } from "./run-attached.ts";
import { attachToRunPod, removeCreated } from "./run-attached.ts";
import { podFromFlags, serviceFromFlags } from "./run-pod.ts";

const imageName =
  /^(?:(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,})?$/;

export const run: Command = {
  path: "run",
  *run(context) {
    const { flags } = context;
    check(context);
    const pod = yield* create(context, "pods", podFromFlags(context));
    const created = [pod];
    const printer = writingPrinter(context, "created", { inOrder: dryRunOf(context) === "client" });
    if (flags.bool("expose")) {
      const service = yield* create(context, "services", serviceFromFlags(context));
      created.push(service);
      yield* context.out(printer(service.object));
      if (flags.text("output") === "yaml") yield* context.out("---\n");
    }
    if (!isAttached(context)) return yield* context.out(printer(pod.object));
    try {
      yield* attachToRunPod(context, pod.object);
    } finally {
      if (flags.bool("rm")) yield* removeCreated(context, created);
    }
  },
};

function isAttached({ flags }: Context): boolean {
  return flags.bool("attach") || (!flags.changed("attach") && flags.bool("stdin"));
}

function check(context: Context): void {
  const { flags, args, argsBeforeDash } = context;
  const image = flags.text("image");
  const dryRun = dryRunOf(context);
  if (!flags.changed("image")) throw new KubectlError('required flag(s) "image" not set');
  if (args.length === 0 || argsBeforeDash === 0) throw context.usageError("NAME is required for run");
  if (flags.durationMs("pod-running-timeout") <= 0) throw context.usageError("--pod-running-timeout must be higher than zero");
  if (image === "") throw new KubectlError("--image is required");
  if (!imageName.test(image)) throw new KubectlError(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (flags.bool("tty") && !flags.bool("stdin")) {
    throw context.usageError("-i/--stdin is required for containers with -t/--tty=true");
  }
  if (flags.bool("expose") && flags.text("port") === "") throw context.usageError("--port must be set when exposing a service");
  const restart = flags.text("restart");
  if (!["", "Always", "OnFailure", "Never"].includes(restart)) throw context.usageError(`invalid restart policy: ${restart}`);
  if (!isAttached(context) && flags.bool("rm")) throw context.usageError("--rm should only be used for attached containers");
  if (isAttached(context) && dryRun !== "none") {
    throw context.usageError(
      "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
    );
  }
  const pullPolicy = flags.text("image-pull-policy");
  if (!["", "Always", "IfNotPresent", "Never"].includes(pullPolicy)) {
    throw context.usageError(`invalid image pull policy: ${pullPolicy}`);
  }
}

function* create(context: Context, type: string, made: JsonObject): Sys<Created> {
  const draft = withRecord(context, made);
  const { name: namespace, explicit } = context.namespace();
  const dryRun = dryRunOf(context);
  const mapping = yield* context.discovery().require(type);
  if (dryRun === "client") {
    return { mapping, object: explicit ? withValue(draft, ["metadata", "namespace"], namespace) : draft };
  }
  const answer = yield* context.client().json({
    method: "POST",
    path: pathOf(mapping, namespace),
    query: { fieldManager: context.flags.text("field-manager"), ...dryRunQuery(dryRun) },
    body: context.flags.bool("save-config") ? withLastMade(draft) : draft,
  });
  return { mapping, object: isObject(answer) ? answer : draft };
}
