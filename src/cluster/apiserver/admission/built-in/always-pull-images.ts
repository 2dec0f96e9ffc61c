// AlwaysPullImages: no image is used without asking its registry (plugin/pkg/admission/alwayspullimages).

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  operations: ["CREATE", "UPDATE"],
  kind: "Pod",
  handles: ofObjects,
  mutate: mutatePodSpec((spec, attributes) => {
    if (!bringsImages(attributes)) return spec;
    const pulled = (container: Container): Container => ({ ...container, imagePullPolicy: "Always" });
    return {
      ...spec,
      containers: (spec.containers ?? []).map(pulled),
      ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(pulled) }),
    };
  }),
};

/** An update that names no new image is left alone. */
function bringsImages({ operation, object, old }: AdmissionAttributes): boolean {
  if (operation !== "UPDATE" || old === undefined) return true;
  const known = imagesOf(old["spec"] as PodSpec);
  for (const image of imagesOf(object["spec"] as PodSpec)) if (!known.has(image)) return true;
  return false;
}

function imagesOf({ containers = [], initContainers = [] }: PodSpec): ReadonlySet<string> {
  return new Set([...containers, ...initContainers].map(({ image = "" }) => image));
}
