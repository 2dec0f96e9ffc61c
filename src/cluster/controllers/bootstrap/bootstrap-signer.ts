// Signs kube-public/cluster-info with every bootstrap token that may sign, so that whoever joins with a token can tell the
// true cluster from a false one (pkg/controller/bootstrap/bootstrapsigner.go).

import type { ConfigMap, Secret } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";
import { bootstrapTokenOf, isBootstrapToken } from "./bootstrap-tokens.ts";
import { detachedSignature } from "./detached-signature.ts";

const name = "bootstrap-signer-controller";
const infoKey = "kube-public/cluster-info";
const signaturePrefix = "jws-kubeconfig-";

export const bootstrapSigner: ControllerDefinition = {
  name,
  serviceAccount: "bootstrap-signer",
  isOffByDefault: true,
  create: ({ simulation, client, informers }): Controller => {
    const maps = informers.informer(kinds.configMaps);
    const secrets = informers.informer(kinds.secrets);
    return {
      name,
      watches: [
        watchRule<ConfigMap>({ resource: kinds.configMaps, keys: (map) => (keyOf(map) === infoKey ? [infoKey] : []) }),
        watchRule<Secret>({ resource: kinds.secrets, keys: (secret) => (isBootstrapToken(secret) ? [infoKey] : []) }),
      ],
      reconcile() {
        const map = maps.get(infoKey);
        const content = map?.data?.["kubeconfig"];
        if (map === undefined || content === undefined) return undefined;
        const data = { ...withoutSignatures(map.data ?? {}), ...signatures([...secrets.list()], content, simulation.nowMs) };
        const keys = Object.keys(data);
        const isSame = keys.length === Object.keys(map.data ?? {}).length && keys.every((key) => data[key] === map.data?.[key]);
        if (!isSame) write(client, { ...map, data });
        return undefined;
      },
    };
  },
};

type Data = { readonly [key: string]: string };
type StoredSecret = Parameters<typeof bootstrapTokenOf>[0];

function withoutSignatures(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix)));
}

function signatures(secrets: readonly StoredSecret[], content: string, nowMs: number): Data {
  const signed: { [key: string]: string } = {};
  for (const secret of secrets) {
    const token = isBootstrapToken(secret) ? bootstrapTokenOf(secret) : undefined;
    if (token === undefined || !token.isForSigning || (token.expiresMs ?? nowMs + 1) <= nowMs) continue;
    signed[`${signaturePrefix}${token.id}`] = detachedSignature(content, token.id, token.secret);
  }
  return signed;
}

function write(client: ControllerContext["client"], map: Parameters<typeof client.update<ConfigMap>>[1]): void {
  try {
    client.update(kinds.configMaps, map);
  } catch (error) {
    // Someone else wrote: the change wakes this controller again.
    if (!isReason(error, "Conflict") && !isReason(error, "NotFound")) throw error;
  }
}
