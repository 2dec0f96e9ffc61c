// Volumes that are images (`volumes[].image`): pulled before containers start, mounted by the runtime. A container whose volume
// could not be pulled waits for the volume's reason (getImageVolumes and toKubeContainerImageVolumes in kuberuntime).

import type { Container } from "#cluster/api/generated/types.ts";
import type { ImageMount } from "../runtime/cri.ts";
import type { ImageOutcome } from "./images/image-manager.ts";
import type { KubeletParts } from "./parts.ts";
import type { StoredPod } from "./pod-spec.ts";
import { imageCredentials } from "./pull-secrets.ts";
import type { Task } from "./task.ts";
import { subPathOf } from "./volumes/sub-path.ts";

/** By the volume's name. */
export type ImageVolumes = ReadonlyMap<string, ImageOutcome>;

/** One after the other, whatever became of those before. Events are about the Pod, not about a container. */
export function* pullImageVolumes(parts: KubeletParts, pod: StoredPod): Task<ImageVolumes> {
  const volumes = new Map<string, ImageOutcome>();
  for (const { name, image } of pod.spec?.volumes ?? []) {
    if (image === undefined) continue;
    const { reference = "", pullPolicy = "IfNotPresent" } = image;
    const wanted = { name, image: reference, imagePullPolicy: pullPolicy };
    const credentials = (repository: string) => imageCredentials(parts, pod, repository);
    volumes.set(name, yield* parts.images.ensure(pod, wanted, undefined, credentials));
  }
  return volumes;
}

export type ImageVolumeFailure = Extract<ImageOutcome, { readonly ok: false }>;

/** The first of a container's volumes that could not be pulled. */
export function failedVolume({ volumeMounts = [] }: Container, volumes: ImageVolumes): ImageVolumeFailure | undefined {
  for (const { name } of volumeMounts) {
    const outcome = volumes.get(name);
    if (outcome?.ok === false) return outcome;
  }
  return undefined;
}

/** Throws ConfigError for a subPath that is absolute, climbs, or lacks a variable. */
export function imageMountsOf(
  { volumeMounts = [] }: Container,
  volumes: ImageVolumes,
  values: ReadonlyMap<string, string>,
): readonly ImageMount[] {
  return volumeMounts.flatMap((mount) => {
    const outcome = volumes.get(mount.name);
    return outcome?.ok === true ? [{ path: mount.mountPath, image: outcome.image, subPath: subPathOf(mount, values) }] : [];
  });
}
