// Deletes bootstrap tokens whose time is up (pkg/controller/bootstrap/tokencleaner.go).

import type { Secret } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, splitKey } from "#cluster/api/objects.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { expirationOf, isBootstrapToken } from "./bootstrap-tokens.ts";

const name = "token-cleaner-controller";

export const tokenCleaner: ControllerDefinition = {
  name,
  serviceAccount: "token-cleaner",
  isOffByDefault: true,
  create({ simulation, client, informers }) {
    const secrets = informers.informer(kinds.secrets);
    return {
      name,
      watches: [
        watchRule<Secret>({
          resource: kinds.secrets,
          keys: (secret, _previous, deleted) => (isBootstrapToken(secret) && !deleted ? [keyOf(secret)] : []),
        }),
      ],
      reconcile(key) {
        const secret = secrets.get(key);
        const expiresMs = secret === undefined ? undefined : expirationOf(secret.data);
        if (secret === undefined || expiresMs === undefined) return undefined;
        const leftMs = expiresMs - simulation.nowMs;
        if (leftMs > 0) return { requeueAfterMs: leftMs, background: true };
        try {
          client.delete(kinds.secrets, splitKey(key), { uid: secret.metadata.uid });
        } catch (error) {
          if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
        }
        return undefined;
      },
    };
  },
};
