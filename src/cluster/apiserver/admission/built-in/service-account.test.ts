import { describe, expect, it } from "vitest";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import { pods, serviceAccounts } from "#cluster/api/kinds.ts";
import type { ObjectMeta } from "#cluster/api/objects.ts";
import { refusalOf, startServer } from "../../test-server.test-kit.ts";

const container = { name: "web", image: "nginx" };
const namespace = "default";

function start(account: { readonly [field: string]: unknown } = {}, metadata: ObjectMeta = {}) {
  const { client } = startServer({ disableAdmissionPlugins: [] });
  client.create(serviceAccounts, { ...account, metadata: { ...metadata, name: "default", namespace } });
  const create = (spec: Partial<PodSpec>, annotations = {}) =>
    client.create(pods, { metadata: { name: "web", namespace, annotations }, spec: { containers: [container], ...spec } });
  return { client, create };
}

describe("the ServiceAccount plugin", () => {
  it("[NET-412] [POD-121] [NET-297] names the account and mounts its token in every container", () => {
    const spec = start().create({ initContainers: [{ ...container, name: "init" }] }).spec as PodSpec;
    const name = spec.volumes?.[0]?.name ?? "";
    const mount = { name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    expect(spec).toMatchObject({
      serviceAccountName: "default",
      serviceAccount: "default",
      initContainers: [{ volumeMounts: [mount] }],
      containers: [{ volumeMounts: [mount] }],
      volumes: [
        {
          name,
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
              { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
              { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
            ],
            defaultMode: 420,
          },
        },
      ],
    });
  });

  it.each([
    [{ automountServiceAccountToken: false }, {}, 0],
    [{ automountServiceAccountToken: false }, { automountServiceAccountToken: true }, 1],
    [{}, { automountServiceAccountToken: false }, 0],
  ])("[NET-412] an account with %j gives a pod with %j %i volumes", (account, spec, volumes) => {
    expect(start(account).create(spec).spec?.volumes?.length ?? 0).toBe(volumes);
  });

  it("[NET-412] [POD-056] gives the account's pull secrets to pods that have none", () => {
    const account = { imagePullSecrets: [{ name: "registry" }] };
    const { client, create } = start(account);
    expect(create({}).spec?.imagePullSecrets).toEqual([{ name: "registry" }]);
    client.delete(pods, { namespace, name: "web" }, { gracePeriodSeconds: 0 });
    expect(create({ imagePullSecrets: [{ name: "own" }] }).spec?.imagePullSecrets).toEqual([{ name: "own" }]);
  });

  it("refuses an account that is not there", () => {
    const { create } = start();
    expect(refusalOf(() => create({ serviceAccountName: "robot" }))).toBe(
      'pods "web" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found',
    );
  });

  it.each([
    [{ serviceAccountName: "default" }, "reference service accounts"],
    [{ volumes: [{ name: "a", secret: { secretName: "x" } }] }, "reference secrets"],
    [{ containers: [{ ...container, envFrom: [{ configMapRef: { name: "x" } }] }] }, "reference configmaps"],
    [
      { volumes: [{ name: "a", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }] },
      "use ServiceAccountToken volume projections",
    ],
  ])("[NET-271] a mirror pod with %j may not %s", (spec, what) => {
    const { create } = start();
    expect(refusalOf(() => create(spec, { "kubernetes.io/config.mirror": "x" }))).toBe(
      `pods "web" is forbidden: a mirror pod may not ${what}`,
    );
  });

  it.each([
    [
      { volumes: [{ name: "a", secret: { secretName: "other" } }] },
      'volume with secret.secretName="other" is not allowed because service account default does not reference that secret',
    ],
    [
      { containers: [{ ...container, env: [{ name: "A", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }] }] },
      'container web with envVar A referencing secret.secretName="other" is not allowed because service account default does not reference that secret',
    ],
    [
      { imagePullSecrets: [{ name: "own" }] },
      'imagePullSecrets[0].name="own" is not allowed because service account default does not reference that imagePullSecret',
    ],
  ])("an account that limits its secrets refuses %j", (spec, cause) => {
    const { create } = start(
      { secrets: [{ name: "own" }] },
      { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
    );
    expect(refusalOf(() => create(spec))).toBe(`pods "web" is forbidden: ${cause}`);
  });
});
