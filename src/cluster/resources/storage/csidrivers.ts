import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { CSIDriver, StorageV1TokenRequest } from "#cluster/api/generated/types.ts";
import { csiDrivers as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type TableColumn, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { validateUnchanged } from "../workload-validation.ts";

const path = field("spec");
const groupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];
const lifecycleModes = ["Persistent", "Ephemeral"];
const minUpdatePeriodSeconds = 10;

export const csiDrivers = defineResource(type, {
  returnsDeleted: true,
  updateNeedsResourceVersion: true,
  generationFields: ["spec"],
  startsWithoutGeneration: true,
  warnings: tokenWarnings,
  defaults: (driver) =>
    changed(driver, "spec", (spec) =>
      filled((spec.volumeLifecycleModes?.length ?? 0) === 0 ? { ...spec, volumeLifecycleModes: ["Persistent"] } : spec, {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: "ReadWriteOnceWithFSType",
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
  validate,
  validateUpdate: (driver, old, errors) => {
    validate(driver, errors);
    validateUnchanged(driver.spec?.attachRequired, old.spec?.attachRequired, path.child("attachedRequired"), errors);
    validateUnchanged(
      driver.spec?.volumeLifecycleModes,
      old.spec?.volumeLifecycleModes,
      path.child("volumeLifecycleModes"),
      errors,
    );
  },
  columns: [
    nameColumn,
    booleanColumn("AttachRequired"),
    booleanColumn("PodInfoOnMount"),
    booleanColumn("StorageCapacity"),
    column("TokenRequests", ""),
    booleanColumn("RequiresRepublish"),
    column("Modes", ""),
    ageColumn,
  ],
  row: (driver, context) => {
    const { attachRequired, podInfoOnMount, storageCapacity, tokenRequests, requiresRepublish } = driver.spec ?? {};
    return [
      nameCell(driver),
      attachRequired ?? true,
      podInfoOnMount ?? false,
      storageCapacity ?? false,
      tokenRequests?.map(({ audience }) => audience).join(",") ?? "<unset>",
      requiresRepublish ?? false,
      (driver.spec?.volumeLifecycleModes ?? []).join(",") || "<none>",
      ageCell(driver, context),
    ];
  },
});

function booleanColumn(name: string): TableColumn {
  return { ...column(name, ""), type: "boolean" };
}

/** Of tokens that the driver gets among the volume's attributes, which are logged. */
function tokenWarnings({ spec }: Typed<CSIDriver>, old: Typed<CSIDriver> | undefined): readonly string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec ?? {};
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  if (old !== undefined && semanticDeepEqual(tokenRequests, old.spec?.tokenRequests)) return [];
  return [
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  ];
}

function validate({ spec = {} }: Typed<CSIDriver>, errors: FieldErrors): void {
  if (spec.attachRequired === undefined) errors.required(path.child("attachedRequired"));
  if (spec.podInfoOnMount === undefined) errors.required(path.child("podInfoOnMount"));
  if (spec.storageCapacity === undefined) errors.required(path.child("storageCapacity"));
  const { fsGroupPolicy, volumeLifecycleModes = [], nodeAllocatableUpdatePeriodSeconds: period } = spec;
  if (fsGroupPolicy !== undefined && !groupPolicies.includes(fsGroupPolicy)) {
    errors.notSupported(path.child("fsGroupPolicy"), fsGroupPolicy, groupPolicies);
  }
  validateTokenRequests(spec.tokenRequests ?? [], errors);
  for (const mode of volumeLifecycleModes) {
    if (!lifecycleModes.includes(mode)) errors.notSupported(path.child("volumeLifecycleModes"), mode, lifecycleModes);
  }
  if (spec.seLinuxMount === undefined) errors.required(path.child("seLinuxMount"));
  if (period !== undefined && period < minUpdatePeriodSeconds) {
    errors.invalid(
      path.child("nodeAllocatableUpdatePeriodSeconds"),
      period,
      `must be greater than or equal to ${minUpdatePeriodSeconds} seconds`,
    );
  }
}

/** An audience once; times as for other tokens. */
function validateTokenRequests(requests: readonly StorageV1TokenRequest[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { audience, expirationSeconds: seconds }] of requests.entries()) {
    const at = path.child("tokenRequests").index(index);
    if (seen.has(audience)) {
      errors.duplicate(at.child("audience"), audience);
      continue;
    }
    seen.add(audience);
    if (seconds === undefined) continue;
    if (seconds < 600) errors.invalid(at.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
    if (seconds > 2 ** 32) {
      errors.invalid(at.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
    }
  }
}
