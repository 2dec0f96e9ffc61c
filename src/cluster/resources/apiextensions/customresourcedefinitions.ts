// CustomResourceDefinition: what it may say, and what becomes of it when it is written. The kinds that it defines are served by
// apiserver/custom-resources.

import type { CustomResourceDefinition } from "#cluster/api/generated/types.ts";
import { customResourceDefinitions as type } from "#cluster/api/kinds.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { changed, filled, withoutZero } from "../filling.ts";
import { withFieldsOf } from "../strategy.ts";
import { cleanupFinalizer, withCondition } from "./crd-conditions.ts";
import { lateCustomResources } from "./late-custom-resources.ts";

type Crd = Typed<CustomResourceDefinition>;

export const customResourceDefinitions = defineResource(type, {
  encodedVersion: "v1beta1",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  generationFields: ["spec"],
  updateNeedsResourceVersion: true,
  defaultedFields: ["spec", "status"],
  defaults,
  prepareForCreate: (crd) =>
    withStorageVersion({ ...crd, status: { acceptedNames: { plural: "", kind: "" }, conditions: [], storedVersions: [] } }),
  prepareForUpdate: (crd, old) => withStorageVersion(withFieldsOf(crd, old, "status")),
  prepareForStatusUpdate: (crd, old) => withStorageVersion(withFieldsOf(crd, old, "spec")),
  holdsDeletion: ({ metadata }) => metadata.deletionTimestamp === undefined,
  prepareForDelete,
  subresources: [{ name: "status", kind: "CustomResourceDefinition", verbs: ["get", "patch", "update"] }],
  validate: (crd, errors) => lateCustomResources.code.validateCrd(crd, errors),
  validateUpdate: (crd, old, errors) => lateCustomResources.code.validateCrdUpdate(crd, old, errors),
  validateStatusUpdate: (crd, _old, errors) => lateCustomResources.code.validateStatus(crd, errors),
  warnings: (crd, old) => lateCustomResources.code.formatWarnings(crd, old),
  columns: [nameColumn, createdAtColumn],
  row: (crd) => [nameCell(crd), createdAtCell(crd)],
});

function defaults(crd: Crd): Crd {
  return changed(crd, "spec", (spec) => {
    const named = changed(spec, "names", (names) => {
      const { kind } = names;
      const given = withoutZero(names, "singular", "listKind");
      return filled(given, { singular: asciiLowerCase(kind), ...(kind === "" ? {} : { listKind: `${kind}List` }) });
    });
    const converted = filled(named, { conversion: { strategy: "None" } });
    return changed(converted, "conversion", (conversion) =>
      changed(conversion, "webhook", (webhook) =>
        changed(webhook, "clientConfig", (client) => changed(client, "service", (service) => filled(service, { port: 443 }))),
      ),
    );
  });
}

/** The storage version has objects from now on. */
function withStorageVersion(crd: Crd): Crd {
  const name = crd.spec.versions?.find(({ storage }) => storage)?.name;
  const stored = crd.status?.storedVersions ?? [];
  if (name === undefined || stored.includes(name)) return crd;
  const status = crd.status ?? { acceptedNames: { plural: "", kind: "" }, conditions: [], storedVersions: [] };
  return { ...crd, status: { ...status, storedVersions: [...stored, name] } };
}

/** The first deletion marks the definition: its objects are to go first. */
function prepareForDelete(crd: Crd): Crd {
  const finalizers = crd.metadata.finalizers ?? [];
  const { deletionTimestamp } = crd.metadata;
  if (deletionTimestamp === undefined || crd.status?.conditions?.some(({ type }) => type === "Terminating") === true) return crd;
  const pending = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  const status = crd.status ?? {};
  return {
    ...crd,
    metadata: finalizers.includes(cleanupFinalizer)
      ? crd.metadata
      : { ...crd.metadata, finalizers: [...finalizers, cleanupFinalizer] },
    status: { ...status, conditions: withCondition(status.conditions ?? [], pending, timeOf(deletionTimestamp)) },
  };
}

function timeOf(text: string): number {
  return tryParseTime(text) ?? 0;
}
