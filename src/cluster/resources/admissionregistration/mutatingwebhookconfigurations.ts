// MutatingWebhookConfiguration: servers that may change what is asked for.

import type { MutatingWebhookConfiguration } from "#cluster/api/generated/types.ts";
import { mutatingWebhookConfigurations as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../definition.ts";
import { changed, each, filled } from "../filling.ts";
import { webhookConfigurationBasics, withWebhookDefaults } from "./webhooks.ts";

export const mutatingWebhookConfigurations = defineResource<MutatingWebhookConfiguration>(type, {
  ...webhookConfigurationBasics,
  updateNeedsResourceVersion: true,
  defaults: (object) =>
    changed(object, "webhooks", (webhooks) =>
      each(webhooks, (webhook) => filled(withWebhookDefaults(webhook), { reinvocationPolicy: "Never" })),
    ),
});
