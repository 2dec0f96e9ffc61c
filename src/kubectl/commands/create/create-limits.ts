// kubectl create quota, priorityclass and poddisruptionbudget

import type { LabelSelector } from "#cluster/api/generated/types.ts";
import { SelectorError } from "#cluster/api/labels.ts";
import { canonicalQuantity, quantityFormatError, tryParseQuantity } from "#cluster/api/quantity.ts";
import { labelSelectorOf } from "#cluster/api/selector-text.ts";
import type { Command } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

/** `pods=2,services=1` */
function hardLimits(text: string): JsonObject {
  const pairs = text.split(",").map((statement) => {
    const [resource = "", amount, ...rest] = statement.split("=");
    if (amount === undefined || rest.length > 0)
      throw new KubectlError(`Invalid argument syntax ${statement}, expected <resource>=<value>`);
    if (tryParseQuantity(amount) === undefined) throw new KubectlError(quantityFormatError);
    return [resource, canonicalQuantity(amount)] as const;
  });
  return Object.fromEntries(pairs);
}

export const createQuota: Command = {
  path: "create quota",
  *run(context) {
    const name = nameArgument(context);
    const hard = context.flags.text("hard");
    const limits = hard === "" ? undefined : hardLimits(hard);
    const scopes = context.flags.text("scopes") === "" ? [] : context.flags.text("scopes").split(",");
    if (scopes.includes("")) throw new KubectlError('invalid resource quota scope ""');
    const quota: JsonObject = {
      kind: "ResourceQuota",
      apiVersion: "v1",
      metadata: metadataFor(context, name),
      spec: { ...(limits === undefined ? {} : { hard: limits }), ...(scopes.length === 0 ? {} : { scopes }) },
      status: {},
    };
    yield* createObject(context, quota, "quota");
  },
};

export const createPriorityClass: Command = {
  path: "create priorityclass",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const description = flags.text("description");
    const priorityClass: JsonObject = {
      kind: "PriorityClass",
      apiVersion: "scheduling.k8s.io/v1",
      metadata: { name },
      value: flags.number("value"),
      ...(flags.bool("global-default") ? { globalDefault: true } : {}),
      ...(description === "" ? {} : { description }),
      preemptionPolicy: flags.text("preemption-policy"),
    };
    yield* createObject(context, priorityClass, "priorityclass");
  },
};

function parseSelector(text: string): LabelSelector {
  try {
    return labelSelectorOf(text);
  } catch (error) {
    if (error instanceof SelectorError) throw new KubectlError(error.message);
    throw error;
  }
}

export const createPodDisruptionBudget: Command = {
  path: "create poddisruptionbudget",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const selector = flags.text("selector");
    const least = flags.text("min-available");
    const most = flags.text("max-unavailable");
    if (selector === "") throw new KubectlError("a selector must be specified");
    if (most === "" && least === "") throw new KubectlError("one of min-available or max-unavailable must be specified");
    if (most !== "" && least !== "") throw new KubectlError("min-available and max-unavailable cannot be both specified");
    if (least !== "" && !/^\d+%?$/.test(least)) throw new KubectlError("invalid format specified for min-available");
    if (most !== "" && !/^\d+%?$/.test(most)) throw new KubectlError("invalid format specified for max-unavailable");
    const parsed = parseSelector(selector);
    const amount = (text: string) => (text.endsWith("%") ? text : Number(text));
    const budget: JsonObject = {
      kind: "PodDisruptionBudget",
      apiVersion: "policy/v1",
      metadata: metadataFor(context, name),
      spec: {
        ...(least === "" ? {} : { minAvailable: amount(least) }),
        selector: parsed as JsonObject,
        ...(most === "" ? {} : { maxUnavailable: amount(most) }),
      },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    };
    yield* createObject(context, budget, "poddisruptionbudgets");
  },
};
