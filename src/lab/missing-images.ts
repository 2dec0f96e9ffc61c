// Images that Pods wait for and that the simulator does not have: a learner may think of any image of the world.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Image } from "#cluster/images/image.ts";
import { lateImages, mayComeLate } from "#cluster/images/late-images.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { taggedName } from "#cluster/images/registry.ts";

const nameOf = ({ repository, tag }: Image): string => `${repository}:${tag}`;
const here: ReadonlySet<string> = new Set(publicImages.map(nameOf));

/** Whoever waits for one that comes late has asked for it, so it has come. */
function isHere(name: string): boolean {
  return (
    here.has(name) || (mayComeLate(name.slice(0, name.lastIndexOf(":"))) && lateImages.code.some((image) => nameOf(image) === name))
  );
}

/** As written in the Pods. `isOfLab`: a lab may be about such an image. What the catalogue has and is refused for another reason is
 * not among them. */
export function missingImages(pods: readonly Pod[], isOfLab: (image: string) => boolean): readonly string[] {
  const waiting = pods
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .filter(({ state }) => ["ErrImagePull", "ImagePullBackOff"].includes(state?.waiting?.reason ?? ""))
    .map(({ image }) => image);
  return [...new Set(waiting)].filter((image) => {
    const name = taggedName(image);
    return name !== undefined && !isHere(name) && !isOfLab(image);
  });
}
