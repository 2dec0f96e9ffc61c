// Images that are made from known ones: the same programs under another name, with other files, for other platforms.

import type { TreeEntry } from "#sim/files.ts";
import type { Architecture, Image } from "./image.ts";
import { changedDigest } from "./image-digests.ts";

/** How an image differs from a known one; with no difference it is the same image, digest and all. */
export interface ImageShape {
  /** Name of a known image: `nginx:1.27`. */
  readonly from: string;
  /** Absolute path → text. */
  readonly files?: { readonly [path: string]: string } | undefined;
  readonly architectures?: readonly Architecture[] | undefined;
}

/** Images of one registry: `team-a/app:v1` → what it is. */
export interface ShapedRegistry {
  /** `registry.lab.example:5000` */
  readonly host: string;
  readonly images: { readonly [name: string]: ImageShape };
}

/** Images under their full names. Throws Error where `from` names none of `known` (by `docker.io/library/nginx:1.27`). */
export function shapedImages(
  registries: readonly ShapedRegistry[],
  known: readonly Image[],
  fullName: (name: string) => string | undefined,
): readonly Image[] {
  if (registries.length === 0) return [];
  const byName = new Map(known.map((image) => [`${image.repository}:${image.tag}`, image]));
  return registries.flatMap(({ host, images }) =>
    Object.entries(images).map(([name, shape]) => {
      const from = byName.get(fullName(shape.from) ?? "");
      const colon = name.lastIndexOf(":");
      if (from === undefined) throw new Error(`image ${host}/${name}: there is no image ${shape.from}`);
      return shapedImage(from, shape, `${host}/${name.slice(0, colon)}`, name.slice(colon + 1));
    }),
  );
}

function shapedImage(from: Image, { files, architectures }: ImageShape, repository: string, tag: string): Image {
  if (files === undefined && architectures === undefined) return { ...from, repository, tag };
  const added = Object.entries(files ?? {}).map(([path, content]): [string, TreeEntry] => [path, { type: "file", content }]);
  const bytes = added.reduce((sum, [, entry]) => sum + (entry.type === "file" ? entry.content.length : 0), 0);
  const image = architectures === undefined ? from : { ...from, architectures };
  return {
    ...image,
    repository,
    tag,
    digest: changedDigest(image, JSON.stringify(added)),
    sizeBytes: from.sizeBytes + bytes,
    files: added.length === 0 ? from.files : new Map([...from.files, ...added]),
  };
}
