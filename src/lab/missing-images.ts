// Images that Pods wait for and that the simulator does not have: a learner may think of any image of the world.

import type { Pod } from "#cluster/api/generated/types.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { taggedName } from "#cluster/images/registry.ts";
import { suiteImages } from "#cluster/images/suite-images.ts";

const here: ReadonlySet<string> = new Set([...publicImages, ...suiteImages].map(({ repository, tag }) => `${repository}:${tag}`));

/** As written in the Pods. `isOfLab`: a lab may be about such an image. What the catalogue has and is refused for another reason is
 * not among them. */
export function missingImages(pods: readonly Pod[], isOfLab: (image: string) => boolean): readonly string[] {
  const waiting = pods
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .filter(({ state }) => ["ErrImagePull", "ImagePullBackOff"].includes(state?.waiting?.reason ?? ""))
    .map(({ image }) => image);
  return [...new Set(waiting)].filter((image) => {
    const name = taggedName(image);
    return name !== undefined && !here.has(name) && !isOfLab(image);
  });
}
