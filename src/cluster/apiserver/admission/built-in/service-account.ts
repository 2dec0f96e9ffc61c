// ServiceAccount: a pod runs as an account of its namespace, and gets that account's token as a projected volume
// (plugin/pkg/admission/serviceaccount).

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { ApiError, forbidden } from "#cluster/api/errors.ts";
import type { Container, PodSpec, Volume, VolumeMount } from "#cluster/api/generated/types.ts";
import { generateName } from "#cluster/api/names.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { mirrorAnnotation } from "#cluster/resources/core/pods/pod-annotation-validation.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import { referencesOf } from "../../authorization/node-references.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const volumePrefix = "kube-api-access-";
/** A little over an hour, so that the kubelet renews it in time. */
const tokenLifetimeSeconds = 3607;
/** Its pods may use no secrets but those that the account lists. */
const mountableAnnotation = "kubernetes.io/enforce-mountable-secrets";

/** How often and how soon a request asks again for the default service account of a new namespace. */
const tries = 10;
const retryMs = 100;

export function serviceAccountAdmission(store: Store, simulation: Simulation): AdmissionPlugin {
  const accounts = store.table("serviceaccounts");
  const { random } = simulation;
  return {
    name: "ServiceAccount",
    operations: ["CREATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec, attributes) => {
      const { object } = attributes;
      if (object.metadata.annotations?.[mirrorAnnotation] !== undefined) {
        requireNoReferences(object, spec);
        return spec;
      }
      const name = spec.serviceAccountName || spec.serviceAccount || "default";
      const account = accounts.get(`${attributes.namespace}/${name}`);
      if (account === undefined) {
        const cause = `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
        const { status } = forbidden(
          { group: "", resource: "pods" },
          object.metadata.name || (object.metadata.generateName ?? ""),
          cause,
        );
        if (name !== "default") throw new ApiError(status);
        throw new AnsweredLater(status, {
          begin: (resume) => simulation.after(retryMs + random.below(retryMs), resume),
          tries,
          isRefusedMeanwhile: true,
        });
      }
      if (account.metadata.annotations?.[mountableAnnotation] === "true") requireMountable(object, spec, account);
      return completed(spec, name, account, random);
    }),
  };
}

/** Static pods are mirrored as they are: they must not get at anything that the API holds. */
function requireNoReferences(object: KubeObject, spec: PodSpec): void {
  const refuse = (what: string): ApiError =>
    forbidden({ group: "", resource: "pods" }, object.metadata.name ?? "", `a mirror pod may not ${what}`);
  const references = [...referencesOf({ metadata: object.metadata, spec })];
  const refers = (resource: string): boolean => references.some((reference) => reference.startsWith(`${resource}/`));
  if (refers("serviceaccounts")) throw refuse("reference service accounts");
  for (const resource of ["secrets", "configmaps"]) if (refers(resource)) throw refuse(`reference ${resource}`);
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined)) throw refuse("reference clustertrustbundles");
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw refuse("use ServiceAccountToken volume projections");
  }
}

function requireMountable(object: KubeObject, spec: PodSpec, account: KubeObject): void {
  const namesIn = (field: string): readonly (string | undefined)[] =>
    ((account[field] ?? []) as readonly { readonly name?: string }[]).map(({ name }) => name);
  const mountable = namesIn("secrets");
  const pullable = namesIn("imagePullSecrets");
  const require = (secret: string | undefined, known: readonly (string | undefined)[], what: string, kind = "secret"): void => {
    if (secret === undefined || secret === "" || known.includes(secret)) return;
    const cause = `${what} is not allowed because service account ${account.metadata.name} does not reference that ${kind}`;
    throw forbidden({ group: "", resource: "pods" }, object.metadata.name || (object.metadata.generateName ?? ""), cause);
  };
  for (const { secret } of spec.volumes ?? []) {
    require(secret?.secretName, mountable, `volume with secret.secretName="${secret?.secretName}"`);
  }
  const containers = [
    ...(spec.initContainers ?? []).map((container) => ["init container", container] as const),
    ...(spec.containers ?? []).map((container) => ["container", container] as const),
  ];
  for (const [kind, { name, env, envFrom }] of containers) {
    for (const variable of env ?? []) {
      const secret = variable.valueFrom?.secretKeyRef?.name;
      require(secret, mountable, `${kind} ${name} with envVar ${variable.name} referencing secret.secretName="${secret}"`);
    }
    for (const { secretRef } of envFrom ?? []) {
      require(secretRef?.name, mountable, `${kind} ${name} with envFrom referencing secret.secretName="${secretRef?.name}"`);
    }
  }
  for (const [index, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    require(name, pullable, `imagePullSecrets[${index}].name="${name}"`, "imagePullSecret");
  }
}

function completed(spec: PodSpec, name: string, account: KubeObject, random: Random): PodSpec {
  const named: PodSpec = { ...spec, serviceAccountName: name, serviceAccount: name };
  const secrets = account["imagePullSecrets"] as PodSpec["imagePullSecrets"];
  const withSecrets =
    (spec.imagePullSecrets?.length ?? 0) === 0 && secrets !== undefined && secrets.length > 0
      ? { ...named, imagePullSecrets: secrets }
      : named;
  const wanted = spec.automountServiceAccountToken ?? (account["automountServiceAccountToken"] as boolean | undefined) ?? true;
  return wanted ? withToken(withSecrets, random) : withSecrets;
}

/** Mounts the token in every container that has nothing at its path yet. */
function withToken(spec: PodSpec, random: Random): PodSpec {
  const volumes = spec.volumes ?? [];
  const existing = volumes.find((volume) => volume.name.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix, (limit) => random.below(limit));
  let needed = false;
  const mounted = (container: Container): Container => {
    if (container.volumeMounts?.some((mount) => mount.mountPath === tokenPath)) return container;
    needed = true;
    const mount: VolumeMount = { name, readOnly: true, mountPath: tokenPath };
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
  };
  const result: PodSpec = {
    ...spec,
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(mounted) }),
    containers: (spec.containers ?? []).map(mounted),
  };
  return needed && existing === undefined ? { ...result, volumes: [...volumes, tokenVolume(name)] } : result;
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenLifetimeSeconds, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
      ],
      defaultMode: 0o644,
    },
  };
}
