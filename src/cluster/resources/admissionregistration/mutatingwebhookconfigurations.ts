// MutatingWebhookConfiguration: servers that may change what is asked for.

import type { MutatingWebhookConfiguration } from "#cluster/api/generated/types.ts";
import { mutatingWebhookConfigurations as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed, each, filled } from "../filling.ts";
import { validateWebhooks, withWebhookDefaults } from "./webhooks.ts";

export const mutatingWebhookConfigurations = defineResource<MutatingWebhookConfiguration>(type, {
  updateNeedsResourceVersion: true,
  categories: ["api-extensions"],
  generationFields: ["webhooks"],
  defaultedFields: ["webhooks"],
  defaults: (object) =>
    changed(object, "webhooks", (webhooks) =>
      each(webhooks, (webhook) => filled(withWebhookDefaults(webhook), { reinvocationPolicy: "Never" })),
    ),
  validate: (object, errors) => validateWebhooks(object.webhooks, errors),
  validateUpdate: (object, old, errors) => validateWebhooks(object.webhooks, errors, old.webhooks),
  columns: [
    nameColumn,
    integerColumn("Webhooks", "Webhooks indicates the number of webhooks registered in this configuration"),
    ageColumn,
  ],
  row: (object, context) => [nameCell(object), object.webhooks?.length ?? 0, ageCell(object, context)],
});
