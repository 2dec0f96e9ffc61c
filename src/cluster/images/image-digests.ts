// The digests inside an image: an index lists a manifest for each platform, which names a configuration and a layer.

import { digestOf } from "./fingerprint.ts";
import { type Architecture, type Image, usualArchitectures } from "./image.ts";

/** Of the manifest for one platform. */
export function platformDigest({ digest, isManifest }: Image, architecture: Architecture): string {
  return isManifest === true ? digest : digestOf(`manifest ${digest} linux/${architecture}`);
}

const knownConfigs = new WeakMap<Image, Map<Architecture, string>>();

/** Of the configuration, which is what runtimes name an image by (its ID). The same for a manifest by itself and in an index. */
export function configDigest(image: Image, architecture: Architecture): string {
  let known = knownConfigs.get(image);
  if (known === undefined) {
    known = new Map();
    knownConfigs.set(image, known);
  }
  let digest = known.get(architecture);
  if (digest === undefined) {
    digest = digestOf(`config ${platformDigest(image, architecture)}`);
    known.set(architecture, digest);
  }
  return digest;
}

export function layerDigest(image: Image, architecture: Architecture): string {
  return digestOf(`layer ${platformDigest(image, architecture)}`);
}

/** Of the index of this image that differs from another one by `changes`. */
export function changedDigest({ digest, architectures = usualArchitectures }: Image, changes: string): string {
  return digestOf(`${digest} ${architectures.join()} ${changes}`);
}
