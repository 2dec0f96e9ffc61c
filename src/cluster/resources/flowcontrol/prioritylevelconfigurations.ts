// PriorityLevelConfiguration: how many requests at once, and what becomes of more (pkg/apis/flowcontrol/validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "#cluster/api/generated/types.ts";
import { priorityLevelConfigurations as type } from "#cluster/api/kinds.ts";
import { naturalLog } from "#sim/logarithm.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { mandatoryLevels } from "./bootstrap-objects.ts";
import { validateConditions } from "./conditions.ts";
import { earlyPriorityLevels } from "./early-flowcontrol.ts";

const maxQueues = 10_000_000;
/** Bits of the hash that hands of queues are dealt by. */
const maxHashBits = 60;

export const priorityLevelConfigurations = defineResource(type, {
  ...earlyPriorityLevels,
  validate,
  validateUpdate: (level, _old, errors) => validate(level, errors),
  validateStatusUpdate: (level, _old, errors) => validateConditions(level.status?.conditions, errors),
  columns: [
    nameColumn,
    column("Type", "`type` indicates whether this priority level is subject to limitation on request execution."),
    column(
      "NominalConcurrencyShares",
      "`nominalConcurrencyShares` (NCS) contributes to the computation of the NominalConcurrencyLimit (NominalCL) of this level.",
    ),
    column("Queues", "`queues` is the number of queues for this priority level."),
    column("HandSize", "`handSize` is a small positive number that configures the shuffle sharding of requests into queues."),
    column(
      "QueueLengthLimit",
      "`queueLengthLimit` is the maximum number of requests allowed to be waiting in a given queue of this priority level at a time.",
    ),
    ageColumn,
  ],
  row: (level, context) => {
    const queuing = level.spec?.limited?.limitResponse?.queuing;
    return [
      nameCell(level),
      level.spec?.type ?? "",
      level.spec?.limited?.nominalConcurrencyShares ?? "<none>",
      queuing?.queues ?? "<none>",
      queuing?.handSize ?? "<none>",
      queuing?.queueLengthLimit ?? "<none>",
      ageCell(level, context),
    ];
  },
});

function validate(level: Typed<PriorityLevelConfiguration>, errors: FieldErrors): void {
  const { name = "" } = level.metadata;
  const spec: PriorityLevelConfigurationSpec = level.spec ?? { type: "" };
  const path = field("spec");
  if ((name === "exempt") !== (spec.type === "Exempt")) {
    errors.invalid(path.child("type"), spec.type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  validateSpec(spec, path, errors);
  const fixed = Object.hasOwn(mandatoryLevels, name) ? mandatoryLevels[name] : undefined;
  if (fixed !== undefined && !sameLevel(name, spec, fixed)) {
    errors.invalid(path, spec, `spec of '${name}' must equal the fixed value`);
  }
  validateConditions(level.status?.conditions, errors);
}

/** The numbers of the exempt level may be set. */
function sameLevel(name: string, spec: PriorityLevelConfigurationSpec, fixed: PriorityLevelConfigurationSpec): boolean {
  if (name !== "exempt") return semanticDeepEqual(spec, fixed);
  const { exempt: _own, ...rest } = spec;
  const { exempt: _fixed, ...others } = fixed;
  return semanticDeepEqual(rest, others);
}

function validateSpec({ type, limited, exempt }: PriorityLevelConfigurationSpec, path: Path, errors: FieldErrors): void {
  switch (type) {
    case "Exempt":
      if (limited !== undefined) errors.forbidden(path.child("limited"), "must be nil if the type is not Limited");
      if (exempt !== undefined) {
        const { nominalConcurrencyShares = 0, lendablePercent = 0 } = exempt;
        if (nominalConcurrencyShares < 0) {
          errors.invalid(
            path.child("exempt", "nominalConcurrencyShares"),
            nominalConcurrencyShares,
            "must be a non-negative integer",
          );
        }
        validatePercent(lendablePercent, path.child("exempt", "lendablePercent"), errors);
      }
      return;
    case "Limited":
      if (exempt !== undefined) errors.forbidden(path.child("exempt"), "must be nil if the type is Limited");
      if (limited === undefined) errors.required(path.child("limited"), "must not be empty when type is Limited");
      else validateLimited(limited, path.child("limited"), errors);
      return;
    default:
      errors.notSupported(path.child("type"), type, ["Exempt", "Limited"]);
  }
}

function validatePercent(value: number, path: Path, errors: FieldErrors): void {
  if (value < 0 || value > 100) errors.invalid(path, value, "must be between 0 and 100, inclusive");
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: Path, errors: FieldErrors): void {
  const { nominalConcurrencyShares = 0, lendablePercent = 0, borrowingLimitPercent, limitResponse } = limited;
  if (nominalConcurrencyShares < 0) {
    errors.invalid(path.child("nominalConcurrencyShares"), nominalConcurrencyShares, "must be a non-negative integer");
  }
  validateResponse(limitResponse ?? { type: "" }, path.child("limitResponse"), errors);
  validatePercent(lendablePercent, path.child("lendablePercent"), errors);
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    errors.invalid(path.child("borrowingLimitPercent"), borrowingLimitPercent, "if specified, must be a non-negative integer");
  }
}

function validateResponse({ type, queuing }: LimitResponse, path: Path, errors: FieldErrors): void {
  if (type === "Reject") {
    if (queuing !== undefined) {
      errors.forbidden(path.child("queuing"), "must be nil if limited.limitResponse.type is not Limited");
    }
  } else if (type !== "Queue") errors.notSupported(path.child("type"), type, ["Queue", "Reject"]);
  else if (queuing === undefined) {
    errors.required(path.child("queuing"), "must not be empty if limited.limitResponse.type is Limited");
  } else validateQueuing(queuing, path.child("queuing"), errors);
}

function validateQueuing(queuing: QueuingConfiguration, path: Path, errors: FieldErrors): void {
  const { queueLengthLimit = 0, queues = 0, handSize = 0 } = queuing;
  if (queueLengthLimit <= 0) errors.invalid(path.child("queueLengthLimit"), queueLengthLimit, "must be positive");
  if (queues <= 0) errors.invalid(path.child("queues"), queues, "must be positive");
  else if (queues > maxQueues) errors.invalid(path.child("queues"), queues, `must not be greater than ${maxQueues}`);
  const hand = path.child("handSize");
  if (handSize <= 0) errors.invalid(hand, handSize, "must be positive");
  else if (handSize > queues) errors.invalid(hand, handSize, `should not be greater than queues (${queues})`);
  else if (entropyBits(queues, handSize) > maxHashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
    errors.invalid(hand, handSize, detail);
  }
}

function entropyBits(deck: number, hand: number): number {
  // A power of two has a whole logarithm.
  return Math.ceil((naturalLog(deck) / naturalLog(2)) * hand - 1e-9);
}
