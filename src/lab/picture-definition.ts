// What a lab has in its picture beyond nodes, Pods, their owners and Services, as its author writes it.

import { kindsByPlural } from "#cluster/api/kinds.ts";
import { listOf, meaning, type Shape, text } from "#reading/shapes.ts";

export interface PictureWish {
  /** A plural, `configmaps`, that may bear its group, `replicasets.apps`; of a custom kind it must: `crontabs.stable.example.com`. */
  readonly resource: string;
  /** "": all of the kind. */
  readonly name: string;
}

const form = /^([a-z0-9]+(?:\.[a-z0-9-]+)*)(?:\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?))?$/;

const wish = meaning(
  text,
  (value, field): PictureWish => {
    const [, resource = "", name = ""] = form.exec(value) ?? [];
    if (resource === "") return field.fail(`must be a resource or resource/name, not "${value}"`);
    if (resource.includes(".") || kindsByPlural.has(resource)) return { resource, name };
    return field.fail(
      `names "${resource}", which is no plural of a built-in kind (a custom kind has its group: crontabs.example.com)`,
    );
  },
  { pattern: form.source },
);

export const pictureWishes: Shape<readonly PictureWish[]> = listOf(wish);
