// Which claims, ConfigMaps and Secrets a Pod's specification names.

import type { Container, Pod, Volume } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

/** Keys `plural/namespace/name`, each once. */
export function usedObjects({ metadata, spec }: Stored<Pod>): readonly string[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const named = [
    ...(spec?.volumes ?? []).flatMap((volume) => inVolume(volume, metadata.name)),
    ...containers.flatMap(inEnvironment),
    ...(spec?.imagePullSecrets ?? []).map(({ name }) => ["secrets", name] as const),
  ];
  return [
    ...new Set(named.flatMap(([plural, name]) => (name === undefined ? [] : [`${plural}/${metadata.namespace ?? ""}/${name}`]))),
  ];
}

type Named = readonly ["persistentvolumeclaims" | "configmaps" | "secrets", string | undefined];

function inVolume({ name, persistentVolumeClaim, ephemeral, configMap, secret, projected }: Volume, podName: string) {
  return [
    ["persistentvolumeclaims", persistentVolumeClaim?.claimName],
    ["persistentvolumeclaims", ephemeral === undefined ? undefined : `${podName}-${name}`],
    ["configmaps", configMap?.name],
    ["secrets", secret?.secretName],
    ...(projected?.sources ?? []).flatMap((source) => [
      ["configmaps", source.configMap?.name] as const,
      ["secrets", source.secret?.name] as const,
    ]),
  ] satisfies readonly Named[];
}

function inEnvironment({ env = [], envFrom = [] }: Container): readonly Named[] {
  return [
    ...env.flatMap(({ valueFrom }): readonly Named[] => [
      ["configmaps", valueFrom?.configMapKeyRef?.name],
      ["secrets", valueFrom?.secretKeyRef?.name],
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }): readonly Named[] => [
      ["configmaps", configMapRef?.name],
      ["secrets", secretRef?.name],
    ]),
  ];
}
