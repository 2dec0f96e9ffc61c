// kubectl set resources: limits and requests of containers.

import { canonicalQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { Command, Context } from "../../context.ts";
import { type JsonObject, objectAt, withValue } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { changeTemplates, selectTemplates } from "../pod-templates.ts";
import { dryRunOf } from "../write-options.ts";

export const setResources: Command = {
  path: "set resources",
  *run(context) {
    const { flags, args } = context;
    dryRunOf(context);
    const infos = yield* selectTemplates(context, args);
    if (flags.text("limits") === "" && flags.text("requests") === "") {
      throw new KubectlError("you must specify an update to requests or limits (in the form of --requests/--limits)");
    }
    const limits = amounts(context, "limits");
    const requests = amounts(context, "requests");
    yield* changeTemplates(context, {
      infos,
      operation: "resource requirements updated",
      records: true,
      failure: "resources update to pod template",
      change: (container) => withAmounts(withAmounts(container, "limits", limits), "requests", requests),
      *onNoContainer() {
        throw new KubectlError(`error: unable to find container named ${flags.text("containers")}`);
      },
    });
  },
};

function amounts({ flags }: Context, name: "limits" | "requests"): JsonObject {
  const text = flags.text(name);
  if (text === "") return {};
  const pairs = text.split(",").map((statement) => {
    const [resource = "", amount, ...rest] = statement.split("=");
    if (amount === undefined || rest.length > 0) {
      throw new KubectlError(`Invalid argument syntax ${statement}, expected <resource>=<value>`);
    }
    if (tryParseQuantity(amount) === undefined) {
      throw new KubectlError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return [resource, canonicalQuantity(amount)] as const;
  });
  return Object.fromEntries(pairs);
}

function withAmounts(container: JsonObject, name: string, given: JsonObject): JsonObject {
  if (Object.keys(given).length === 0) return container;
  return withValue(container, ["resources", name], { ...objectAt(container, "resources", name), ...given });
}
